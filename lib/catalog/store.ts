// The catalog's file: NAME.json in a private folder, shared by any number of processes.
// Invariant: the file is written whole to a private temporary file and renamed, so that a reader
// sees the old one or the new one. Whatever cannot be trusted counts as absent.
// Upstreams offer other tools to hosts with other capabilities: the catalog of the host that
// fetched last is NAME.json, those of others stand beside it, so that two hosts do not take turns
// in throwing out each other's.
//
// A start with a fresh catalog reads the file's head and sends its second line as it is (start.ts
// has the layout); the tools are parsed when a call, a description or a search needs them. Where
// the head's hash does not fit the rest, everything is parsed and checked instead.
// node:fs is fetched when needed, as loading it costs a start more than all the rest.
import { canonicalJson } from "../canonical-json.ts";
import { errorCode } from "../errors.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import type { Snapshot } from "./catalog.ts";
import {
  CATALOG_FORMAT,
  type CatalogPlace,
  catalogFile,
  hashText,
  type StartRecord,
  splitTrusted,
  TOOLS_START,
  VIEW_START,
} from "./start.ts";

/** What decides whether a stored catalog is ours. */
export interface CatalogKey {
  /** `ServerEntry.identity`; only its hash is stored. */
  readonly identity: string;
  /** The capabilities the host declared; upstreams offer other tools for others. */
  readonly hostCapabilities: JsonObject;
}

/** The list the host sees, ready to be sent, and what is to be told about it on stderr. */
export interface StoredView {
  /** Changes with everything that the list depends on beside the catalog. */
  readonly key: string;
  /** The `tools/list` result as JSON on one line. */
  readonly text: string;
  readonly notes: readonly string[];
}

export interface StoredCatalog {
  readonly fetchedAtMs: number;
  readonly handshake: JsonObject;
  readonly ttlHintMs: number | undefined;
  readonly view: StoredView | undefined;
  /** False when it should be saved once more, for a quick start of the next process. */
  readonly startsQuickly?: boolean;
  /** Parsed at the first call. */
  tools(): readonly unknown[];
}

/** Why there is no stored catalog; `other` ones are ordinary, `damaged` ones are worth a line. */
export type Absence = { readonly kind: "none" | "other" | "damaged"; readonly reason: string };

export interface CatalogStore {
  /** Path of the file, for messages. */
  readonly file: string;
  load(key: CatalogKey, nowMs: number): StoredCatalog | Absence;
  /** The capability set the stored catalog was fetched with, for commands that have no host. */
  storedHostCapabilities(): JsonObject | undefined;
  /** Throws the file system's error. */
  save(key: CatalogKey, snapshot: Snapshot, view: StoredView): void;
}

export function isAbsent(loaded: StoredCatalog | Absence): loaded is Absence {
  return "kind" in loaded;
}

function fingerprintOf(identity: string): string {
  return new Bun.CryptoHasher("sha256").update(identity).digest("hex");
}

interface Head {
  readonly fetchedAtMs: number;
  readonly fingerprint: string;
  readonly hostCapabilities: string;
  readonly handshake: JsonObject;
  readonly ttlHintMs: number | undefined;
  readonly viewKey: string | undefined;
  readonly notes: readonly string[];
  /** JSON of the `StartRecord`. */
  readonly start: string | undefined;
}

function parseHead(value: unknown): Head | string {
  if (!isObject(value)) return "it is not a JSON object";
  if (value.format !== CATALOG_FORMAT) return `its format is not ${CATALOG_FORMAT}`;
  const { fetchedAtMs, fingerprint, hostCapabilities, handshake, ttlHintMs, viewKey } = value;
  if (typeof fetchedAtMs !== "number" || !Number.isFinite(fetchedAtMs))
    return "it has no fetch time";
  if (typeof fingerprint !== "string") return "it has no fingerprint";
  if (!isObject(handshake) || !isObject(handshake.capabilities)) return "it has no handshake";
  const notes = Array.isArray(value.notes) ? value.notes : [];
  return {
    fetchedAtMs,
    fingerprint,
    hostCapabilities: canonicalJson(hostCapabilities),
    handshake,
    ttlHintMs: typeof ttlHintMs === "number" ? ttlHintMs : undefined,
    viewKey: typeof viewKey === "string" ? viewKey : undefined,
    notes: notes.filter((note) => typeof note === "string"),
    start: JSON.stringify(value.start),
  };
}

function parseTools(value: unknown, handshake: JsonObject): readonly unknown[] | string {
  if (!Array.isArray(value)) return "its tools are not a list";
  const named = value.some((tool) => isObject(tool) && typeof tool.name === "string");
  const mayBeEmpty =
    value.length === 0 && isObject(handshake.capabilities) && !("tools" in handshake.capabilities);
  return named || mayBeEmpty ? value : "it holds no tool";
}

function parseCatalog(text: string): { head: Head; stored: StoredCatalog } | string {
  const trusted = splitTrusted(text);
  const trustedHead = trusted === undefined ? undefined : parseHead(trusted.head);
  if (trusted !== undefined && typeof trustedHead === "object") {
    let tools: readonly unknown[] | undefined;
    const stored = toStored(trustedHead, trusted.view, () => (tools ??= JSON.parse(trusted.tools)));
    return { head: trustedHead, stored };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return "it is not JSON";
    throw error;
  }
  const head = parseHead(value);
  if (typeof head === "string") return head;
  const tools = parseTools(isObject(value) ? value.tools : undefined, head.handshake);
  if (typeof tools === "string") return tools;
  return { head, stored: toStored({ ...head, viewKey: undefined }, "", () => tools) };
}

function toStored(head: Head, view: string, tools: () => readonly unknown[]): StoredCatalog {
  return {
    fetchedAtMs: head.fetchedAtMs,
    handshake: head.handshake,
    ttlHintMs: head.ttlHintMs,
    view:
      head.viewKey === undefined ? undefined : { key: head.viewKey, text: view, notes: head.notes },
    tools,
  };
}

function renderCatalog(options: {
  readonly key: CatalogKey;
  readonly snapshot: Snapshot;
  readonly view: StoredView;
  readonly start?: StartRecord | undefined;
  readonly redactJson: (json: string) => string;
}): string {
  const { key, snapshot, view, redactJson } = options;
  const tools = JSON.stringify(snapshot.tools);
  const body = redactJson(`${VIEW_START}${view.text},\n${TOOLS_START}${tools}}\n`);
  const head = JSON.stringify({
    format: CATALOG_FORMAT,
    fetchedAtMs: snapshot.fetchedAtMs,
    fingerprint: fingerprintOf(key.identity),
    hostCapabilities: key.hostCapabilities,
    handshake: snapshot.handshake,
    ttlHintMs: snapshot.ttlHintMs,
    viewKey: view.key,
    notes: view.notes,
    start: options.start,
    bodyHash: hashText(body),
  });
  return `${redactJson(head.slice(0, -1))},\n${body}`;
}

export function createCatalogStore(
  options: CatalogPlace & {
    /** Takes secrets out of what is written, should an upstream echo them. */
    readonly redactJson: (json: string) => string;
    /** Kept in the file for a quick start, when the program serves. */
    readonly start?: StartRecord | undefined;
    /** What the file held a moment ago; taken by the first load. */
    readonly text?: string | undefined;
  },
): CatalogStore {
  const file = catalogFile(options);
  let prefetched = options.text;

  /** Where a catalog of other host capabilities is kept; no server's name holds a `~`. */
  function fileFor(hostCapabilities: string): string {
    return catalogFile({ ...options, server: `${options.server}~${hashText(hostCapabilities)}` });
  }

  function readText(from: string): string | Absence {
    if (prefetched !== undefined && from === file) {
      const text = prefetched;
      prefetched = undefined;
      return text;
    }
    try {
      return process.getBuiltinModule("node:fs").readFileSync(from, "utf8");
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return { kind: "none", reason: "there is none yet" };
      return { kind: "damaged", reason: `it cannot be read (${String(code)})` };
    }
  }

  function loadFrom(from: string, key: CatalogKey, nowMs: number): StoredCatalog | Absence {
    const text = readText(from);
    if (typeof text !== "string") return text;
    const parsed = parseCatalog(text);
    if (typeof parsed === "string") return { kind: "damaged", reason: parsed };
    const { head, stored } = parsed;
    if (head.fingerprint !== fingerprintOf(key.identity)) {
      return { kind: "other", reason: "it belongs to another upstream" };
    }
    if (head.hostCapabilities !== canonicalJson(key.hostCapabilities)) {
      return { kind: "other", reason: "it was fetched for other host capabilities" };
    }
    if (head.fetchedAtMs > nowMs) return { kind: "damaged", reason: "it is dated in the future" };
    const isAsOurs = options.start === undefined || head.start === JSON.stringify(options.start);
    return { ...stored, startsQuickly: isAsOurs };
  }

  /** The catalog that is about to be replaced, if it serves hosts with other capabilities. */
  function keepForOthers(key: CatalogKey): void {
    const text = readText(file);
    const parsed = typeof text === "string" ? parseCatalog(text) : "absent";
    if (typeof text !== "string" || typeof parsed === "string") return;
    const { fingerprint, hostCapabilities } = parsed.head;
    const isForOthers =
      fingerprint === fingerprintOf(key.identity) &&
      hostCapabilities !== canonicalJson(key.hostCapabilities);
    if (isForOthers) writeWhole(options.folder, fileFor(hostCapabilities), text);
  }

  return {
    file,
    load(key, nowMs) {
      const loaded = loadFrom(file, key, nowMs);
      if (!isAbsent(loaded) || loaded.kind !== "other") return loaded;
      const own = loadFrom(fileFor(canonicalJson(key.hostCapabilities)), key, nowMs);
      return isAbsent(own) ? loaded : { ...own, startsQuickly: true };
    },
    storedHostCapabilities() {
      const text = readText(file);
      const parsed = typeof text === "string" ? parseCatalog(text) : "absent";
      return typeof parsed === "string" ? undefined : JSON.parse(parsed.head.hostCapabilities);
    },
    save(key, snapshot, view) {
      keepForOthers(key);
      writeWhole(options.folder, file, renderCatalog({ key, snapshot, view, ...options }));
    },
  };
}

/** Private temporary file in the same folder, then rename: atomic on one file system. */
function writeWhole(folder: string, file: string, text: string): void {
  const { mkdirSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
