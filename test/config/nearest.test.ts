import { describe, expect, test } from "bun:test";
import { findNearest } from "../../lib/config/nearest.ts";

const KNOWN = ["upstream", "used", "hidden", "ttl", "timeout", "connectTimeout", "validate"];

describe("findNearest()", () => {
  test.each([
    ["usde", "used"],
    ["use", "used"],
    ["Used", "used"],
    ["TTL", "ttl"],
    ["ttll", "ttl"],
    ["upstrem", "upstream"],
    ["conectTimeout", "connectTimeout"],
    ["timeuot", "timeout"],
    ["validation", "validate"],
    ["xyz", undefined],
    ["", undefined],
    ["headers", undefined],
  ])("%p: %p", (word, nearest) => {
    expect(findNearest(word, KNOWN)).toBe(nearest);
  });

  test("prefers the closer one, then the first", () => {
    expect(findNearest("acme", ["acmes", "acme", "acm"])).toBe("acme");
    expect(findNearest("abc", ["abd", "abe"])).toBe("abd");
  });
});
