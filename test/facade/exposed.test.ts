import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { ServerEntry } from "../../lib/config/server-entry.ts";
import { exposedNamesOf, renderView, selectUsed } from "../../lib/facade/exposed.ts";
import { VIEW_REVISION } from "../../lib/version.ts";
import { REVISION_TOOLS } from "../support/revision-tools.ts";

function entryOf(more: Partial<ServerEntry> = {}): ServerEntry {
  return {
    name: "acme",
    upstream: {
      kind: "stdio",
      command: "server",
      args: [],
      cwd: undefined,
      env: {},
      envFrom: undefined,
    },
    used: [],
    hidden: [],
    ttlMs: 1,
    timeoutMs: 1,
    connectTimeoutMs: 1,
    metaPrefix: "",
    validate: true,
    identity: "",
    secrets: [],
    ...more,
  };
}

const named = (...names: string[]) =>
  names.map((name) => ({ name, inputSchema: { type: "object" } }));

function namesFor(tools: readonly unknown[], more: Partial<ServerEntry>): string[] {
  const view: { tools: { name: string }[] } = JSON.parse(renderView(tools, entryOf(more)).text);
  return view.tools.map((tool) => tool.name);
}

describe("selectUsed()", () => {
  test("takes used tools in configured order, each once, whatever their case", () => {
    const tools = named("GetUser", "list_items", "Echo");
    expect(namesFor(tools, { used: ["echo", "GETUSER", "Echo"] })).toEqual([
      "echo",
      "getuser",
      "discover",
      "describe",
      "call",
    ]);
  });

  test("keeps two tools that differ only in case apart, also from a third one's spelling", () => {
    const selection = selectUsed(
      named("Case", "case", "CASE"),
      entryOf({ used: ["Case", "CASE"] }),
    );
    const names = exposedNamesOf(selection);
    expect([...names.values()]).toEqual(["Case", "CASE"]);
    expect(new Set(names.keys()).size).toBe(2);
    expect(names.has("case")).toBe(false);
  });

  test("says which used tools are not offered, and which cannot be shown", () => {
    const { notes } = selectUsed(
      named("GetUser", "Discover", "***"),
      entryOf({ used: ["GetUsr", "discover", "***"] }),
    );
    expect(notes).toEqual([
      'Cannot expose "GetUsr": the upstream does not offer it; the nearest are GetUser',
      'Cannot expose "Discover": a meta-tool has this name; it stays reachable through call, or set metaPrefix',
      'Cannot expose "***": its name has no character that model APIs allow',
    ]);
  });

  test("shows a tool called like a meta-tool when those are prefixed", () => {
    expect(namesFor(named("call"), { used: ["call"], metaPrefix: "acme_" })).toEqual([
      "call",
      "acme_discover",
      "acme_describe",
      "acme_call",
    ]);
  });

  test("leaves hidden tools out, also of the map of the catalog", () => {
    const tools = named("get_invoice", "list_invoices", "drop_database", "drop_table");
    const view = renderView(tools, entryOf({ used: ["drop_table"], hidden: ["drop_*"] }));
    expect(view.text).not.toContain("drop");
    expect(view.text).not.toContain("database");
    expect(view.notes).toEqual([
      'Cannot expose "drop_table": it is in "hidden", which goes before "used"',
    ]);
  });
});

describe("renderView()", () => {
  test("gives the same text for the same catalog and configuration", () => {
    const entry = entryOf({ used: REVISION_TOOLS.map((tool) => tool.name) });
    const again = JSON.parse(JSON.stringify(REVISION_TOOLS));
    expect(renderView(again, entry)).toEqual(renderView(REVISION_TOOLS, entry));
  });

  test("gives other texts only under another VIEW_REVISION", () => {
    /** Hash of the list for the tools of the fixture, by the revision that made it. */
    const hashes: Readonly<Record<number, string>> = { 1: "253308eb5df63d36" };
    const used = REVISION_TOOLS.map((tool) => tool.name);
    const { text } = renderView(REVISION_TOOLS, entryOf({ used, hidden: ["nothing"] }));
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const advice = hash === hashes[VIEW_REVISION] ? "same list" : "raise VIEW_REVISION";
    expect(`${advice}: revision ${VIEW_REVISION} gives ${hash}`).toBe(
      `same list: revision ${VIEW_REVISION} gives ${hash}`,
    );
  });
});
