// One fetch of an upstream's catalog: all pages of tools/list (2025-11-25, server/utilities/pagination).
// Invariant: what is returned as complete is the whole list; a broken page fails the fetch.
import { UpstreamError } from "../errors.ts";
import { isObject, type JsonObject, type JsonRpcResponse } from "../json-rpc.ts";
import type { Snapshot } from "./catalog.ts";

const PAGE_LIMIT = 100;

export interface Fetched extends Snapshot {
  /** Why the list may be incomplete; such a catalog serves this process and is not stored. */
  readonly problem: string | undefined;
}

/** What a fetch needs of an upstream. */
export interface CatalogUpstream {
  open(): Promise<JsonObject>;
  ask(method: string, params: JsonObject | undefined): Promise<JsonRpcResponse>;
}

interface Page {
  readonly tools: readonly unknown[];
  readonly cursor: string | undefined;
  readonly ttlHintMs: number | undefined;
}

function parsePage(server: string, response: JsonRpcResponse): Page {
  const action = `Cannot list the tools of "${server}"`;
  const { error, result } = response;
  if (isObject(error)) {
    throw new UpstreamError(
      "refused",
      `${action}: it answered error ${error.code} "${error.message}"`,
    );
  }
  if (!isObject(result) || !Array.isArray(result.tools)) {
    throw new UpstreamError("protocol", `${action}: its answer holds no list of tools`);
  }
  const { nextCursor, ttlMs, tools } = result;
  const isHint = typeof ttlMs === "number" && ttlMs >= 0;
  return {
    tools,
    cursor: typeof nextCursor === "string" ? nextCursor : undefined,
    ttlHintMs: isHint ? ttlMs : undefined,
  };
}

function offersTools(handshake: JsonObject): boolean {
  return isObject(handshake.capabilities) && "tools" in handshake.capabilities;
}

/** Throws `UpstreamError` or `CredentialError`; an upstream that declares tools and lists none is an error. */
export async function fetchCatalog(options: {
  readonly server: string;
  readonly upstream: CatalogUpstream;
  readonly now: () => number;
}): Promise<Fetched> {
  const { server, upstream, now } = options;
  const handshake = await upstream.open();
  const base = { handshake, fetchedAtMs: now(), ttlHintMs: undefined, problem: undefined };
  if (!offersTools(handshake)) return { ...base, tools: [] };

  const tools: unknown[] = [];
  const names = new Set<string>();
  const cursors = new Set<string>();
  let ttlHintMs: number | undefined;
  let problem: string | undefined;
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const params = cursor === undefined ? undefined : { cursor };
    const page = parsePage(server, await upstream.ask("tools/list", params));
    for (const tool of page.tools) {
      // A name listed twice, also across pages, is one tool.
      const name = isObject(tool) && typeof tool.name === "string" ? tool.name : undefined;
      if (name !== undefined && names.has(name)) continue;
      if (name !== undefined) names.add(name);
      tools.push(tool);
    }
    if (page.ttlHintMs !== undefined) ttlHintMs = Math.min(ttlHintMs ?? Infinity, page.ttlHintMs);
    cursor = page.cursor;
    if (cursor === undefined) break;
    if (cursors.has(cursor)) problem = "it repeats a page cursor";
    else if (pages >= PAGE_LIMIT) problem = `it has more than ${PAGE_LIMIT} pages`;
    if (problem !== undefined) break;
    cursors.add(cursor);
  }
  if (names.size === 0) {
    throw new UpstreamError(
      "protocol",
      `Cannot list the tools of "${server}": it listed no tools`,
      {
        hint: "Check its configuration and permissions",
      },
    );
  }
  return { ...base, tools, ttlHintMs, problem };
}
