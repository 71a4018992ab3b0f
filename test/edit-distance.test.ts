import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editDistance } from "../lib/edit-distance.ts";

describe("editDistance()", () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ["search", "search", 0],
    ["serach", "search", 1],
    ["comits", "commits", 1],
    ["requst", "request", 1],
    ["weahter", "weather", 1],
    ["abc", "", 3],
    ["kitten", "sitting", 3],
  ];
  for (const [a, b, distance] of cases) {
    test(`${a} and ${b || "nothing"} are ${distance} apart`, () => {
      expect(editDistance(a, b, 5)).toBe(distance);
    });
  }

  test("is the same both ways and never above the limit by more than one", () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.nat({ max: 4 }), (a, b, limit) => {
        const distance = editDistance(a, b, limit);
        expect(distance).toBe(editDistance(b, a, limit));
        expect(distance).toBeLessThanOrEqual(limit + 1);
        expect(distance === 0).toBe(a === b);
      }),
    );
  });
});
