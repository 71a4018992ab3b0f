// The capability map: what a catalog is about, in one line made from the tools' names alone, so
// that a model knows there is something to look for. Deterministic, at most 58 tokens.
import type { Tool } from "../catalog/catalog.ts";
import { stem } from "./stem.ts";
import { STOP_WORDS, WEAK_WORDS } from "./stop-words.ts";
import { VERB_GROUPS } from "./synonyms.ts";
import { estimateTokens } from "./token-estimate.ts";
import { nameWords } from "./words.ts";

const MAX_TOKENS = 56;
/** A word in more than this share of the names is the server's own name. */
const COMMON_SHARE = 0.8;

/** `117 tools: storage 20, sql 12, virtual desktop 5`. Empty for an empty catalog. */
export function capabilityMap(tools: readonly Tool[]): string {
  if (tools.length === 0) return "";
  const topics = findTopics(tools);
  const head = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  let line = head;
  let tokens = estimateTokens(head);
  for (const topic of topics) {
    const piece = `${line === head ? ": " : ", "}${topic.label}${topic.count > 1 ? ` ${topic.count}` : ""}`;
    const cost = estimateTokens(piece);
    if (tokens + cost > MAX_TOKENS) break;
    line += piece;
    tokens += cost;
  }
  return line;
}

interface Topic {
  readonly label: string;
  readonly count: number;
}

interface Candidate {
  readonly label: string;
  readonly tools: Set<number>;
  readonly parts: number;
}

/** Topics in the order of how many tools each adds to those before it. */
function findTopics(tools: readonly Tool[]): Topic[] {
  const candidates = collectCandidates(tools);
  const covered = new Set<number>();
  const topics: Topic[] = [];
  const left = new Set(candidates);
  while (left.size > 0 && topics.length < 24) {
    let best: Candidate | undefined;
    let bestGain = 0;
    for (const candidate of left) {
      let gain = 0;
      for (const tool of candidate.tools) if (!covered.has(tool)) gain++;
      gain *= candidate.parts > 1 ? 1.3 : 1;
      if (gain > bestGain) {
        best = candidate;
        bestGain = gain;
      }
    }
    if (best === undefined) break;
    left.delete(best);
    for (const tool of best.tools) covered.add(tool);
    topics.push({ label: best.label, count: best.tools.size });
  }
  return topics;
}

function collectCandidates(tools: readonly Tool[]): readonly Candidate[] {
  const skip = new Set([...STOP_WORDS, ...WEAK_WORDS].join(" ").split(" ").map(stem));
  for (const line of VERB_GROUPS) for (const word of line.split(" ")) skip.add(stem(word));
  const byKey = new Map<string, Candidate>();
  const put = (key: string, label: string, tool: number, parts: number) => {
    const known = byKey.get(key);
    if (known !== undefined) known.tools.add(tool);
    else byKey.set(key, { label, tools: new Set([tool]), parts });
  };
  for (const [number, tool] of tools.entries()) {
    const words = nameWords(String(tool.name).slice(0, 100)).filter((w) => /^\p{L}{2,24}/u.test(w));
    const nouns = words.filter((word) => !skip.has(stem(word)));
    for (const [i, word] of nouns.entries()) {
      put(stem(word), word, number, 1);
      const next = nouns[i + 1];
      if (next !== undefined) put(`${stem(word)} ${stem(next)}`, `${word} ${next}`, number, 2);
    }
    if (nouns.length === 0 && words.length > 0) put(words.join(" "), words.join(" "), number, 1);
  }
  const common = tools.length * COMMON_SHARE;
  return [...byKey.values()].filter((c) => tools.length < 3 || c.tools.size <= common);
}
