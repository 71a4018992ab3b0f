import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseQuickStart, startKeyOf } from "../../lib/catalog/start.ts";
import { createCatalogStore } from "../../lib/catalog/store.ts";
import { createWorkspace } from "../support/workspace.ts";

const NOW = 1_700_000_000_000;
const CONFIG = `{"acme": {"upstream": {"url": "https://example.com/\${API_PATH}/\${PORT:-80}"}}}`;
const HANDSHAKE = { protocolVersion: "2025-06-18", capabilities: { tools: {} } };
const VIEW = { key: "k", text: '{"tools":[{"name":"a"}]}', notes: ["a note"] };

/** The text of a catalog file, an hour old. */
function saveCatalog(
  snapshot: { readonly fetchedAtMs?: number; readonly ttlHintMs?: number } = {},
) {
  using workspace = createWorkspace();
  const store = createCatalogStore({
    folder: workspace.folder,
    server: "acme",
    redactJson: (text) => text,
    start: { key: startKeyOf(CONFIG, "1"), metaPrefix: "acme_", ttlMs: 7_200_000 },
  });
  store.save(
    { identity: "one", hostCapabilities: { roots: {} } },
    {
      fetchedAtMs: NOW - 3_600_000,
      handshake: HANDSHAKE,
      tools: [{ name: "A" }],
      ttlHintMs: undefined,
      ...snapshot,
    },
    VIEW,
  );
  return readFileSync(store.file, "utf8");
}

const GOOD = {
  catalogText: saveCatalog(),
  configText: CONFIG,
  programRevision: "1",
  environment: { API_PATH: "v1" },
  nowMs: NOW,
};

describe("parseQuickStart()", () => {
  test("gives what a host is told first", () => {
    const { isFresh, ...start } = parseQuickStart(GOOD) ?? { isFresh: () => false };
    expect(start).toEqual({
      metaPrefix: "acme_",
      handshake: HANDSHAKE,
      hostCapabilities: '{"roots":{}}',
      viewText: VIEW.text,
      notes: ["a note"],
    });
    expect([isFresh(NOW), isFresh(NOW + 3_600_000), isFresh(NOW - 3_600_001)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("counts an empty variable as set, and one with a default as not needed", () => {
    expect(parseQuickStart({ ...GOOD, environment: { API_PATH: "" } })).toBeDefined();
  });

  test.each<[string, Partial<typeof GOOD>]>([
    ["another configuration", { configText: `${CONFIG} ` }],
    ["another program", { programRevision: "2" }],
    ["a variable that is not set", { environment: { API_PATH: undefined as unknown as string } }],
    ["a catalog that is too old", { nowMs: NOW + 3_600_000 }],
    ["a catalog from the future", { nowMs: NOW - 3_600_001 }],
    ["a catalog past the upstream's own hint", { catalogText: saveCatalog({ ttlHintMs: 1000 }) }],
    ["an edited catalog", { catalogText: GOOD.catalogText.replace('"name":"a"', '"name":"b"') }],
    ["another layout", { catalogText: JSON.stringify(JSON.parse(GOOD.catalogText)) }],
    ["another format", { catalogText: GOOD.catalogText.replace('"format":1', '"format":2') }],
    ["a head that is cut off", { catalogText: `{"format"\n\n` }],
    ["nothing", { catalogText: "" }],
  ])("gives nothing for %s", (_what, change) => {
    expect(parseQuickStart({ ...GOOD, ...change })).toBeUndefined();
  });

  test("gives nothing for a catalog that was saved without a configuration", () => {
    using workspace = createWorkspace();
    const place = { folder: workspace.folder, server: "acme", redactJson: (text: string) => text };
    const store = createCatalogStore(place);
    const snapshot = { fetchedAtMs: NOW, handshake: HANDSHAKE, tools: [{ name: "A" }] };
    store.save(
      { identity: "one", hostCapabilities: {} },
      { ...snapshot, ttlHintMs: undefined },
      VIEW,
    );
    const catalogText = readFileSync(store.file, "utf8");
    expect(parseQuickStart({ ...GOOD, catalogText })).toBeUndefined();
  });
});
