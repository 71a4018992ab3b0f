import { describe, expect, test } from "bun:test";
import { fetchCatalog } from "../../lib/catalog/fetch.ts";
import type { JsonObject } from "../../lib/json-rpc.ts";

interface Answer {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Fetches from an upstream that answers page after page; the last answer repeats. */
function fetchFrom(answers: Answer[], capabilities: JsonObject = { tools: {} }) {
  const cursors: unknown[] = [];
  const handshake = { protocolVersion: "2025-06-18", capabilities };
  const fetched = fetchCatalog({
    server: "acme",
    now: () => 5,
    upstream: {
      open: async () => handshake,
      async ask(_method, params) {
        const answer = answers[Math.min(cursors.length, answers.length - 1)] ?? {};
        cursors.push(params?.cursor);
        return { jsonrpc: "2.0", id: 1, ...answer };
      },
    },
  });
  return { fetched, cursors, handshake };
}

const page = (names: string[], nextCursor?: unknown): Answer => ({
  result: {
    tools: names.map((name) => ({ name })),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  },
});

const names = (tools: readonly unknown[]) => tools.map((tool) => (tool as { name: string }).name);

describe("fetchCatalog()", () => {
  test("takes all pages in order, each name once", async () => {
    const { fetched, cursors, handshake } = fetchFrom([
      page(["a", "b"], "c1"),
      page(["b", "c"], "c2"),
      page(["d"]),
    ]);
    const { tools, ...rest } = await fetched;
    expect(names(tools)).toEqual(["a", "b", "c", "d"]);
    expect(rest).toEqual({
      handshake,
      fetchedAtMs: 5,
      ttlHintMs: undefined,
      problem: undefined,
      notes: [],
    });
    expect(cursors).toEqual([undefined, "c1", "c2"]);
  });

  test.each([[""], [null], [7]])("ends at the cursor %p", async (cursor) => {
    const { fetched, cursors } = fetchFrom([page(["a"], cursor)]);
    expect([names((await fetched).tools), cursors.length]).toEqual([["a"], 1]);
  });

  test("stops at a repeated cursor and says that the list may be incomplete", async () => {
    const { fetched, cursors } = fetchFrom([page(["a"], "again")]);
    const { tools, problem } = await fetched;
    expect([names(tools), problem, cursors.length]).toEqual([["a"], "it repeats a page cursor", 2]);
  });

  test("stops after a hundred pages", async () => {
    const answers = Array.from({ length: 150 }, (_, n) => page([`t${n}`], `c${n}`));
    const { fetched, cursors } = fetchFrom(answers);
    expect([(await fetched).problem, cursors.length]).toEqual(["it has more than 100 pages", 100]);
  });

  test("takes the shortest hint of all pages for the time to live", async () => {
    const { fetched } = fetchFrom([
      { result: { ...page(["a"], "c").result, ttlMs: 900 } },
      { result: { ...page(["b"]).result, ttlMs: 300 } },
    ]);
    expect((await fetched).ttlHintMs).toBe(300);
  });

  test("leaves out what cannot be called and keeps the rest as it came", async () => {
    const odd = { name: "odd", inputSchema: 5, outputSchema: "x", annotations: [] };
    const { fetched } = fetchFrom([
      { result: { tools: [null, 5, [], {}, { name: 1 }, { name: "" }, odd] } },
    ]);
    expect((await fetched).tools).toEqual([odd]);
  });

  test("keeps a tool whose schema is too deep to be written down, without the schema", async () => {
    let deep: JsonObject = {};
    for (let n = 0; n < 20_000; n++) deep = { type: "object", properties: { p: deep } };
    const tools = [{ name: "deep", description: "Is deep.", inputSchema: deep }, { name: "flat" }];
    const { tools: kept, notes } = await fetchFrom([{ result: { tools } }]).fetched;
    expect(kept).toEqual([
      { name: "deep", description: "Is deep.", inputSchema: { type: "object" } },
      { name: "flat" },
    ]);
    expect(notes).toEqual([
      'Tool "deep" is nested deeper than 5000 levels: it takes any arguments',
    ]);
  });

  test("asks an upstream that declares no tools as well, and takes its word that it has none", async () => {
    const unknown = { error: { code: -32601, message: "Method not found" } };
    expect((await fetchFrom([unknown], { prompts: {} }).fetched).tools).toEqual([]);
    expect(names((await fetchFrom([page(["a"])], {}).fetched).tools)).toEqual(["a"]);
  });

  test.each<[string, Answer[], string]>([
    ["an empty list", [page([])], 'Cannot list the tools of "acme": it listed no tools'],
    [
      "a list of nothing that can be called",
      [{ result: { tools: [null] } }],
      'Cannot list the tools of "acme": it listed no tools',
    ],
    [
      "no list",
      [{ result: { tools: "x" } }],
      'Cannot list the tools of "acme": its answer holds no list of tools',
    ],
    [
      "an error on a later page",
      [page(["a"], "c"), { error: { code: -32603, message: "oops" } }],
      'Cannot list the tools of "acme": it answered error -32603 "oops"',
    ],
    [
      "no knowledge of the tools it declares",
      [{ error: { code: -32601, message: "Method not found" } }],
      'Cannot list the tools of "acme": it answered error -32601 "Method not found"',
    ],
  ])("refuses %s", async (_name, answers, message) => {
    const error = await fetchFrom(answers).fetched.catch((reason: unknown) => reason);
    expect(error instanceof Error && error.message).toBe(message);
  });
});
