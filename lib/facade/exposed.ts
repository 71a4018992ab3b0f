// The list the host sees: used tools in configured order, compressed and safe for model APIs, then
// the meta-tools. Deterministic, because models' prompt caches depend on it byte for byte.
import { type Catalog, createCatalog, type Tool } from "../catalog/catalog.ts";
import type { StoredView } from "../catalog/store.ts";
import type { ServerEntry } from "../config/server-entry.ts";
import { compressTool } from "../schema/compress.ts";
import { exposedName } from "../schema/provider-safe.ts";
import { visibleText } from "../schema/visible-text.ts";
import { nearestNames } from "../search/nearest.ts";
import { capabilityMap } from "../search/topics.ts";
import { META_TOOLS, metaToolDefinitions } from "./meta-tools.ts";
import { viewKeyOf } from "./view-key.ts";

interface Exposed {
  readonly tool: Tool;
  readonly name: string;
}

export interface Selection {
  /** All tools that are not hidden. */
  readonly catalog: Catalog;
  readonly exposed: readonly Exposed[];
  /** Used names for which there is no tool. */
  readonly missing: readonly string[];
  /** One line for each used name that could not be exposed. */
  readonly notes: readonly string[];
}

/** Which tools are exposed, and under which names. */
export function selectUsed(tools: readonly unknown[], entry: ServerEntry): Selection {
  const catalog = createCatalog({ server: entry.name, tools, hidden: entry.hidden });
  const metaNames = new Set(META_TOOLS.map((meta) => `${entry.metaPrefix}${meta}`.toLowerCase()));
  // An exposed name must not be another tool's own spelling: lookups try that first.
  const taken = new Set([...catalog.tools.map((tool) => tool.name), ...metaNames]);
  const chosen = new Set<Tool>();
  const exposed: Exposed[] = [];
  const missing = new Set<string>();
  const notes: string[] = [];
  for (const used of entry.used) {
    const tool = catalog.find(used);
    if (tool === undefined) {
      missing.add(used);
      notes.push(`Cannot expose "${used}": ${whyMissing(used, { tools, catalog, entry })}`);
      continue;
    }
    if (chosen.has(tool)) continue;
    chosen.add(tool);
    if (metaNames.has(tool.name.toLowerCase())) {
      const state = "a meta-tool has this name; it stays reachable through call";
      notes.push(`Cannot expose "${tool.name}": ${state}, or set metaPrefix`);
      continue;
    }
    taken.delete(tool.name);
    const name = exposedName(tool.name, taken);
    taken.add(tool.name);
    if (name === undefined) {
      notes.push(`Cannot expose "${used}": its name has no character that model APIs allow`);
      continue;
    }
    taken.add(name);
    exposed.push({ tool, name });
  }
  return { catalog, exposed, missing: [...missing], notes };
}

function whyMissing(
  used: string,
  among: {
    readonly tools: readonly unknown[];
    readonly catalog: Catalog;
    readonly entry: ServerEntry;
  },
): string {
  const { tools, catalog, entry } = among;
  const all = createCatalog({ server: entry.name, tools, hidden: [] });
  if (all.find(used) !== undefined) return 'it is in "hidden", which goes before "used"';
  if (used.includes("*")) return 'a "*" stands for many names in "hidden" only';
  const names = catalog.tools.map((tool) => tool.name);
  const near = nearestNames(used, names, 3);
  const hint = near.length === 0 ? "" : `; the nearest are ${near.join(", ")}`;
  return `the upstream does not offer it${hint}`;
}

/** Exposed name to upstream name, for `createCatalog`. */
export function exposedNamesOf(selection: Selection): ReadonlyMap<string, string> {
  return new Map(selection.exposed.map(({ name, tool }) => [name, tool.name]));
}

/** The whole `tools/list` result for this catalog and configuration. */
export function renderView(tools: readonly unknown[], entry: ServerEntry): StoredView {
  const selection = selectUsed(tools, entry);
  const notes = [...selection.notes];
  const used = selection.exposed.map(({ tool, name }) => {
    const compressed = compressTool(tool, name);
    notes.push(...compressed.repairs.map((repair) => `Tool "${tool.name}": ${repair}`));
    return compressed.tool;
  });
  // What the catalog is about, for the description of discover.
  const map = capabilityMap(selection.catalog.tools);
  const all = [...used, ...metaToolDefinitions(entry.metaPrefix, map)];
  return {
    key: viewKeyOf(entry),
    text: JSON.stringify({ tools: all }),
    notes: notes.map(visibleText),
  };
}
