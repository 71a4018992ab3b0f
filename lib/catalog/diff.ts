// What changed between two lists of tools, for people. Pure.
import { canonicalJson } from "../canonical-json.ts";
import { isObject } from "../json-rpc.ts";

export interface CatalogDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

function textByName(tools: readonly unknown[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const tool of tools) {
    if (!isObject(tool) || typeof tool.name !== "string" || texts.has(tool.name)) continue;
    texts.set(tool.name, canonicalJson(tool));
  }
  return texts;
}

export function diffTools(before: readonly unknown[], after: readonly unknown[]): CatalogDiff {
  const old = textByName(before);
  const now = textByName(after);
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now]
      .filter(([name, text]) => old.has(name) && old.get(name) !== text)
      .map(([name]) => name),
  };
}

/** `added a, b; removed c`, or undefined when nothing changed. Long lists are cut to `limit` names. */
export function renderDiff(diff: CatalogDiff, limit = 10): string | undefined {
  const parts: string[] = [];
  for (const kind of ["added", "removed", "changed"] as const) {
    const names = diff[kind];
    if (names.length === 0) continue;
    const rest = names.length > limit ? ` and ${names.length - limit} more` : "";
    parts.push(`${kind} ${names.slice(0, limit).join(", ")}${rest}`);
  }
  return parts.length === 0 ? undefined : parts.join("; ");
}
