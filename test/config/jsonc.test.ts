import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { JsoncError, parseJsonc } from "../../lib/config/jsonc.ts";
import { parseQuickly } from "../../lib/config/servers-file.ts";

/** The message of the refusal. */
function refusal(text: string): string {
  try {
    return `accepted: ${JSON.stringify(parseJsonc(text).value)}`;
  } catch (error) {
    if (error instanceof JsoncError) return error.message;
    throw error;
  }
}

function parseOrUndefined(parse: () => unknown): { value: unknown } | undefined {
  try {
    return { value: parse() };
  } catch {
    return undefined;
  }
}

const EXTRA = fc.constantFrom(
  "",
  " ",
  "\n",
  "\r\n\t",
  '// a comment, with "quotes": 1 and */\n',
  '/* one\n * "two": 2, // three\n */',
  "/**/",
  "//\r",
);
const TOKENS = fc.array(
  fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"b:\\""',
    "1",
    "-0.5e+3",
    "true",
    "null",
    "x",
  ),
  { maxLength: 12 },
);

/** JSON text with something between any two tokens, and a comma after the last member. */
function dress(value: unknown, extras: readonly string[]): string {
  let used = 0;
  const extra = (): string => extras[used++ % extras.length] ?? "";
  const write = (part: unknown): string => {
    if (Array.isArray(part)) {
      return `[${part.map((item) => extra() + write(item) + extra()).join(",")}${part.length > 0 ? `,${extra()}` : extra()}]`;
    }
    if (typeof part === "object" && part !== null) {
      const members = Object.entries(part).map(
        ([name, member]) =>
          `${extra() + JSON.stringify(name) + extra()}:${extra()}${write(member)}`,
      );
      return `{${members.join(`${extra()},`)}${members.length > 0 ? `${extra()},` : ""}${extra()}}`;
    }
    return JSON.stringify(part);
  };
  return extra() + write(value) + extra();
}

describe("parseJsonc()", () => {
  test("reads what JSON.stringify writes, with comments, trailing commas and a byte-order mark", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(EXTRA, { minLength: 1 }), (value, extras) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(parseJsonc(JSON.stringify(value, null, 2)).value).toEqual(plain);
        expect(parseJsonc(`\ufeff${dress(value, extras)}`).value).toEqual(plain);
      }),
    );
  });

  test("agrees with JSON.parse on texts without comments and trailing commas", () => {
    const hasTrailingComma = (text: string) => /,\s*[}\]]/.test(text);
    fc.assert(
      fc.property(TOKENS, (tokens) => {
        const text = tokens.join(" ");
        fc.pre(!hasTrailingComma(text));
        const strict = parseOrUndefined(() => JSON.parse(text));
        expect(parseOrUndefined(() => parseJsonc(text).value)).toEqual(strict);
      }),
      { numRuns: 1000 },
    );
  });

  test("tells members that are there twice, and keeps the last", () => {
    const text = '{"a": 1, "b": [{"c": 1, "c": 2}], "a": 3, "\\u0061": 4}';
    expect(parseJsonc(text)).toEqual({
      value: { a: 4, b: [{ c: 2 }] },
      duplicates: [["b", 0, "c"], ["a"], ["a"]],
    });
  });

  test("makes a member called __proto__ a member like any other", () => {
    const { value } = parseJsonc(
      '{"__proto__": {"polluted": true}, "x": 1 /* so that it is read here */}',
    );
    expect(Object.keys(Object(value))).toEqual(["__proto__", "x"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("reads strings of megabytes", () => {
    const long = "x\\n".repeat(1_000_000);
    expect(parseJsonc(`{"a": "${long}",}`).value).toEqual({ a: "x\n".repeat(1_000_000) });
  });

  test.each([
    ["", "line 1, column 1: found the end of the file, wanted a value"],
    ['{"acme": {"upstream":', "line 1, column 22: found the end of the file, wanted a value"],
    ['{"a": 1\n "b": 2}', 'line 2, column 2: found `"`, wanted "," or "}"'],
    ["[1 2]", 'line 1, column 4: found "2", wanted "," or "]"'],
    ["{acme: 1}", 'line 1, column 2: found "a", wanted a name in double quotes or "}"'],
    ["{'acme': 1}", 'line 1, column 2: found "\'", wanted a name in double quotes or "}"'],
    ['{"a" 1}', 'line 1, column 6: found "1", wanted ":"'],
    ['{"a": 1}}', 'line 1, column 9: found "}", wanted the end of the file'],
    ["[,]", 'line 1, column 2: found ",", wanted a value'],
    ["{,}", 'line 1, column 2: found ",", wanted a name in double quotes or "}"'],
    ["[1,,]", 'line 1, column 4: found ",", wanted a value'],
    ["[01]", 'line 1, column 2: found "0", wanted a value'],
    ["[1.]", 'line 1, column 2: found "1", wanted a value'],
    ["[trueish]", 'line 1, column 2: found "t", wanted a value'],
    ["[NaN]", 'line 1, column 2: found "N", wanted a value'],
    [
      '{\r\n  "a": "b\r\n}',
      'line 2, column 10: found the end of the line, wanted the closing quote `"` on the same line',
    ],
    ['["a\\x"]', 'line 1, column 4: found "\\", wanted a known escape such as \\n or \\\\'],
    [
      '["a\tb"]',
      'line 1, column 4: found a control character, wanted the closing quote `"` on the same line',
    ],
    [
      "{} /* open",
      'line 1, column 11: found the end of the file, wanted "*/" that closes the comment',
    ],
    ["\ufeff\n😀", 'line 2, column 1: found "😀", wanted a value'],
    ["[".repeat(300), 'line 1, column 201: found "[", wanted at most 200 levels'],
  ])("refuses %j", (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  test("shows one sign of the text at most, as a longer piece could be a secret", () => {
    expect(refusal('{"headers": tok-planted-secret}')).not.toContain("tok-");
  });
});

describe("parseQuickly()", () => {
  test("gives the value of parseJsonc(), or nothing when there is something to tell", () => {
    const text = fc.oneof(
      fc
        .tuple(fc.jsonValue(), fc.array(EXTRA, { minLength: 1 }))
        .map(([value, extras]) => dress(value, extras)),
      fc
        .tuple(TOKENS, fc.array(EXTRA, { minLength: 1 }))
        .map(([tokens, extras]) =>
          tokens.map((token, index) => token + (extras[index % extras.length] ?? "")).join(""),
        ),
    );
    fc.assert(
      fc.property(text, (written) => {
        const quick = parseQuickly(written);
        const exact = parseOrUndefined(() => parseJsonc(written)) as
          | { value: ReturnType<typeof parseJsonc> }
          | undefined;
        if (quick === undefined) return;
        expect(exact?.value).toEqual({ value: quick.value, duplicates: [] });
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['{"a": {"b": "c: \\"d\\": 1"}, "e": [1, {"f": null}]}', true],
    ['{"a": 1, // "a": 2\n "b": "//", /* "b": 3 */ "c": ["]",],}', true],
    ['\ufeff{"a": 1}', true],
    ['{"a": 1, "a": 2}', false],
    ['{"a": 1, "\\u0061": 2}', false],
    ['{"a": 1, /* again */ "a": 2,}', false],
    ['{"a": {"b": 1, "b": 1}}', false],
    ['{"a": ', false],
    ["[,]", false],
  ])("takes %j: %p", (text, taken) => {
    expect(parseQuickly(text) !== undefined).toBe(taken);
  });

  test("takes levels beyond what parseJsonc() follows: no configuration has them", () => {
    const deep = "[".repeat(3000) + "]".repeat(3000);
    expect(Array.isArray(parseQuickly(deep)?.value)).toBe(true);
    expect(refusal(deep)).toBe('line 1, column 201: found "[", wanted at most 200 levels');
  });
});
