import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { findRawResult, flattenLines, RAW_MIN_BYTES } from "../../lib/upstream/raw-result.ts";

const TEXT = 'with "quotes", "isError": true in a string, and ünïcode\n'.repeat(25_000);
const CONTENT = JSON.stringify([{ type: "text", text: TEXT }]);

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe("findRawResult()", () => {
  test.each<[string, string, string | number]>([
    ["id first", `{"jsonrpc":"2.0","id":7,"result":{"content":${CONTENT}}}`, 7],
    ["result first", `{"result":{"content":${CONTENT}},"jsonrpc":"2.0","id":"a b"}`, "a b"],
    ["both ends", `{"id":0,"result":{"content":${CONTENT}},"jsonrpc":"2.0"}`, 0],
    ["blanks", ` { "jsonrpc" : "2.0" , "id" : -1 , "result" : {"content":${CONTENT}} } `, -1],
    ["no error", `{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT},"isError":false}}`, 1],
    [
      "an id of somebody else inside",
      `{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT},"id":5}}`,
      1,
    ],
  ])("tells whose result it is: %s", (_what, text, id) => {
    const bytes = bytesOf(text);
    expect(findRawResult([bytes])).toEqual({ id, parts: [bytes] });
  });

  test.each<[string, string]>([
    ["small", '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'],
    ["an error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":${JSON.stringify(TEXT)}}}`],
    ["isError", `{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT},"isError":true}}`],
    ["isError first", `{"jsonrpc":"2.0","id":1,"result":{"isError" : true,"content":${CONTENT}}}`],
    ["no id", `{"jsonrpc":"2.0","result":{"content":${CONTENT}}}`],
    ["an id twice", `{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT}},"id":2}`],
    ["id null", `{"jsonrpc":"2.0","id":null,"result":{"content":${CONTENT}}}`],
    ["a large id", `{"jsonrpc":"2.0","id":12345678901234567890,"result":{"content":${CONTENT}}}`],
    ["an escaped id", `{"jsonrpc":"2.0","id":"\\u0041","result":{"content":${CONTENT}}}`],
    ["no version", `{"id":1,"result":{"content":${CONTENT}}}`],
    ["a member of another name", `{"jsonrpc":"2.0","id":1,"x":1,"result":{"content":${CONTENT}}}`],
    ["a result that is a list", `{"jsonrpc":"2.0","id":1,"result":${CONTENT}}`],
    ["a batch", `[{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT}}}]`],
    ["a request", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"content":${CONTENT}}}`],
    ["a byte-order mark", `\ufeff{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT}}}`],
    ["cut off", `{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT}`],
    ["cut off after the result", `{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT}}`],
    ["more behind it", `{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT}}} x`],
  ])("leaves to parsing: %s", (_what, text) => {
    expect(findRawResult([bytesOf(text)])).toBeUndefined();
  });

  test("leaves to parsing what is not UTF-8", () => {
    const bytes = bytesOf(`{"jsonrpc":"2.0","id":1,"result":{"content":${CONTENT}}}`);
    bytes[1000] = 0xff;
    expect(findRawResult([bytes])).toBeUndefined();
  });

  test("never says other than parsing does, in whatever order the members come", () => {
    const padding = "x".repeat(RAW_MIN_BYTES);
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(true, false, padding));
    const names = ["content", "isError", "id", "jsonrpc", "result", "structuredContent"];
    const result = fc
      .dictionary(fc.constantFrom(...names), value)
      .map((members) => ({ padding, ...members, more: padding }));
    const member = (name: string, one: fc.Arbitrary<unknown>) =>
      one.map((known) => `${JSON.stringify(name)}:${JSON.stringify(known)}`);
    const message = fc
      .tuple(
        member("jsonrpc", fc.constantFrom("2.0", "2.0", "1.0")),
        member("id", fc.oneof(fc.integer(), fc.string())),
        member("result", fc.oneof({ weight: 5, arbitrary: result }, value)),
        member("extra", value),
      )
      .chain((members) => fc.shuffledSubarray(members, { minLength: 3 }));
    let found = 0;
    fc.assert(
      fc.property(message, fc.constantFrom("", " "), (members, blank) => {
        const text = `{${blank}${members.join(`${blank},`)}}`;
        const raw = findRawResult([bytesOf(text)]);
        if (raw === undefined) return;
        found += 1;
        const { id, jsonrpc, result: parsed }: JsonObject = JSON.parse(text);
        const isError = isObject(parsed) ? parsed.isError === true : "no result";
        expect([id, jsonrpc, isError]).toEqual([raw.id, "2.0", false]);
      }),
      { numRuns: 1000 },
    );
    expect(found).toBeGreaterThan(10);
  });
});

describe("flattenLines()", () => {
  test("puts blanks where lines ended", () => {
    const bytes = bytesOf('{\r\n"a":\n1}\n');
    flattenLines(bytes);
    expect(new TextDecoder().decode(bytes)).toBe('{  "a": 1} ');
  });
});
