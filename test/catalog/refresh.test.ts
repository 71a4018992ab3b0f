import { describe, expect, test } from "bun:test";
import type { Fetched } from "../../lib/catalog/fetch.ts";
import { type CurrentCatalog, createCatalogSource } from "../../lib/catalog/refresh.ts";
import type { CatalogKey, CatalogStore, StoredView } from "../../lib/catalog/store.ts";
import { UpstreamError } from "../../lib/errors.ts";
import { createFakeClock, settle } from "../support/fake-clock.ts";
import { createFakeLog } from "../support/fake-log.ts";

const HOUR_MS = 3_600_000;
const KEY: CatalogKey = { identity: "x", hostCapabilities: {} };
const HANDSHAKE = { protocolVersion: "2025-06-18", capabilities: { tools: {} } };

/** A store in memory, which can be made unwritable. */
function createMemoryStore() {
  let saved: { snapshot: Omit<Fetched, "problem" | "notes">; view: StoredView } | undefined;
  const state = { saves: 0, isWritable: true };
  const store: CatalogStore = {
    file: "acme.json",
    load: () =>
      saved === undefined
        ? { kind: "none", reason: "there is none yet" }
        : { ...saved.snapshot, view: saved.view, tools: () => saved?.snapshot.tools ?? [] },
    storedHostCapabilities: () => undefined,
    save(_key, snapshot, view) {
      if (!state.isWritable) throw Object.assign(new Error("read-only"), { code: "EROFS" });
      state.saves += 1;
      saved = { snapshot, view };
    },
  };
  return { store, state };
}

function setUp(options: { ttlMs?: number; store?: CatalogStore; viewKey?: string } = {}) {
  const clock = createFakeClock();
  const log = createFakeLog();
  const memory = createMemoryStore();
  const fetches: PromiseWithResolvers<Partial<Fetched>>[] = [];
  const refreshed: CurrentCatalog[] = [];
  const start = () =>
    createCatalogSource({
      server: "acme",
      key: KEY,
      store: options.store ?? memory.store,
      async fetch() {
        const one = Promise.withResolvers<Partial<Fetched>>();
        fetches.push(one);
        const base = { fetchedAtMs: clock.now(), handshake: HANDSHAKE, tools: [{ name: "a" }] };
        return {
          ...base,
          ttlHintMs: undefined,
          problem: undefined,
          notes: [],
          ...(await one.promise),
        };
      },
      viewKey: options.viewKey ?? "view",
      renderView: async (tools) => ({
        key: options.viewKey ?? "view",
        text: JSON.stringify({ tools }),
        notes: ["a note"],
      }),
      limits: {
        ttlMs: options.ttlMs ?? HOUR_MS,
        listBudgetMs: 4500,
        settleMs: 200,
        maxSettleMs: 1000,
        unknownNameMs: 60_000,
      },
      now: clock.now,
      schedule: clock.schedule,
      log,
      tellsNotes: "always",
      onRefreshed: (current) => refreshed.push(current),
    });
  return { clock, log, memory, fetches, refreshed, start };
}

const failure = new UpstreamError("unreachable", 'Cannot reach "acme": nothing listens');

describe("createCatalogSource()", () => {
  test("fetches once for everybody and keeps the catalog on disk", async () => {
    const { fetches, memory, start, log, refreshed } = setUp();
    const source = start();
    const both = [source.obtain(), source.require()];
    await settle();
    fetches[0]?.resolve({});
    const [obtained, required] = await Promise.all(both);
    expect(obtained?.view.text).toBe('{"tools":[{"name":"a"}]}');
    expect(required).toBe(obtained);
    expect([fetches.length, memory.state.saves, refreshed.length]).toEqual([1, 1, 1]);
    expect(log.lines).toEqual(["a note"]);
  });

  test("uses a fresh catalog from disk without the upstream, and a stale one only after asking", async () => {
    const first = setUp();
    const source = first.start();
    const obtained = source.obtain();
    await settle();
    first.fetches[0]?.resolve({});
    await obtained;

    const second = first.start();
    expect(second.fresh()?.tools()).toEqual([{ name: "a" }]);
    await first.clock.advance(HOUR_MS);
    expect(second.fresh()).toBeUndefined();
    expect(second.current()?.tools()).toEqual([{ name: "a" }]);
    const again = second.obtain();
    await settle();
    first.fetches[1]?.resolve({ tools: [{ name: "b" }] });
    expect((await again)?.tools()).toEqual([{ name: "b" }]);
    expect(first.log.lines).toEqual([
      "a note",
      "a note",
      "The list of tools changed: added b; removed a",
    ]);
  });

  test("serves the stale catalog when the refresh fails, and says why", async () => {
    const { clock, fetches, log, start } = setUp();
    const source = start();
    const first = source.obtain();
    await settle();
    fetches[0]?.resolve({});
    await first;
    await clock.advance(HOUR_MS);
    const second = source.obtain();
    await settle();
    fetches[1]?.reject(failure);
    expect((await second)?.tools()).toEqual([{ name: "a" }]);
    expect(log.lines.slice(1)).toEqual([
      'Cannot reach "acme": nothing listens; the last catalog is served',
    ]);
  });

  test("answers within the budget while the fetch goes on, and tells when it succeeds", async () => {
    const { clock, fetches, log, refreshed, start } = setUp();
    const source = start();
    const obtained = source.obtain();
    await clock.advance(4500);
    expect(await obtained).toBeUndefined();
    expect(log.lines).toEqual([
      'Cannot list the tools of "acme" in time: no answer yet; the meta-tools alone are served, the fetch goes on',
    ]);
    fetches[0]?.resolve({});
    await settle();
    expect(refreshed.map((current) => current.tools())).toEqual([[{ name: "a" }]]);
    expect(source.fresh()?.tools()).toEqual([{ name: "a" }]);
  });

  test("tries again at the next need after a failure", async () => {
    const { fetches, start } = setUp();
    const source = start();
    const first = source.require();
    await settle();
    fetches[0]?.reject(failure);
    expect(await first.catch((error: unknown) => error)).toBe(failure);
    const second = source.require();
    await settle();
    fetches[1]?.resolve({});
    expect((await second).tools()).toEqual([{ name: "a" }]);
  });

  test("does not keep an incomplete catalog on disk, and asks again a minute later", async () => {
    const { clock, fetches, log, memory, start } = setUp();
    const source = start();
    const first = source.obtain();
    await settle();
    fetches[0]?.resolve({ problem: "it repeats a page cursor" });
    expect((await first)?.tools()).toEqual([{ name: "a" }]);
    expect(memory.state.saves).toBe(0);
    expect(log.lines[0]).toBe(
      "The list of tools may be incomplete: it repeats a page cursor; it is not kept on disk",
    );
    expect(source.fresh()).toBeDefined();
    await clock.advance(60_000);
    expect(source.fresh()).toBeUndefined();
  });

  test("takes the shorter of the configured time to live and the upstream's hint", async () => {
    const { clock, fetches, start } = setUp();
    const source = start();
    const first = source.obtain();
    await settle();
    fetches[0]?.resolve({ ttlHintMs: 1000 });
    await first;
    await clock.advance(999);
    expect(source.fresh()).toBeDefined();
    await clock.advance(1);
    expect(source.fresh()).toBeUndefined();
  });

  test("makes one refresh of a burst of list changes, and another for one during it", async () => {
    const { clock, fetches, start } = setUp();
    const source = start();
    for (let n = 0; n < 5; n++) {
      source.noteListChanged();
      await clock.advance(150);
    }
    expect(fetches.length).toBe(0);
    await clock.advance(200);
    expect(fetches.length).toBe(1);
    source.noteListChanged();
    fetches[0]?.resolve({});
    await clock.advance(200);
    expect(fetches.length).toBe(2);
    fetches[1]?.resolve({});
    await clock.advance(1000);
    expect(fetches.length).toBe(2);
  });

  test("does not wait for the end of a storm of list changes", async () => {
    const { clock, fetches, start } = setUp();
    const source = start();
    for (let n = 0; n < 15; n++) {
      source.noteListChanged();
      await clock.advance(100);
    }
    expect(fetches.length).toBe(1);
  });

  test("asks ever more seldom when every refresh brings a notice and no change", async () => {
    const { clock, fetches, start } = setUp();
    const source = start();
    source.noteListChanged();
    for (let n = 0; n < 12; n++) {
      await clock.advance(10_000);
      fetches.at(-1)?.resolve({});
      source.noteListChanged();
      await settle();
    }
    const before = fetches.length;
    await clock.advance(10_000);
    expect(fetches.length - before).toBeLessThanOrEqual(1);
  });

  test("does not wait for a silent upstream because of an unknown name", async () => {
    const { clock, fetches, start } = setUp();
    const source = start();
    const found = source.refreshForUnknownName();
    await clock.advance(4500);
    expect(await found).toBe(false);
    expect(fetches.length).toBe(1);
  });

  test("refreshes for unknown names once a minute at most", async () => {
    const { clock, fetches, start } = setUp();
    const source = start();
    const first = source.refreshForUnknownName();
    await settle();
    fetches[0]?.resolve({});
    expect(await first).toBe(true);
    expect(await source.refreshForUnknownName()).toBe(false);
    await clock.advance(60_000);
    const third = source.refreshForUnknownName();
    await settle();
    fetches[1]?.reject(failure);
    expect(await third).toBe(false);
  });

  test("says once that the folder cannot be written, and goes on", async () => {
    const { clock, fetches, log, memory, start } = setUp({ ttlMs: 10 });
    memory.state.isWritable = false;
    const source = start();
    for (let n = 0; n < 2; n++) {
      const obtained = source.obtain();
      await settle();
      fetches[n]?.resolve({});
      expect((await obtained)?.tools()).toEqual([{ name: "a" }]);
      await clock.advance(20);
    }
    expect(log.lines.filter((line) => line.includes("EROFS"))).toEqual([
      'Cannot write the catalog "acme.json": EROFS; going on without it on disk',
    ]);
  });

  test("renders the list anew when the configuration changed, and keeps it", async () => {
    const before = setUp();
    const source = before.start();
    const first = source.obtain();
    await settle();
    before.fetches[0]?.resolve({});
    await first;

    const after = setUp({ store: before.memory.store, viewKey: "other" });
    const changed = after.start();
    expect(changed.fresh()).toBeUndefined();
    expect(changed.handshake()).toEqual(HANDSHAKE);
    expect((await changed.obtain())?.view.key).toBe("other");
    expect(after.fetches.length).toBe(0);
    expect(setUp({ store: before.memory.store, viewKey: "other" }).start().fresh()).toBeDefined();
  });

  test("refreshes when the upstream shakes hands differently than remembered", async () => {
    const { clock, fetches, start } = setUp();
    const source = start();
    const first = source.obtain();
    await settle();
    fetches[0]?.resolve({});
    await first;
    source.noteHandshake({ ...HANDSHAKE, instructions: "at another hour" });
    await clock.advance(1000);
    expect(fetches.length).toBe(1);
    source.noteHandshake({ ...HANDSHAKE, capabilities: { tools: {}, prompts: {} } });
    await clock.advance(1000);
    expect(fetches.length).toBe(2);
  });
});
