// Every name of a catalog in a fixed size: one a line while they fit; else names that begin alike
// are written together, `disk_{create, delete}` for disk_create and disk_delete; if not even that
// fits, groups with their counts, each of which can be asked for.
import type { Tool } from "../catalog/catalog.ts";
import { visibleLine } from "../schema/visible-text.ts";

/** UTF-8 bytes of the whole text, with room for its first line. */
const MAX_BYTES = 24 * 1024;
const HEAD_BYTES = 400;
const LAST_LINE_BYTES = 60;
/** Groups with counts are an overview; a longer one would cost a model more than it tells. */
const MAX_GROUPS = 150;

export function renderNames(
  tools: readonly Tool[],
  part?: { readonly pattern: string; readonly total: number },
): string {
  if (tools.length === 0) return "This server offers no tools.";
  const names = tools.map((tool) => visibleLine(tool.name));
  const noun = names.length === 1 ? "tool" : "tools";
  const count =
    part === undefined
      ? `${names.length} ${noun}`
      : `${names.length} of ${part.total} tools fit ${part.pattern}`;
  const room = MAX_BYTES - HEAD_BYTES - sizeOf(count);
  const plain = names.join("\n");
  if (sizeOf(plain) <= room) {
    return `${count}, all names. Search with a few words to see how to call them.\n${plain}`;
  }
  const root = buildTree(names);
  const grouped = renderGrouped(root).join("\n");
  if (sizeOf(grouped) <= room) {
    return `${count}, all names. x_{a, b} stands for x_a and x_b.\n${grouped}`;
  }
  const groups = renderCounts(root, room);
  return (
    `${count}, too many to list every name. These are groups of names with their counts: ` +
    "search with a group such as x_* to see its names, or with a few words to find a tool.\n" +
    groups.join("\n")
  );
}

/** UTF-8 bytes. */
function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Names with a common beginning. */
interface Node {
  readonly prefix: string;
  readonly names: readonly string[];
  readonly children: readonly Node[];
}

/** A beginning ends after a separator, before a capital, or anywhere if neither parts the names. */
function buildTree(names: readonly string[]): Node {
  const sorted = [...new Set(names)].sort((a, b) => (a < b ? -1 : 1));
  return buildNode("", sorted);
}

function buildNode(prefix: string, names: readonly string[]): Node {
  if (names.length <= 1) return { prefix, names, children: [] };
  const byPart = partition(names, (name) => nextPart(name, prefix.length));
  const useful = byPart.size > 1 && byPart.size * 2 <= names.length;
  const parts = useful ? byPart : byLetter(prefix, names);
  if (parts.size <= 1) {
    // All go on alike, or differ in their last letter only.
    const [only] = [...parts.keys()];
    if (only === undefined || only === prefix) return { prefix, names, children: [] };
    return buildNode(only, names);
  }
  const children = [...parts].map(([key, list]) => buildNode(key, list));
  return { prefix, names, children };
}

function byLetter(prefix: string, names: readonly string[]): Map<string, string[]> {
  return partition(names, (name) => {
    const beyondBmp = (name.codePointAt(prefix.length) ?? 0) > 0xffff;
    return prefix.length + (beyondBmp ? 2 : 1);
  });
}

function partition(
  names: readonly string[],
  endOf: (name: string) => number,
): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  for (const name of names) {
    const key = name.slice(0, endOf(name));
    const list = parts.get(key);
    if (list === undefined) parts.set(key, [name]);
    else list.push(name);
  }
  return parts;
}

/** End of the part of a name that begins at `from`. */
function nextPart(name: string, from: number): number {
  const rest = name.slice(from);
  const match = /[_\-./: ]+(?=.)|(?<=[\p{Ll}\d])(?=\p{Lu})/u.exec(rest);
  return match === null ? name.length : from + match.index + match[0].length;
}

/** The shortest of writing a node's names together or by its children, one line a group. */
function renderGrouped(node: Node): readonly string[] {
  const lines = node.children.length === 0 ? [...node.names] : node.children.flatMap(renderGrouped);
  if (node.prefix.length < 3 || node.names.length < 2) return lines;
  const rests = foldNumbers(node.names.map((name) => name.slice(node.prefix.length)));
  const together = `${node.prefix}{${rests.join(", ")}}`;
  const apart = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return together.length + 1 < apart ? [together] : lines;
}

/** `1, 2, 3, 4` becomes `1..4`. */
function foldNumbers(rests: readonly string[]): string[] {
  const folded: string[] = [];
  const numeric = rests.filter((rest) => /^\d{1,9}$/.test(rest));
  numeric.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  let first: string | undefined;
  let last: string | undefined;
  const flush = () => {
    if (first === undefined || last === undefined) return;
    const count = Number(last) - Number(first) + 1;
    if (count > 2) folded.push(`${first}..${last}`);
    else folded.push(...(first === last ? [first] : [first, last]));
  };
  for (const rest of numeric) {
    const follows = last !== undefined && follow(last, rest);
    if (!follows) {
      flush();
      first = rest;
    }
    last = rest;
  }
  flush();
  return [...folded, ...rests.filter((rest) => !/^\d{1,9}$/.test(rest))];
}

/** 09 is followed by 10, 9 by 10, but 099 not by 0100 and 9 not by 010. */
function follow(before: string, after: string): boolean {
  if (Number(after) !== Number(before) + 1) return false;
  return before.length === after.length || (!before.startsWith("0") && !after.startsWith("0"));
}

/** The largest groups of the tree, opened level by level as far as `MAX_GROUPS` allows. */
function renderCounts(root: Node, room: number): string[] {
  const groups = openTree(root);
  const kept = new Set(
    [...groups].sort((a, b) => b.names.length - a.names.length).slice(0, MAX_GROUPS),
  );
  const lines: string[] = [];
  let left = room - LAST_LINE_BYTES;
  let shown = 0;
  for (const node of groups) {
    if (!kept.has(node)) continue;
    const [only = ""] = node.names;
    const line = node.names.length === 1 ? only : `${node.prefix}* (${node.names.length})`;
    left -= sizeOf(line) + 1;
    if (left < 0) break;
    shown += node.names.length;
    lines.push(line);
  }
  const missing = root.names.length - shown;
  if (missing > 0) lines.push(`and ${missing} more: search with a letter such as a* to see them`);
  return lines;
}

function openTree(root: Node): readonly Node[] {
  let open: readonly Node[] = [root];
  for (;;) {
    const next = open.flatMap(childrenOf);
    if (next.length === open.length) return open;
    if (next.length > MAX_GROUPS && open.length > 1) break;
    open = next;
  }
  // The next level is too much for all of them; open those that hold a large share.
  const large = new Set(open.filter((node) => node.names.length * 20 > root.names.length));
  const next = open.flatMap((node) => (large.has(node) ? childrenOf(node) : [node]));
  return next.length <= MAX_GROUPS ? next : open;
}

function childrenOf(node: Node): readonly Node[] {
  return node.children.length === 0 ? [node] : node.children;
}
