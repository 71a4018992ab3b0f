import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Tool } from "../../lib/catalog/catalog.ts";
import { renderDiscovery } from "../../lib/facade/discover.ts";
import { createSearchIndex, type SearchIndex } from "../../lib/search/rank.ts";

function discover(tools: readonly Tool[], query?: string, limit?: number): string {
  return renderDiscovery({ tools, index: () => createSearchIndex(tools), query, limit });
}

const NO_INDEX = (): SearchIndex => {
  throw new Error("no index is needed");
};

const ISSUE_TOOLS: readonly Tool[] = [
  {
    name: "createIssue",
    description: "Creates an issue. Needs the right to write.",
    inputSchema: {
      type: "object",
      properties: {
        labels: { type: "array", items: { type: "string" } },
        title: { type: "string" },
        state: { enum: ["open", "closed"] },
      },
      required: ["title"],
    },
  },
  { name: "close_issue", description: "Closes an issue.", inputSchema: { type: "object" } },
  { name: "list_issues", description: "Lists issues.", inputSchema: { type: "object" } },
  { name: "add_issue_comment", description: "Comments on an issue." },
  { name: "get_weather", description: "Forecast for a place." },
];

describe("renderDiscovery()", () => {
  test("shows strong hits as signatures, the rest as names in one closing line", () => {
    expect(discover(ISSUE_TOOLS, "create issue")).toBe(
      [
        "4 of 5 tools, best first:",
        'createIssue(title: string, labels?: string[], state?: "open" | "closed") - Creates an issue.',
        "add_issue_comment() - Comments on an issue.",
        "close_issue() - Closes an issue.",
        "Also: list_issues",
      ].join("\n"),
    );
  });

  test("tells when no hit is a sure match", () => {
    expect(
      discover(ISSUE_TOOLS, "chlorophyll and photosynthesis of jungle ferns by position"),
    ).toBe(
      [
        "1 of 5 tools, best first. No sure match: try other words, or an empty query to list all names.",
        "get_weather() - Forecast for a place.",
      ].join("\n"),
    );
  });

  test("says that nothing matched, what is nearest or there, and what to do", () => {
    const end = "Try other words, or an empty query to list all names.";
    const here = "Here are 5 tools: issue 4, weather.";
    expect(discover(ISSUE_TOOLS, "qqqq")).toBe(`No tool matches "qqqq". ${here} ${end}`);
    expect(discover(ISSUE_TOOLS, "gt_wxxthxr")).toBe(
      `No tool matches "gt_wxxthxr". Closest names: get_weather. ${here} ${end}`,
    );
    expect(discover(ISSUE_TOOLS, "q".repeat(500))).toBe(
      `No tool matches "${"q".repeat(60)}…". ${here} ${end}`,
    );
  });

  test("lists every name without a query, and builds no index for it", () => {
    const all = [
      "5 tools, all names. Search with a few words to see how to call them.",
      ...ISSUE_TOOLS.map((tool) => tool.name),
    ].join("\n");
    for (const query of [undefined, "", "  ", "*", "\u200b"]) {
      const options = { tools: ISSUE_TOOLS, index: NO_INDEX, query, limit: 1 };
      expect(renderDiscovery(options)).toBe(all);
    }
    const none = { tools: [], index: NO_INDEX, query: "issue", limit: undefined };
    expect(renderDiscovery(none)).toBe("This server offers no tools.");
  });

  test("lists the names that fit a pattern", () => {
    const listed = (query: string) => discover(ISSUE_TOOLS, query).split("\n").slice(1);
    expect(discover(ISSUE_TOOLS, "*issue").split("\n")[0]).toBe(
      "2 of 5 tools fit *issue, all names. Search with a few words to see how to call them.",
    );
    expect(listed("*issue")).toEqual(["createIssue", "close_issue"]);
    expect(listed("*_ISSUE*")).toEqual(["close_issue", "list_issues", "add_issue_comment"]);
    expect(listed("l*s")).toEqual(["list_issues"]);
    expect(discover(ISSUE_TOOLS, "create * issue")).toStartWith("4 of 5 tools, best first");
  });

  const many = Array.from({ length: 60 }, (_, i) => ({ name: `item_${i}`, description: "Item." }));
  const limits: readonly (readonly [unknown, number])[] = [
    [undefined, 10],
    [3, 3],
    ["4", 4],
    [" 5 ", 5],
    [2.9, 2],
    [0, 1],
    [-3, 1],
    [1000, 50],
    ["many", 10],
    [Number.NaN, 10],
    [null, 10],
    [{}, 10],
  ];
  for (const [limit, shown] of limits) {
    test(`takes the limit ${JSON.stringify(limit)} as ${shown}`, () => {
      const text = discover(many, "item", limit as number | undefined);
      expect(text).toStartWith(`${shown} of 60 tools, best first`);
      expect(new Set(text.match(/item_\d+/g)).size).toBe(shown);
    });
  }

  test("keeps every hit on one visible line of at most 200 characters, whatever the tool", () => {
    const text = fc.string({ unit: "binary", maxLength: 400 });
    const tools = fc.array(
      fc.record({
        name: fc.string({ unit: "binary", minLength: 1, maxLength: 60 }).map((s) => `issue_${s}`),
        description: fc.oneof(text, fc.constant(undefined), fc.constant(7)),
        inputSchema: fc.record({
          properties: fc.dictionary(fc.string({ maxLength: 40 }), fc.record({ type: text })),
        }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(tools, (list) => {
        const lines = discover(list as unknown as Tool[], "issue").split("\n");
        expect(lines.length).toBeLessThanOrEqual(list.length + 1);
        for (const line of lines.slice(1)) {
          if (!line.startsWith("Also: ")) expect(line.length).toBeLessThanOrEqual(200);
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
        }
      }),
    );
  });
});
