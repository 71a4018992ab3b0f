// What an upstream offers: its handshake and all its tools, and how a tool is found by any of the
// names a model may use for it. Pure. Hidden tools are not in it under any spelling.
import { isObject, type JsonObject } from "../json-rpc.ts";

/** A tool exactly as the upstream sent it; anything beyond `name` may be missing or odd. */
export interface Tool extends JsonObject {
  readonly name: string;
}

/** What was fetched, as received. */
export interface Snapshot {
  /** Unix time of the fetch. */
  readonly fetchedAtMs: number;
  /** The upstream's whole `initialize` result. */
  readonly handshake: JsonObject;
  /** All tools of all pages of `tools/list`; a stored list may hold odd elements. */
  readonly tools: readonly unknown[];
  /** `ttlMs` of the upstream's result, if it gave one. */
  readonly ttlHintMs: number | undefined;
}

/** The tools a model may reach, in the upstream's order, each name once. */
export interface Catalog {
  readonly tools: readonly Tool[];
  /**
   * Tries the exact upstream spelling, then the exposed name, then regardless of case, then the
   * same without a prefix such as `mcp__server__`, `server.` or `server:`.
   */
  find(name: string): Tool | undefined;
}

/** Whether a listed element can be called at all. */
export function isTool(value: unknown): value is Tool {
  return isObject(value) && typeof value.name === "string" && value.name !== "";
}

/** `*` stands for any run of characters; case does not matter. */
function createNameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*");
    return new RegExp(`^${escaped}$`, "is");
  });
  return (name) => expressions.some((expression) => expression.test(name));
}

/** What may stand before a name when a host or a model writes the server into it. */
function withoutPrefix(name: string, server: string): string[] {
  const rests: string[] = [];
  const mcp = /^mcp__.+?__(.+)$/s.exec(name)?.[1];
  if (mcp !== undefined) rests.push(mcp);
  if (name.toLowerCase().startsWith(server.toLowerCase())) {
    const rest = /^(?:__|[.:/_-])(.+)$/s.exec(name.slice(server.length))?.[1];
    if (rest !== undefined) rests.push(rest);
  }
  const qualified = /^[\w-]+[.:/](.+)$/s.exec(name)?.[1];
  if (qualified !== undefined) rests.push(qualified);
  return rests;
}

export function createCatalog(options: {
  readonly server: string;
  readonly tools: readonly unknown[];
  /** Names or `*` globs, as configured. */
  readonly hidden: readonly string[];
  /** Exposed name to upstream name, for tools whose exposed name is not just their lower case. */
  readonly exposedNames?: ReadonlyMap<string, string>;
}): Catalog {
  const { server, hidden, exposedNames } = options;
  const isHidden = createNameMatcher(hidden);
  const byName = new Map<string, Tool>();
  const hiddenNames = new Set<string>();
  for (const tool of options.tools) {
    if (!isTool(tool) || byName.has(tool.name)) continue;
    if (isHidden(tool.name)) hiddenNames.add(tool.name);
    else byName.set(tool.name, tool);
  }
  const byLowerCase = new Map<string, Tool>();
  for (const tool of byName.values()) {
    const key = tool.name.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, tool);
  }

  function findPlain(name: string): Tool | undefined {
    const exact = byName.get(name);
    if (exact !== undefined) return exact;
    const exposed = exposedNames?.get(name) ?? exposedNames?.get(name.toLowerCase());
    if (exposed !== undefined) return byName.get(exposed);
    return byLowerCase.get(name.toLowerCase());
  }

  return {
    tools: [...byName.values()],
    find(name) {
      const exact = byName.get(name);
      if (exact !== undefined) return exact;
      const trimmed = name.trim();
      for (const candidate of [name, trimmed, ...withoutPrefix(trimmed, server)]) {
        if (hiddenNames.has(candidate)) return undefined;
        const tool = findPlain(candidate);
        if (tool !== undefined) return tool;
      }
      return undefined;
    },
  };
}
