import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Tool } from "../../lib/catalog/catalog.ts";
import { createSearchIndex } from "../../lib/search/rank.ts";
import { CATALOGS, LABELLED } from "./labelled.ts";

function tool(name: string, description?: unknown, inputSchema?: unknown): Tool {
  return { name, description, inputSchema };
}

function names(tools: readonly Tool[], query: string, limit = 10): string[] {
  return createSearchIndex(tools)
    .search(query, limit)
    .map((hit) => hit.tool.name);
}

describe("createSearchIndex()", () => {
  const indexes = new Map(
    Object.entries(CATALOGS).map(([name, tools]) => [name, createSearchIndex(tools)]),
  );
  const placeOf = ({ catalog, query, relevant }: (typeof LABELLED)[number]): number => {
    const hits = indexes.get(catalog)?.search(query, 10) ?? [];
    return hits.findIndex((hit) => relevant.includes(hit.tool.name));
  };

  test("finds every labelled tool among the first five", () => {
    const missed = LABELLED.filter((labelled) => {
      const place = placeOf(labelled);
      return place < 0 || place > 4;
    });
    expect(missed).toEqual([]);
  });

  test("puts the labelled tool first for 19 of 20 requests", () => {
    const first = LABELLED.filter((labelled) => placeOf(labelled) === 0);
    expect(first.length / LABELLED.length).toBeGreaterThanOrEqual(0.95);
  });
});

describe("search()", () => {
  test("puts the tool of exactly that name first, however it is spelt", () => {
    const tools = [
      tool("search_all_users", "Search users. Search, search, search."),
      tool("search_users", "Search for users by name."),
      tool("search"),
      tool("user_search_index", "search"),
    ];
    expect(names(tools, "search")[0]).toBe("search");
    for (const spelling of ["search_users", "searchUsers", "SEARCH_USERS", "Search Users"]) {
      expect(names(tools, spelling)[0]).toBe("search_users");
    }
    expect(names(tools, "please call search_users with a name")[0]).toBe("search_users");
  });

  test("never lets a misspelt word push an exact one down", () => {
    const tools = [
      tool("list_comments", "Lists comments."),
      tool("list_commits", "Lists commits."),
      tool("commit", "Makes a commit of all changes."),
    ];
    expect(names(tools, "list commits")[0]).toBe("list_commits");
    expect(names(tools, "list comments")[0]).toBe("list_comments");
    expect(names(tools, "list comits")[0]).toBe("list_commits");
  });

  test("counts what a word and its synonyms find once", () => {
    const tools = [
      tool("erase_all", "Deletes, removes, erases, destroys, drops and wipes everything."),
      tool("delete_user", "Deletes a user."),
    ];
    expect(names(tools, "remove a user")[0]).toBe("delete_user");
  });

  test("answers a wish to look with a tool that looks", () => {
    const tools = [
      tool("order_create", "Creates an order."),
      tool("order_delete", "Deletes an order."),
      tool("order_get", "Returns an order."),
    ];
    expect(names(tools, "What is in my order?")[0]).toBe("order_get");
    expect(names(tools, "how can I remove an order")[0]).toBe("order_delete");
  });

  test("knows the servers of an aggregate by the names' first part", () => {
    const tools = ["github", "gitlab", "linear", "jira"].flatMap((server) => [
      tool(`${server}__create_issue`, "Creates an issue."),
      tool(`${server}__list_issues`, "Lists issues."),
    ]);
    expect(names(tools, "create issue in linear", 1)).toEqual(["linear__create_issue"]);
    expect(names(tools, "jira list of issues", 1)).toEqual(["jira__list_issues"]);
  });

  test("reads Chinese, Japanese and Thai texts of tools", () => {
    const tools = [
      tool("a1", "查询两个城市之间的火车票"),
      tool("a2", "カレンダーに予定を追加します"),
      tool("a3", "ค้นหาร้านอาหารใกล้เคียง"),
    ];
    expect(names(tools, "火车票", 1)).toEqual(["a1"]);
    expect(names(tools, "予定を追加", 1)).toEqual(["a2"]);
    expect(names(tools, "ร้านอาหาร", 1)).toEqual(["a3"]);
  });

  test("offers what searches for a question that no tool speaks of, and says it is weak", () => {
    const tools = [tool("search_web", "Finds pages."), tool("send_mail", "Sends a mail.")];
    const hits = createSearchIndex(tools).search("Who was Ada Lovelace?", 5);
    expect(hits.map((hit) => [hit.tool.name, hit.strong])).toEqual([["search_web", false]]);
  });

  test("finds nothing where there is nothing", () => {
    expect(names([tool("get_user", "Gets a user.")], "qqqq")).toEqual([]);
    expect(names([tool("get_user")], " -- ?! ")).toEqual([]);
    expect(names([], "user")).toEqual([]);
    expect(names([tool("get_user")], "user", 0)).toEqual([]);
  });

  test("calls hits strong that are near the best and explain the request", () => {
    const tools = [
      tool("create_issue", "Creates an issue."),
      tool("list_labels", "Lists labels that an issue may have."),
    ];
    const index = createSearchIndex(tools);
    const strengths = (query: string) => index.search(query, 5).map((hit) => hit.strong);
    expect(strengths("create an issue")).toEqual([true, false]);
    expect(strengths("photosynthesis of rain forest issue")).toEqual([false, false]);
  });
});

describe("search() over odd tools", () => {
  const recursive: Record<string, unknown> = { type: "object", description: "a tree of nodes" };
  recursive.properties = { child: recursive };
  const odd: readonly Tool[] = [
    tool("a", 5, null),
    tool("b", null, []),
    tool("c", undefined, "text"),
    tool("d", "Grows.", recursive),
    tool("e", "Has an enum.", {
      properties: { e: { enum: Array.from({ length: 100_000 }, (_, i) => `value${i}`) } },
    }),
    tool("f", "word ".repeat(8_000)),
    tool("g", "x".repeat(40_000)),
    tool("constructor", "hasOwnProperty toString", {
      properties: JSON.parse('{"__proto__": {"description": "polluted"}, "toString": {}}'),
    }),
    tool("h", "do not use ".repeat(3_000)),
    tool("\u{1f600}", `${"a".repeat(20)}\ud800`),
    { name: "i", title: {}, annotations: { title: 7 } },
  ];

  test("reads all of them and finds each by what it has", () => {
    const index = createSearchIndex(odd);
    const first = (query: string) => index.search(query, 1)[0]?.tool.name;
    expect(first("tree of nodes")).toBe("d");
    expect(first("value3")).toBe("e");
    expect(first("constructor")).toBe("constructor");
    expect(first("__proto__")).toBe("constructor");
    expect(first("polluted")).toBe("constructor");
  });

  test("takes any request, gives each tool once, best first, within the limit", () => {
    const index = createSearchIndex([...CATALOGS.office, ...odd]);
    const word = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("file", "send", "__proto__", "constructor", "メール", '"', "'", "ß"),
    );
    const request = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(request, fc.nat({ max: 20 }), (query, limit) => {
        const hits = index.search(query, limit);
        expect(hits.length).toBeLessThanOrEqual(limit);
        expect(new Set(hits.map((hit) => hit.tool)).size).toBe(hits.length);
        const scores = hits.map((hit) => hit.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(index.search(query, limit)).toEqual(hits);
      }),
    );
  });

  test("takes a request of a megabyte", () => {
    expect(names(CATALOGS.office, "mail ".repeat(200_000), 1)).not.toEqual([]);
    expect(names(CATALOGS.office, "x".repeat(1_000_000), 1)).toEqual([]);
  });
});
