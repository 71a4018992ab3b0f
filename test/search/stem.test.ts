import { describe, expect, test } from "bun:test";
import { stem } from "../../lib/search/stem.ts";

describe("stem()", () => {
  const families: readonly (readonly string[])[] = [
    ["create", "creates", "created", "creating", "creation"],
    ["delete", "deletes", "deleted", "deleting", "deletion"],
    ["query", "queries"],
    ["branch", "branches"],
    ["deploy", "deploys", "deployed", "deployment"],
    ["notify", "notifies", "notification", "notifications"],
    ["cancel", "cancelled", "canceled", "cancelling"],
    ["organize", "organise", "organising", "organisation", "organization"],
    ["color", "colour", "colours"],
    ["center", "centre"],
    ["catalog", "catalogue"],
    ["analyze", "analyse", "analysis", "analytics"],
    ["vm", "vms"],
    ["status", "statuses"],
    ["address", "addresses"],
  ];
  for (const [base = "", ...others] of families) {
    test(`brings ${others.join(", ")} to ${base}`, () => {
      expect(others.map(stem)).toEqual(others.map(() => stem(base)));
    });
  }

  test("keeps apart what only looks alike", () => {
    expect(stem("execute")).not.toBe(stem("executives"));
    expect(stem("user")).not.toBe(stem("use"));
    expect(stem("news")).not.toBe(stem("new"));
  });

  test("leaves numbers, other scripts and short words alone", () => {
    const words = ["s3", "v2", "naïve", "файлы", "削除", "gas", "x".repeat(60)];
    expect(words.map(stem)).toEqual(words);
  });
});
