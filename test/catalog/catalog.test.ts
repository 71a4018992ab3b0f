import { describe, expect, test } from "bun:test";
import { createCatalog } from "../../lib/catalog/catalog.ts";

const tools = ["GetUser", "list_items", "delete-item", "Case", "case", "ns.read", "acme"].map(
  (name) => ({ name }),
);

function find(name: string, hidden: string[] = []): string | undefined {
  return createCatalog({ server: "acme", tools, hidden }).find(name)?.name;
}

describe("createCatalog()", () => {
  test.each([
    ["GetUser", "GetUser"],
    ["getuser", "GetUser"],
    ["GETUSER", "GetUser"],
    [" GetUser ", "GetUser"],
    ["Case", "Case"],
    ["case", "case"],
    ["CASE", "Case"],
    ["mcp__acme__GetUser", "GetUser"],
    ["mcp__other_name__list_items", "list_items"],
    ["acme.getUser", "GetUser"],
    ["acme:getUser", "GetUser"],
    ["ACME__list_items", "list_items"],
    ["acme_list_items", "list_items"],
    ["functions.list_items", "list_items"],
    ["ns.read", "ns.read"],
    ["acme.ns.read", "ns.read"],
    ["acme", "acme"],
    ["nothing", undefined],
    ["__proto__", undefined],
    ["", undefined],
  ])("finds %p as %p", (name, expected) => {
    expect(find(name)).toBe(expected);
  });

  test("puts the exact spelling before an exposed name, and that before other cases", () => {
    const exposedNames = new Map([["case_2", "Case"]]);
    const catalog = createCatalog({ server: "acme", tools, hidden: [], exposedNames });
    expect([catalog.find("case_2"), catalog.find("CASE_2"), catalog.find("case")]).toEqual([
      { name: "Case" },
      { name: "Case" },
      { name: "case" },
    ]);
  });

  test.each(["GetUser", "getuser", "mcp__acme__GETUSER", "acme.GetUser"])(
    "does not find a hidden tool as %p",
    (name) => {
      expect(find(name, ["getUSER"])).toBeUndefined();
    },
  );

  test("takes * in hidden as any run of characters and the rest literally", () => {
    const left = createCatalog({ server: "acme", tools, hidden: ["*item*", "ns?read"] });
    expect(left.tools.map((tool) => tool.name)).toEqual([
      "GetUser",
      "Case",
      "case",
      "ns.read",
      "acme",
    ]);
  });

  test("does not offer another tool for the exact name of a hidden one", () => {
    const two = [{ name: "Case" }, { name: "case" }];
    // Globs disregard case, so both go.
    expect(
      createCatalog({ server: "acme", tools: two, hidden: ["Case"] }).find("case"),
    ).toBeUndefined();
  });

  test("keeps each name once and leaves odd elements out", () => {
    const odd = [null, 5, {}, { name: "" }, { name: 7 }, { name: "a", n: 1 }, { name: "a", n: 2 }];
    expect(createCatalog({ server: "acme", tools: odd, hidden: [] }).tools).toEqual([
      { name: "a", n: 1 },
    ]);
  });
});
