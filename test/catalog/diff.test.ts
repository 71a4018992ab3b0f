import { describe, expect, test } from "bun:test";
import { diffTools, renderDiff } from "../../lib/catalog/diff.ts";

describe("diffTools()", () => {
  test("names what was added, removed and changed; the order of members is no change", () => {
    const before = [{ name: "a", x: 1, y: 2 }, { name: "b" }, { name: "c", d: [1] }, null];
    const after = [{ name: "a", y: 2, x: 1 }, { name: "c", d: [2] }, { name: "e" }, 5];
    expect(diffTools(before, after)).toEqual({ added: ["e"], removed: ["b"], changed: ["c"] });
  });
});

describe("renderDiff()", () => {
  test.each([
    [{ added: [], removed: [], changed: [] }, undefined],
    [{ added: ["a", "b"], removed: [], changed: ["c"] }, "added a, b; changed c"],
    [{ added: [], removed: ["1", "2", "3"], changed: [] }, "removed 1, 2 and 1 more"],
  ])("renders %p as %p", (diff, expected) => {
    expect(renderDiff(diff, 2)).toBe(expected);
  });
});
