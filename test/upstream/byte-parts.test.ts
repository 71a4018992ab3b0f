import { describe, expect, test } from "bun:test";
import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { areUtf8, bytesBetween, findAll, includes, sizeOf } from "../../lib/upstream/byte-parts.ts";

/** The bytes cut at positions that fast-check has chosen. */
function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "漢", "😀"), maxLength: 20 });

describe("byte parts", () => {
  test("have the size of the whole", () => {
    expect([sizeOf([]), sizeOf([new Uint8Array(2), new Uint8Array(0), new Uint8Array(3)])]).toEqual(
      [0, 5],
    );
  });

  test("give the bytes between two places", () => {
    fc.assert(
      fc.property(fc.uint8Array(), cuts, fc.nat(40), fc.nat(40), (bytes, places, start, length) => {
        const found = bytesBetween(split(bytes, places), start, start + length);
        expect([...found]).toEqual([...bytes.subarray(start, start + length)]);
      }),
    );
  });

  test("are searched as if they were one", () => {
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, pattern, cuts, (whole, wanted, places) => {
        const bytes = Buffer.from(whole);
        const expected: number[] = [];
        for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
          expected.push(at);
        }
        const parts = split(bytes, places);
        expect([...findAll(parts, wanted)]).toEqual(expected);
        expect(includes(parts, wanted)).toBe(expected.length > 0);
      }),
      { numRuns: 1000 },
    );
  });

  test("are UTF-8 when the whole is", () => {
    const bytes = fc.oneof(
      text.map((whole) => new Uint8Array(Buffer.from(whole))),
      fc.uint8Array({ maxLength: 10 }),
      fc.tuple(text, fc.nat(), fc.integer({ min: 0x80, max: 0xff })).map(([whole, at, byte]) => {
        const broken = new Uint8Array(Buffer.from(whole));
        if (broken.length > 0) broken[at % broken.length] = byte;
        return broken;
      }),
    );
    fc.assert(
      fc.property(bytes, cuts, (whole, places) => {
        expect(areUtf8(split(whole, places))).toBe(isUtf8(whole));
      }),
      { numRuns: 3000 },
    );
  });
});
