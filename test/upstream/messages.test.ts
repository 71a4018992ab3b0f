import { describe, expect, test } from "bun:test";
import { findAnsweredId, isAnswerTo, parseMessages, refusal } from "../../lib/upstream/messages.ts";

const texts = (text: string) => parseMessages(text)?.received.map((received) => received.text);

describe("parseMessages()", () => {
  test("keeps the text of a message as it came", () => {
    const text = '{"id":12345678901234567890,"jsonrpc":"2.0","result":{"a":1.0,"a":2}}';
    expect(texts(text)).toEqual([text]);
  });

  test("gives a message on one line", () => {
    expect(texts('\ufeff{\r\n  "jsonrpc": "2.0",\n\n  "method": "a\\nb"\n}\n')).toEqual([
      '{   "jsonrpc": "2.0",   "method": "a\\nb" }',
    ]);
  });

  test("splits an array into its messages, each with its own text", () => {
    const first = '{"jsonrpc":"2.0","method":"a","params":{"s":"],[\\"{","n":90071992547409931}}';
    const second = '{"jsonrpc":"2.0","id":[1][0]}'
      .replace("[1][0]", '"x"')
      .replace("}", ',"result":{}}');
    expect(texts(`[ ${first} ,${second}, 5, {"jsonrpc":"1.0"} ]`)).toEqual([first, second]);
    expect(parseMessages(`[${first},5,{"a":1}]`)?.strangers).toBe(2);
  });

  test("counts JSON that is no JSON-RPC, and gives nothing for what is no JSON", () => {
    expect(parseMessages('{"level":"info"}')).toEqual({ received: [], strangers: 1 });
    expect(parseMessages("[]")).toEqual({ received: [], strangers: 0 });
    expect(parseMessages('{"jsonrpc":"2.0","id":')).toBeUndefined();
    expect(parseMessages("*** ready ***")).toBeUndefined();
    expect(parseMessages("5")).toBeUndefined();
    expect(parseMessages("")).toBeUndefined();
  });

  test("survives nesting that no parser takes", () => {
    const deep = "[".repeat(500_000);
    expect(parseMessages(deep)).toBeUndefined();
    const nested = `{"jsonrpc":"2.0","method":"a","params":{"x":${deep}${"]".repeat(500_000)}}}`;
    const parsed = parseMessages(nested);
    expect(parsed === undefined || parsed.received.length === 1).toBe(true);
  });
});

describe("findAnsweredId()", () => {
  const long = "x".repeat(5000);
  const table: readonly (readonly [string, string, string | number | undefined])[] = [
    ["id before the result", `{"jsonrpc":"2.0","id":7,"result":{"t":"${long}"}}`, 7],
    ["id after the result", `{"result":{"t":"${long}"},"jsonrpc":"2.0","id":"a\\"b"}`, 'a"b'],
    ["id before jsonrpc at the end", `{"result":{"t":"${long}"},"id":-3,"jsonrpc":"2.0"}`, -3],
    ["no id of an inner object", `{"jsonrpc":"2.0","result":{"t":"${long}","id":5}}`, undefined],
    ["no id inside a text", `{"jsonrpc":"2.0","result":{"t":"${long}\\",\\"id\\":5}"}}`, undefined],
    [
      "no id of a request",
      `{"jsonrpc":"2.0","method":"m","id":7,"params":{"t":"${long}"}}`,
      undefined,
    ],
    ["an id in an event", `data: {"id":9,"jsonrpc":"2.0","result":{"t":"${long}"}}`, 9],
    ["no id of another member", `{"x":{"id":1},"result":{"t":"${long}"}}`, undefined],
  ];
  for (const [what, text, id] of table) {
    test(`finds ${what}`, () => {
      expect(findAnsweredId({ head: text.slice(0, 4096), tail: text.slice(-4096) })).toBe(id);
    });
  }
});

describe("isAnswerTo()", () => {
  test("tells numbers from strings, and answers from requests", () => {
    const answer = refusal(1, "no");
    expect([isAnswerTo(answer, 1), isAnswerTo(answer, "1")]).toEqual([true, false]);
    const message = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
    expect(isAnswerTo({ message, text: "" }, 1)).toBe(false);
  });
});
