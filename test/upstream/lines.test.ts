import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLineReader } from "../../lib/upstream/lines.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function readLines(chunks: readonly Uint8Array[], maxBytes = 1000) {
  const lines: string[] = [];
  const oversized: { head: string; tail: string; sizeBytes: number }[] = [];
  const reader = createLineReader({
    maxBytes,
    onLine: (line) => lines.push(line),
    onOversized: (line) => oversized.push(line),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { lines, oversized };
}

/** The bytes cut at positions that fast-check has chosen. */
function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

describe("createLineReader()", () => {
  test("gives the same lines whatever the chunks", () => {
    const line = fc
      .string({ unit: "binary", maxLength: 30 })
      .map((text) => text.replace(/[\r\n]/g, "é漢😀"));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), fc.boolean(), (lines, cuts, isCrLf) => {
        const wellFormed = lines.map((one) => one.toWellFormed().replace(/^\ufeff/, ""));
        const bytes = encode(wellFormed.map((one) => `${one}${isCrLf ? "\r\n" : "\n"}`).join(""));
        expect(readLines(split(bytes, cuts)).lines).toEqual(wellFormed);
      }),
    );
  });

  test("takes what is left at the end as a line", () => {
    expect(readLines([encode("one\ntw"), encode("o")]).lines).toEqual(["one", "two"]);
  });

  test("drops a byte-order mark", () => {
    expect(readLines([encode("\ufeff{}\n")]).lines).toEqual(["{}"]);
  });

  test("drops a line over the limit, keeps its ends and goes on", () => {
    const chunks = ["a\n01234", "56789", "abcdef\nb\n"].map(encode);
    expect(readLines(chunks, 10)).toEqual({
      lines: ["a", "b"],
      oversized: [{ head: "0123456789abcdef", tail: "0123456789abcdef", sizeBytes: 16 }],
    });
  });

  test("keeps 4 KB of either end of a dropped line", () => {
    const line = `<${"x".repeat(20_000)}>`;
    const { oversized } = readLines(split(encode(`${line}\n`), [1, 5, 9000, 19_999]), 10_000);
    expect(oversized).toEqual([
      { head: line.slice(0, 4096), tail: line.slice(-4096), sizeBytes: line.length },
    ]);
  });
});
