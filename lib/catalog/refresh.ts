// When a catalog is fetched: freshness, single flight, what is served meanwhile, what is told.
// Invariant: one refresh at a time; only a complete catalog reaches the disk; a failed refresh
// never takes a catalog away.
import { canonicalJson } from "../canonical-json.ts";
import { errorCode, renderError, UpstreamError } from "../errors.ts";
import type { JsonObject } from "../json-rpc.ts";
import type { Log } from "../log.ts";
import type { Snapshot } from "./catalog.ts";
import type { Fetched } from "./fetch.ts";
import type { CatalogKey, CatalogStore, StoredView } from "./store.ts";

/** The catalog in use. */
export interface CurrentCatalog {
  readonly fetchedAtMs: number;
  readonly handshake: JsonObject;
  readonly ttlHintMs: number | undefined;
  readonly isComplete: boolean;
  readonly view: StoredView;
  tools(): readonly unknown[];
}

export type NoteTelling = "always" | "fetched" | "never";

export interface RefreshLimits {
  readonly ttlMs: number;
  /** How long tools/list waits for a refresh. */
  readonly listBudgetMs: number;
  /** Quiet time after a list_changed before the refresh starts, so that a burst is one refresh. */
  readonly settleMs: number;
  /** Longest wait for quiet. */
  readonly maxSettleMs: number;
  /** Least time between two refreshes for unknown names, or of an incomplete catalog. */
  readonly unknownNameMs: number;
}

export const REFRESH_LIMITS = {
  listBudgetMs: 4500,
  settleMs: 200,
  maxSettleMs: 1000,
  unknownNameMs: 60_000,
} as const;

export interface CatalogSource {
  /** What is known now, fresh or stale, without touching the upstream. */
  current(): CurrentCatalog | undefined;
  /** The catalog, if it is fresh. */
  fresh(): CurrentCatalog | undefined;
  /** The upstream's last known `initialize` result. */
  handshake(): JsonObject | undefined;
  /** For tools/list: fresh, else refreshed within the budget, else stale, else undefined. Never throws. */
  obtain(): Promise<CurrentCatalog | undefined>;
  /** For a call: whatever there is, else fetched. Throws what the fetch throws. */
  require(): Promise<CurrentCatalog>;
  /** Fetches now; joins a refresh under way. */
  refresh(): Promise<CurrentCatalog>;
  /** After an unknown name: refreshes at most once a minute; true when it did. Never throws. */
  refreshForUnknownName(): Promise<boolean>;
  /** The upstream says its list changed. */
  noteListChanged(): void;
  /** The upstream shook hands differently than the catalog remembers. */
  noteHandshake(handshake: JsonObject): void;
}

export function createCatalogSource(options: {
  readonly server: string;
  readonly key: CatalogKey;
  readonly store: CatalogStore;
  readonly fetch: () => Promise<Fetched>;
  /** Changes with the configuration of what is shown. */
  readonly viewKey: string;
  readonly renderView: (tools: readonly unknown[]) => Promise<StoredView>;
  readonly limits: RefreshLimits;
  readonly now: () => number;
  readonly schedule: (delayMs: number, task: () => void) => () => void;
  readonly log: Log;
  /** Whether what is wrong with a list is told: of a stored one too, of fetched ones, or never. */
  readonly tellsNotes: NoteTelling;
  /** After every refresh that brought a catalog. */
  readonly onRefreshed: (current: CurrentCatalog) => void;
}): CatalogSource {
  const { server, key, store, limits, now, schedule, log } = options;
  let current: CurrentCatalog | undefined;
  /** A stored catalog whose list must be made anew, because the configuration changed. */
  let unrendered: Omit<CurrentCatalog, "view"> | undefined;
  let rendering: Promise<void> | undefined;
  let refreshing: Promise<CurrentCatalog> | undefined;
  let settling: (() => void) | undefined;
  let changedMeanwhile = false;
  /** When the first of the notices that are waited out came. */
  let noticedMs = 0;
  /** How many refreshes for a notice in a row changed nothing. */
  let vainRefreshes = 0;
  let refreshedForUnknownMs = Number.NEGATIVE_INFINITY;
  let triedIncompleteMs = Number.NEGATIVE_INFINITY;
  let toldAboutFolder = false;

  function isFresh(): boolean {
    if (current === undefined) return false;
    if (!current.isComplete) return now() - triedIncompleteMs < limits.unknownNameMs;
    const ttlMs = Math.min(limits.ttlMs, current.ttlHintMs ?? Infinity);
    return now() - current.fetchedAtMs < ttlMs;
  }

  function save(snapshot: Snapshot, view: StoredView): void {
    try {
      store.save(key, snapshot, view);
    } catch (error) {
      if (toldAboutFolder) return;
      toldAboutFolder = true;
      const code = errorCode(error) ?? String(error);
      log.line(`Cannot write the catalog "${store.file}": ${code}; going on without it on disk`);
    }
  }

  function tellNotes(
    { notes }: StoredView,
    from: "stored" | "fetched",
    known: readonly string[] = [],
  ): void {
    const isWanted = options.tellsNotes === "always" || options.tellsNotes === from;
    if (isWanted) for (const note of notes) if (!known.includes(note)) log.line(note);
  }

  async function tell(
    before: CurrentCatalog | undefined,
    fetched: Fetched,
    view: StoredView,
  ): Promise<void> {
    if (fetched.problem !== undefined) {
      log.line(`The list of tools may be incomplete: ${fetched.problem}; it is not kept on disk`);
    }
    if (before !== undefined) {
      const { diffTools, renderDiff } = await import("./diff.ts");
      const diff = renderDiff(diffTools(before.tools(), fetched.tools));
      if (diff !== undefined) log.line(`The list of tools changed: ${diff}`);
    }
    for (const note of fetched.notes) log.line(note);
    tellNotes(view, "fetched", before?.view.notes);
  }

  async function fetchNow(): Promise<CurrentCatalog> {
    const fetched = await options.fetch();
    const view = await options.renderView(fetched.tools);
    await tell(current, fetched, view);
    const isComplete = fetched.problem === undefined;
    if (!isComplete) triedIncompleteMs = now();
    if (isComplete) save(fetched, view);
    const { fetchedAtMs, handshake, ttlHintMs, tools } = fetched;
    current = { fetchedAtMs, handshake, ttlHintMs, isComplete, view, tools: () => tools };
    options.onRefreshed(current);
    return current;
  }

  function refresh(): Promise<CurrentCatalog> {
    refreshing ??= fetchNow().finally(() => {
      refreshing = undefined;
      if (changedMeanwhile) noteListChanged();
    });
    return refreshing;
  }

  /** The reason a refresh failed is told by whoever started it, once. */
  function refreshAndTell(): Promise<CurrentCatalog | undefined> {
    if (refreshing !== undefined) return refreshing.catch(() => undefined);
    return refresh().catch((error: unknown) => {
      if (error instanceof UpstreamError && error.kind === "shutdown") return undefined;
      log.line(
        `${renderError(error)}${current === undefined ? "" : "; the last catalog is served"}`,
      );
      return undefined;
    });
  }

  /**
   * A burst of notices is one refresh: it starts when they have settled, or after `maxSettleMs` of
   * them. An upstream that sends a notice for every refresh that changes nothing is asked ever
   * more seldom.
   */
  function noteListChanged(): void {
    if (refreshing !== undefined) {
      changedMeanwhile = true;
      return;
    }
    changedMeanwhile = false;
    if (settling === undefined) noticedMs = now();
    settling?.();
    const pauseMs = limits.settleMs * 2 ** vainRefreshes;
    const latestMs = noticedMs + Math.max(limits.maxSettleMs, pauseMs) - now();
    const delayMs = Math.max(0, Math.min(pauseMs, latestMs, limits.unknownNameMs));
    settling = schedule(delayMs, () => {
      settling = undefined;
      const before = current?.view.text;
      void refreshAndTell().then((after) => {
        vainRefreshes = after?.view.text === before ? Math.min(vainRefreshes + 1, 16) : 0;
      });
    });
  }

  function loadStored(): void {
    const stored = store.load(key, now());
    if ("kind" in stored) {
      if (stored.kind === "damaged") {
        log.line(`Cannot use the catalog "${store.file}": ${stored.reason}; it is fetched again`);
      }
      return;
    }
    const { fetchedAtMs, handshake, ttlHintMs, tools, view } = stored;
    const base = { fetchedAtMs, handshake, ttlHintMs, isComplete: true, tools };
    if (view !== undefined && view.key === options.viewKey) {
      current = { ...base, view };
      tellNotes(view, "stored");
      // Not now, while the host waits for its list.
      if (stored.startsQuickly === false)
        schedule(limits.settleMs, () => keepForNextStart(base, view));
      return;
    }
    unrendered = base;
  }

  /** Unless another process has stored a newer catalog meanwhile. */
  function keepForNextStart(base: Omit<CurrentCatalog, "view">, view: StoredView): void {
    const onDisk = store.load(key, now());
    const isSame = !("kind" in onDisk) && onDisk.fetchedAtMs === base.fetchedAtMs;
    if (isSame) save({ ...base, tools: base.tools() }, view);
  }

  function renderStored(): Promise<void> {
    rendering ??= renderNow().catch((error: unknown) => {
      rendering = undefined;
      throw error;
    });
    return rendering;
  }

  async function renderNow(): Promise<void> {
    const base = unrendered;
    if (base === undefined) return;
    const view = await options.renderView(base.tools());
    unrendered = undefined;
    if (current !== undefined) return;
    current = { ...base, view };
    tellNotes(view, "stored");
    keepForNextStart(base, view);
  }

  async function withinBudget<Value>(work: Promise<Value>): Promise<Value | "overdue"> {
    let stop: () => void = () => undefined;
    const overdue = new Promise<"overdue">((resolve) => {
      stop = schedule(limits.listBudgetMs, () => resolve("overdue"));
    });
    return Promise.race([work, overdue]).finally(() => stop());
  }

  loadStored();

  return {
    current: () => current,
    fresh: () => (isFresh() ? current : undefined),
    handshake: () => (current ?? unrendered)?.handshake,
    async obtain() {
      if (unrendered !== undefined) await renderStored();
      if (isFresh()) return current;
      const outcome = await withinBudget(refreshAndTell());
      if (outcome === "overdue") {
        const meanwhile =
          current === undefined ? "the meta-tools alone are" : "the last catalog is";
        log.line(
          `Cannot list the tools of "${server}" in time: no answer yet; ${meanwhile} served, the fetch goes on`,
        );
      }
      return current;
    },
    async require() {
      if (unrendered !== undefined) await renderStored();
      return current ?? refresh();
    },
    refresh,
    async refreshForUnknownName() {
      if (now() - refreshedForUnknownMs < limits.unknownNameMs) return false;
      refreshedForUnknownMs = now();
      const outcome = await withinBudget(refreshAndTell());
      return outcome !== undefined && outcome !== "overdue";
    },
    noteListChanged,
    noteHandshake(handshake) {
      const known = current?.handshake;
      if (known === undefined || refreshing !== undefined) return;
      const isSame = (["serverInfo", "capabilities"] as const).every(
        (member) => canonicalJson(known[member]) === canonicalJson(handshake[member]),
      );
      if (!isSame) noteListChanged();
    },
  };
}
