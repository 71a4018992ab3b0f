import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Snapshot } from "../../lib/catalog/catalog.ts";
import { type CatalogKey, createCatalogStore, type StoredView } from "../../lib/catalog/store.ts";
import { createWorkspace } from "../support/workspace.ts";

const KEY: CatalogKey = { identity: "one", hostCapabilities: { roots: {}, sampling: {} } };
const NOW = 1_700_000_000_000;
const SNAPSHOT: Snapshot = {
  fetchedAtMs: NOW - 1000,
  handshake: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, extra: "kept" },
  tools: [{ name: "GetUser", odd: { __proto__: 1, "x\ny": "line\nbreak" } }, null, 5],
  ttlHintMs: 5000,
};
const VIEW: StoredView = { key: "k", text: '{"tools":[{"name":"getuser"}]}', notes: ["a note"] };

function open(folder: string, redactJson = (text: string) => text) {
  return createCatalogStore({ folder: join(folder, "catalogs"), server: "acme", redactJson });
}

describe("createCatalogStore()", () => {
  test("gives back what was saved", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    const loaded = store.load(KEY, NOW);
    if ("kind" in loaded) throw new Error(loaded.reason);
    const { fetchedAtMs, handshake, ttlHintMs, view } = loaded;
    expect({ fetchedAtMs, handshake, ttlHintMs, view, tools: loaded.tools() }).toEqual({
      fetchedAtMs: SNAPSHOT.fetchedAtMs,
      handshake: SNAPSHOT.handshake,
      ttlHintMs: 5000,
      view: VIEW,
      tools: SNAPSHOT.tools,
    });
    expect(store.storedHostCapabilities()).toEqual({ roots: {}, sampling: {} });
  });

  test("writes one JSON object, private, and leaves nothing beside it", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    store.save(KEY, SNAPSHOT, VIEW);
    expect(JSON.parse(readFileSync(store.file, "utf8")).tools).toEqual(SNAPSHOT.tools);
    expect(readdirSync(dirname(store.file))).toEqual(["acme.json"]);
    expect(statSync(store.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(store.file)).mode & 0o777).toBe(0o700);
  });

  test("holds no part of the identity and no secret", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder, (text) => text.replaceAll("s3cret-value", "[secret]"));
    const key = { identity: "literal-password", hostCapabilities: {} };
    const tools = [{ name: "t", description: "uses s3cret-value" }];
    store.save(key, { ...SNAPSHOT, tools }, VIEW);
    const text = readFileSync(store.file, "utf8");
    expect(text).not.toContain("literal-password");
    expect(text).not.toContain("s3cret-value");
    const loaded = store.load(key, NOW);
    expect("kind" in loaded ? loaded : loaded.tools()).toEqual([
      { name: "t", description: "uses [secret]" },
    ]);
  });

  test.each([
    [{ ...KEY, identity: "two" }, "it belongs to another upstream"],
    [{ ...KEY, hostCapabilities: { roots: {} } }, "it was fetched for other host capabilities"],
  ])("counts a catalog of another key as absent", (key, reason) => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    expect(store.load(key, NOW)).toEqual({ kind: "other", reason });
  });

  test("keeps the catalog of hosts with other capabilities, each its own", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    const other = { ...KEY, hostCapabilities: { roots: {} } };
    store.save(KEY, SNAPSHOT, VIEW);
    store.save(other, { ...SNAPSHOT, tools: [{ name: "Other" }] }, VIEW);
    const toolsFor = (key: CatalogKey) => {
      const loaded = store.load(key, NOW);
      return "kind" in loaded ? loaded.reason : loaded.tools();
    };
    expect([toolsFor(KEY), toolsFor(other)]).toEqual([SNAPSHOT.tools, [{ name: "Other" }]]);
    // The last host that fetched is the one for whom a start is quick, and for whom commands speak.
    expect(store.storedHostCapabilities()).toEqual({ roots: {} });
    // A catalog of another upstream takes nobody's place.
    store.save({ ...KEY, identity: "two" }, SNAPSHOT, VIEW);
    expect(toolsFor(other)).toBe("it belongs to another upstream");
    expect(readdirSync(dirname(store.file)).length).toBe(2);
  });

  test("does not care for the order in which capabilities are declared", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    expect(
      "kind" in store.load({ ...KEY, hostCapabilities: { sampling: {}, roots: {} } }, NOW),
    ).toBe(false);
  });

  test("counts a catalog from the future as absent", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    expect(store.load(KEY, SNAPSHOT.fetchedAtMs - 1)).toEqual({
      kind: "damaged",
      reason: "it is dated in the future",
    });
  });

  test.each([
    ["", "it is not JSON"],
    ['{"tools":[', "it is not JSON"],
    ["null", "it is not a JSON object"],
    ["[]", "it is not a JSON object"],
    ["{}", "its format is not 1"],
    ['{"tools":"x"}', "its format is not 1"],
    ["\u0000\n\n\u0001", "it is not JSON"],
  ])("counts %p as damaged", (text, reason) => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    mkdirSync(dirname(store.file));
    writeFileSync(store.file, text);
    expect(store.load(KEY, NOW)).toEqual({ kind: "damaged", reason });
  });

  test.each([
    ["cut off", (text: string) => text.slice(0, -20), "it is not JSON"],
    [
      "without tools",
      (text: string) => text.replace('\n"tools":[', '\n"moved":['),
      "its tools are not a list",
    ],
    [
      "with empty tools",
      (text: string) => `${text.slice(0, text.lastIndexOf('"tools":['))}"tools":[]}`,
      "it holds no tool",
    ],
  ])("counts a file %s as damaged", (_name, spoil, reason) => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    writeFileSync(store.file, spoil(readFileSync(store.file, "utf8")));
    expect(store.load(KEY, NOW)).toEqual({ kind: "damaged", reason });
  });

  test("does not trust the ready-made list of a file that somebody edited", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    writeFileSync(store.file, readFileSync(store.file, "utf8").replace("getuser", "gettuser"));
    const loaded = store.load(KEY, NOW);
    expect("kind" in loaded ? loaded : [loaded.view, loaded.tools()]).toEqual([
      undefined,
      SNAPSHOT.tools,
    ]);
  });

  test("tells a folder of that name from a missing file", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    expect(store.load(KEY, NOW)).toEqual({ kind: "none", reason: "there is none yet" });
    mkdirSync(store.file, { recursive: true });
    expect(store.load(KEY, NOW)).toEqual({ kind: "damaged", reason: "it cannot be read (EISDIR)" });
    expect(() => store.save(KEY, SNAPSHOT, VIEW)).toThrow();
    expect(readdirSync(dirname(store.file))).toEqual(["acme.json"]);
  });

  test("leaves the rights of a folder that was there before", () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    mkdirSync(dirname(store.file));
    chmodSync(dirname(store.file), 0o755);
    store.save(KEY, SNAPSHOT, VIEW);
    expect(statSync(dirname(store.file)).mode & 0o777).toBe(0o755);
  });

  test("is whole for readers while many processes write", async () => {
    using workspace = createWorkspace();
    const store = open(workspace.folder);
    store.save(KEY, SNAPSHOT, VIEW);
    const writer = `
      import { createCatalogStore } from ${JSON.stringify(join(import.meta.dir, "../../lib/catalog/store.ts"))};
      const store = createCatalogStore({ folder: ${JSON.stringify(dirname(store.file))}, server: "acme", redactJson: (t) => t });
      for (let i = 0; i < 40; i++) {
        const tools = Array.from({ length: 200 }, (_, n) => ({ name: "tool" + n, i }));
        store.save(${JSON.stringify(KEY)}, { fetchedAtMs: ${NOW - 1000}, handshake: { capabilities: {} }, tools, ttlHintMs: undefined }, ${JSON.stringify(VIEW)});
      }`;
    const script = workspace.write("writer.ts", writer);
    const writers = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, script], { stdout: "ignore" }),
    );
    let isDone = false;
    const all = Promise.all(writers.map((one) => one.exited)).then((codes) => {
      isDone = true;
      return codes;
    });
    while (!isDone) {
      const loaded = store.load(KEY, NOW);
      if ("kind" in loaded) throw new Error(loaded.reason);
      loaded.tools();
      await Bun.sleep(0);
    }
    expect(await all).toEqual([0, 0, 0]);
    expect(readdirSync(dirname(store.file))).toEqual(["acme.json"]);
    rmSync(store.file);
  });
});
