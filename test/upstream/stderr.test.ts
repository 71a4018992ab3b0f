import { describe, expect, test } from "bun:test";
import { createStderrReader, type StderrLimits } from "../../lib/upstream/stderr.ts";

function read(
  texts: readonly string[],
  options: { limits?: Partial<StderrLimits>; times?: number[] } = {},
) {
  const lines: string[] = [];
  const times = options.times ?? [];
  const reader = createStderrReader({
    log: { line: (text) => lines.push(text) },
    limits: { lineLength: 60, burstLines: 100, linesPerSecond: 1, ...options.limits },
    now: () => times.shift() ?? 0,
    redact: (text) => text.replaceAll("s3cret-token", "[secret]"),
  });
  for (const text of texts) reader.push(new TextEncoder().encode(text));
  reader.end();
  return { lines, lastWords: reader.lastWords() };
}

describe("createStderrReader()", () => {
  test("tells every line that says something, without escapes", () => {
    const { lines } = read(["\u001b[31mred\u001b[0m\n\n  \r\nhalf", " line\n10%\r50%\r100%\nlast"]);
    expect(lines).toEqual(["red", "half line", "100%", "last"]);
  });

  test("takes secrets out before it cuts a line", () => {
    const { lines } = read([`${"x".repeat(55)} s3cret-token\n`]);
    expect(lines).toEqual([`${"x".repeat(55)} [sec...`]);
  });

  test("cuts a line of any length", () => {
    const { lines } = read(["x".repeat(100_000), "\nnext\n"]);
    expect(lines).toEqual([`${"x".repeat(60)}...`, "next"]);
  });

  test("leaves lines out beyond the burst, and counts them", () => {
    const flood = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join("");
    const { lines } = read([flood], { limits: { burstLines: 3 } });
    expect(lines).toEqual(["line 0", "line 1", "line 2", "lines of its stderr left out: 997"]);
  });

  test("tells lines again after a while", () => {
    const times = [0, 0, 0, 0, 2000, 2000, 2000];
    const texts = ["1\n2\n3\n", "4\n5\n6\n"];
    const { lines } = read(texts, { limits: { burstLines: 2 }, times });
    expect(lines).toEqual([
      "1",
      "2",
      "lines of its stderr left out: 1",
      "4",
      "5",
      "lines of its stderr left out: 1",
    ]);
  });

  const lastWords: readonly (readonly [string, string, string | undefined])[] = [
    ["nothing", "\n \n", undefined],
    ["the last line", "starting\nboom: licence missing\n\n", "boom: licence missing"],
    [
      "the message of Node",
      "file:///a.js:1\nthrow new Error('x')\n      ^\n\nError: no database\n    at a (b.js:1:2)\n    at c\n\nNode.js v22.1.0\n",
      "Error: no database",
    ],
    [
      "the message of Python",
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: no database\n',
      "ValueError: no database",
    ],
  ];
  for (const [what, text, words] of lastWords) {
    test(`remembers ${what}`, () => {
      expect(read([text], { limits: { burstLines: 0 } }).lastWords).toBe(words);
    });
  }
});
