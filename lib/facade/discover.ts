// The text that discover answers with: hits as call signatures, the rest as names, or the whole
// list. DESIGN.md section 7. What is found, and how strong it is, is search/rank.ts's.
import type { Tool } from "../catalog/catalog.ts";
import { firstSentence } from "../schema/sentence.ts";
import { renderSignature } from "../schema/signature.ts";
import { visibleLine, visibleText } from "../schema/visible-text.ts";
import { nearestNames } from "../search/nearest.ts";
import type { Hit, SearchIndex } from "../search/rank.ts";
import { capabilityMap } from "../search/topics.ts";
import { renderNames } from "./name-list.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
/** UTF-16 units of a hit's line. */
const MAX_LINE = 200;
/** This many hits are shown in full however weak they are. */
const MIN_FULL = 3;

export function renderDiscovery(options: {
  readonly tools: readonly Tool[];
  /** Asked for only when there is something to search for. */
  readonly index: () => SearchIndex;
  readonly query: string | undefined;
  /** As the model gave it; anything but a number means the default. */
  readonly limit: unknown;
}): string {
  const { tools, index, query = "", limit } = options;
  const words = visibleText(query).trim();
  if (words === "" || words === "*" || tools.length === 0) return renderNames(tools);
  if (words.includes("*")) {
    const some = toolsNamed(words, tools);
    if (some.length > 0) return renderNames(some, { pattern: words, total: tools.length });
  }
  const hits = index().search(words, clampLimit(limit));
  return hits.length === 0 ? renderNothing(words, tools) : renderHits(hits, tools.length);
}

/** Digits in a string are taken; anything else is the default. */
function clampLimit(limit: unknown): number {
  const wanted = typeof limit === "string" && limit.trim() !== "" ? Number(limit) : limit;
  if (typeof wanted !== "number" || !Number.isFinite(wanted)) return DEFAULT_LIMIT;
  return Math.min(MAX_LIMIT, Math.max(1, Math.trunc(wanted)));
}

/** Tools whose name fits a pattern in which `*` stands for anything. */
function toolsNamed(pattern: string, tools: readonly Tool[]): readonly Tool[] {
  const pieces = pattern.toLowerCase().split("*");
  return tools.filter((tool) => fitsPieces(tool.name.toLowerCase(), pieces));
}

function fitsPieces(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + last.length <= name.length;
}

function renderHits(hits: readonly Hit[], total: number): string {
  const strong = hits.filter((hit) => hit.strong).length;
  const full = Math.max(strong, Math.min(MIN_FULL, hits.length));
  const head = `${hits.length} of ${total} tools, best first`;
  const lines = [
    strong > 0
      ? `${head}:`
      : `${head}. No sure match: try other words, or an empty query to list all names.`,
    ...hits.slice(0, full).map((hit) => renderHit(hit.tool)),
  ];
  const rest = hits.slice(full).map((hit) => visibleLine(hit.tool.name));
  if (rest.length > 0) lines.push(`Also: ${rest.join(", ")}`);
  return lines.join("\n");
}

function renderHit(tool: Tool): string {
  const signature = renderSignature(tool, { maxLength: MAX_LINE });
  const room = MAX_LINE - signature.length - 3;
  const description = typeof tool.description === "string" ? tool.description : "";
  const sentence = room < 20 ? "" : firstSentence(visibleText(description), room);
  return sentence === "" ? signature : `${signature} - ${sentence}`;
}

function renderNothing(words: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => visibleLine(tool.name));
  const nearest = nearestNames(words, names);
  const shown = words.length > 60 ? `${words.slice(0, 60)}…` : words;
  const close = nearest.length > 0 ? `Closest names: ${nearest.join(", ")}. ` : "";
  return (
    `No tool matches "${visibleLine(shown)}". ${close}Here are ${capabilityMap(tools)}. ` +
    "Try other words, or an empty query to list all names."
  );
}
