// One fetch of an upstream's catalog: all pages of tools/list (2025-11-25, server/utilities/pagination).
// Invariant: what is returned as complete is the whole list; a broken page fails the fetch.
import { UpstreamError } from "../errors.ts";
import { isObject, type JsonObject, type JsonRpcResponse, RPC_ERROR } from "../json-rpc.ts";
import { isTool, type Snapshot, type Tool } from "./catalog.ts";

const PAGE_LIMIT = 100;

export interface Fetched extends Snapshot {
  /** Why the list may be incomplete; such a catalog serves this process and is not stored. */
  readonly problem: string | undefined;
  /** What was left out of single tools, one line each. */
  readonly notes: readonly string[];
}

export interface FetchOptions {
  readonly server: string;
  readonly upstream: CatalogUpstream;
  readonly now: () => number;
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
    // An empty cursor is the end in the eyes of the servers that send one.
    cursor: typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined,
    ttlHintMs: isHint ? ttlMs : undefined,
  };
}

interface Pages {
  readonly tools: readonly Tool[];
  readonly ttlHintMs: number | undefined;
  readonly problem: string | undefined;
  readonly notes: readonly string[];
}

/** Undefined when the upstream neither declares tools nor knows tools/list. */
async function fetchPages(
  options: FetchOptions,
  handshake: JsonObject,
): Promise<Pages | undefined> {
  const { server, upstream } = options;
  const isDeclared = isObject(handshake.capabilities) && "tools" in handshake.capabilities;
  const tools = new Map<string, Tool>();
  const notes: string[] = [];
  const cursors = new Set<string>();
  let ttlHintMs: number | undefined;
  let problem: string | undefined;
  let cursor: string | undefined;
  for (let pages = 1; problem === undefined; pages++) {
    const response = await upstream.ask(
      "tools/list",
      cursor === undefined ? undefined : { cursor },
    );
    const isUnknownMethod = response.error?.code === RPC_ERROR.methodNotFound;
    if (pages === 1 && isUnknownMethod && !isDeclared) return undefined;
    const page = parsePage(server, response);
    for (const element of page.tools) {
      // Anything without a name cannot be called; a name listed twice, also across pages, is one tool.
      if (!isTool(element) || tools.has(element.name)) continue;
      tools.set(element.name, withBoundedDepth(element, notes));
    }
    if (page.ttlHintMs !== undefined) ttlHintMs = Math.min(ttlHintMs ?? Infinity, page.ttlHintMs);
    cursor = page.cursor;
    if (cursor === undefined) break;
    if (cursors.has(cursor)) problem = "it repeats a page cursor";
    else if (pages >= PAGE_LIMIT) problem = `it has more than ${PAGE_LIMIT} pages`;
    cursors.add(cursor);
  }
  return { tools: [...tools.values()], ttlHintMs, problem, notes };
}

/** Deeper than any schema a person writes; JSON.stringify ends the program's patience far below 50,000. */
const MAX_DEPTH = 5000;

/** The tool, or what is left of it when it is nested too deep to be written down. */
function withBoundedDepth(tool: Tool, notes: string[]): Tool {
  let level: unknown[] = [tool];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      notes.push(
        `Tool "${tool.name}" is nested deeper than ${MAX_DEPTH} levels: it takes any arguments`,
      );
      const description = typeof tool.description === "string" ? tool.description : "";
      return { name: tool.name, description, inputSchema: { type: "object" } };
    }
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return tool;
}

/** Throws `UpstreamError` or `CredentialError`; an upstream that knows tools/list and lists none is an error. */
export async function fetchCatalog(options: FetchOptions): Promise<Fetched> {
  const { server, upstream, now } = options;
  const handshake = await upstream.open();
  const fetchedAtMs = now();
  const pages = await fetchPages(options, handshake);
  const base = { handshake, fetchedAtMs };
  if (pages === undefined) {
    return { ...base, tools: [], ttlHintMs: undefined, problem: undefined, notes: [] };
  }
  if (pages.tools.length === 0) {
    const message = `Cannot list the tools of "${server}": it listed no tools`;
    throw new UpstreamError("protocol", message, {
      hint: "Check its configuration and permissions",
    });
  }
  return { ...base, ...pages };
}
