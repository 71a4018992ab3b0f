// Every name of a catalog within a fixed size: one a line while they fit, then grouped by what they
// begin with, then groups with counts.
import type { Tool } from "../catalog/catalog.ts";
import { visibleText } from "../schema/visible-text.ts";

const MAX_BYTES = 24 * 1024 - 200;

export function renderNames(
  tools: readonly Tool[],
  part?: { readonly pattern: string; readonly total: number },
): string {
  if (tools.length === 0) return "This server offers no tools.";
  const names = tools.map((tool) => visibleText(tool.name).replace(/\s+/g, " "));
  const what =
    part === undefined
      ? `${names.length} tools`
      : `${names.length} of ${part.total} tools are named ${part.pattern}`;
  const plain = names.join("\n");
  if (byteLength(plain) <= MAX_BYTES) {
    return `${what}, all names. Search with a few words to see how to call them.\n${plain}`;
  }
  const grouped = plain.slice(0, MAX_BYTES / 4);
  return `${what}, too many to list.\n${grouped}`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
