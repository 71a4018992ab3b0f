import { describe, expect, test } from "bun:test";
import { nearestNames } from "../../lib/search/nearest.ts";

const NAMES = ["create_issue", "close_issue", "getUser", "list-contacts", "deleteBranch", "search"];

describe("nearestNames()", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["creat_issue", ["create_issue"]],
    ["createIssue", ["create_issue"]],
    ["issue_create", ["create_issue"]],
    ["mcp__acme__get_user", ["getUser"]],
    ["list_contact", ["list-contacts"]],
    ["serach", ["search"]],
    ["branch", ["deleteBranch"]],
    ["reopen_issue", ["create_issue", "close_issue"]],
    ["qqqq", []],
    ["", []],
    ["___", []],
  ];
  for (const [name, nearest] of cases) {
    test(`${name || "nothing"} is nearest to ${nearest.join(", ") || "nothing"}`, () => {
      expect(nearestNames(name, NAMES)).toEqual(nearest);
    });
  }

  test("gives at most as many as wanted, the same every time", () => {
    const many = Array.from({ length: 500 }, (_, i) => `item_${i}`);
    expect(nearestNames("item_1x7", many, 2)).toEqual(["item_17", "item_107"]);
  });

  test("is done soon with endless names", () => {
    const long = "x".repeat(1_000_000);
    expect(nearestNames(long, [long, "getUser"])).toEqual([long]);
  });
});
