// A quick start: what the host is told first, from the catalog's file alone. The file's head says
// for which configuration text its list was made; where that text is still the same, the list can
// be served before the configuration is even parsed, and all that a start has to load is this.
// Whatever is not exactly as it was means no quick start; the long way then judges.
//
// The file is one JSON object in three lines, what is needed first, first: a head (fetch time,
// fingerprint, handshake), the list the host sees ready to be sent, and all tools as received. The
// head holds a hash of the rest, so that a file somebody has edited is noticed.
import { isObject, type JsonObject } from "../json-rpc.ts";

/** Raised when the file's layout changes; other formats count as absent. */
export const CATALOG_FORMAT = 1;
export const VIEW_START = '"view":';
export const TOOLS_START = '"tools":';

/** What the configuration adds to a catalog for a quick start; kept in the head. */
export interface StartRecord {
  /** Of the configuration's text, see `startKeyOf`. */
  readonly key: string;
  readonly metaPrefix: string;
  readonly ttlMs: number;
}

export interface QuickStart {
  readonly metaPrefix: string;
  readonly handshake: JsonObject;
  /** JSON of the capabilities the host has to declare for this list. */
  readonly hostCapabilities: string;
  /** The `tools/list` result as JSON. */
  readonly viewText: string;
  /** To be told on stderr. */
  readonly notes: readonly string[];
  isFresh(nowMs: number): boolean;
}

export interface CatalogPlace {
  readonly folder: string;
  readonly server: string;
}

export function catalogFile({ folder, server }: CatalogPlace): string {
  return `${folder}/${server}.json`;
}

/** What the file holds; undefined when it cannot be read, for whatever reason. */
export async function readCatalogText(place: CatalogPlace): Promise<string | undefined> {
  try {
    return await Bun.file(catalogFile(place)).text();
  } catch {
    // The store finds out as well, and says why.
    return undefined;
  }
}

/** Changes with the text, and with the program that judged it. */
export function startKeyOf(configText: string, programRevision: string): string {
  return `${programRevision}/${hashText(configText)}`;
}

export function hashText(text: string): string {
  return Bun.hash(text).toString(16);
}

/** The three lines, if the hash says that nobody touched them. */
export function splitTrusted(
  text: string,
): { readonly head: JsonObject; readonly view: string; readonly tools: string } | undefined {
  const first = text.indexOf("\n");
  const second = text.indexOf("\n", first + 1);
  if (first < 0 || second < 0) return undefined;
  let head: unknown;
  try {
    head = JSON.parse(`${text.slice(0, first - 1)}}`);
  } catch (error) {
    // Not our layout: the caller parses the whole file and judges that.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isObject(head) || head.bodyHash !== hashText(text.slice(first + 1))) return undefined;
  return {
    head,
    view: text.slice(first + 1 + VIEW_START.length, second - 1),
    tools: text.slice(second + 1 + TOOLS_START.length, text.lastIndexOf("}")),
  };
}

/** Undefined unless the file was made for this very configuration and is fresh. */
export function parseQuickStart(options: {
  readonly catalogText: string;
  readonly configText: string;
  readonly programRevision: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
}): QuickStart | undefined {
  const { configText, environment, nowMs } = options;
  const split = splitTrusted(options.catalogText);
  if (split === undefined) return undefined;
  const { format, fetchedAtMs, handshake, hostCapabilities, start, ttlHintMs } = split.head;
  const isOurs =
    format === CATALOG_FORMAT &&
    isObject(start) &&
    start.key === startKeyOf(configText, options.programRevision);
  if (!isOurs || typeof fetchedAtMs !== "number" || typeof start.ttlMs !== "number") return;
  if (!isObject(handshake) || !isObject(hostCapabilities)) return undefined;
  // A variable that is not set any more is an error, and which ones are needed is not known here.
  for (const [, name = ""] of configText.matchAll(/\$\{(\w+)\}/g)) {
    if (environment[name] === undefined) return undefined;
  }
  const hintMs = typeof ttlHintMs === "number" ? ttlHintMs : Infinity;
  const ttlMs = Math.min(start.ttlMs, hintMs);
  const isFresh = (now: number) => now >= fetchedAtMs && now - fetchedAtMs < ttlMs;
  if (!isFresh(nowMs)) return undefined;
  const notes = Array.isArray(split.head.notes) ? split.head.notes : [];
  return {
    metaPrefix: String(start.metaPrefix),
    handshake,
    hostCapabilities: JSON.stringify(hostCapabilities),
    viewText: split.view,
    notes: notes.filter((note) => typeof note === "string"),
    isFresh,
  };
}
