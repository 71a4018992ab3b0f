// The capability map: what a catalog is about, in one line made from the tools' names alone, so
// that a model knows there is something to look for. Deterministic, at most 58 tokens.
import type { Tool } from "../catalog/catalog.ts";
import { NOUN_PHRASES } from "./nouns.ts";
import { stem } from "./stem.ts";
import { STOP_WORDS, WEAK_WORDS } from "./stop-words.ts";
import { estimateTokens } from "./token-estimate.ts";
import { VERB_GROUPS } from "./verbs.ts";
import { nameWords } from "./words.ts";

const MAX_TOKENS = 56;
const MAX_TOPICS = 24;
/** Names beyond this many are taken as a sample; bounds the work at start-up. */
const MAX_TOOLS = 3000;
/** A word in more than this share of the names says nothing about one of them. */
const COMMON_SHARE = 0.6;
/** Two words that stand together often enough tell more than one of them. */
const PAIR_BONUS = 1.3;
const VERSION = /^v\d+$/;
const PLAIN_WORD = /^[a-z][a-z0-9]{1,23}$/;
const WORD = /^\p{L}[\p{L}\p{N}]{1,23}$/u;

/** `117 tools: storage 20, sql 12, virtual desktop 5`. Empty for an empty catalog. */
export function capabilityMap(tools: readonly Tool[]): string {
  if (tools.length === 0) return "";
  const head = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  let line = head;
  let tokens = estimateTokens(head);
  for (const { label, count } of findTopics(tools.slice(0, MAX_TOOLS))) {
    const piece = `${line === head ? ": " : ", "}${label}${count > 1 ? ` ${count}` : ""}`;
    tokens += estimateTokens(piece);
    if (tokens > MAX_TOKENS) break;
    line += piece;
  }
  return line;
}

interface Topic {
  readonly label: string;
  /** Tools it stands in the names of. */
  readonly count: number;
}

interface Candidate {
  readonly label: string;
  readonly tools: Set<number>;
  readonly bonus: number;
}

/** Topics in the order of how many tools each adds to those before it. */
function findTopics(tools: readonly Tool[]): Topic[] {
  const left = new Set(collectCandidates(tools));
  const covered = new Set<number>();
  const topics: Topic[] = [];
  while (topics.length < MAX_TOPICS) {
    let best: Candidate | undefined;
    let bestGain = 0;
    for (const candidate of left) {
      // What a candidate has in all is the most it can add.
      if (candidate.tools.size * candidate.bonus <= bestGain) continue;
      let added = 0;
      for (const tool of candidate.tools) if (!covered.has(tool)) added++;
      if (added === 0) left.delete(candidate);
      if (added * candidate.bonus <= bestGain) continue;
      best = candidate;
      bestGain = added * candidate.bonus;
    }
    if (best === undefined) break;
    left.delete(best);
    for (const tool of best.tools) covered.add(tool);
    topics.push({ label: best.label, count: best.tools.size });
  }
  return topics;
}

function collectCandidates(tools: readonly Tool[]): readonly Candidate[] {
  const nouns = nounsOfNames(tools);
  const stems = new Map<string, string>();
  const stemOf = (word: string): string => {
    const known = stems.get(word) ?? stem(word);
    stems.set(word, known);
    return known;
  };
  const byKey = new Map<string, Candidate>();
  const put = (words: readonly string[], tool: number): void => {
    const key = words.map(stemOf).join(" ");
    const known = byKey.get(key);
    if (known !== undefined) known.tools.add(tool);
    else {
      const bonus = words.length > 1 ? PAIR_BONUS : 1;
      byKey.set(key, { label: words.join(" "), tools: new Set([tool]), bonus });
    }
  };
  for (const [number, own] of nouns.entries()) {
    for (const [i, word] of own.entries()) {
      put([word], number);
      const next = own[i + 1];
      if (next !== undefined) put([word, next], number);
    }
  }
  return [...byKey.values()];
}

/** What each tool deals with: its name without what it does and without what all names have. */
function nounsOfNames(tools: readonly Tool[]): readonly (readonly string[])[] {
  const verbs = new Set(VERB_GROUPS.join(" ").split(" "));
  const fillers = new Set([...STOP_WORDS, ...WEAK_WORDS].join(" ").split(" "));
  const phrases = new Set(NOUN_PHRASES);
  const names = tools.map((tool) => {
    const words = typeof tool.name === "string" ? nameWords(tool.name.slice(0, 100)) : [];
    return words.filter((word) => isWord(word) && !VERSION.test(word));
  });
  const havingOf = new Map<string, number>();
  for (const words of names) {
    for (const word of new Set(words)) havingOf.set(word, (havingOf.get(word) ?? 0) + 1);
  }
  const limit = names.length === 2 ? 1 : Math.max(2, names.length * COMMON_SHARE);
  return names.map((words) => {
    const telling = words.filter((word) => (havingOf.get(word) ?? 0) <= limit);
    const things = withoutVerbs(telling, { verbs, phrases }).filter((word) => !fillers.has(word));
    return things.length > 0 ? things : telling.length > 0 ? telling : words;
  });
}

/** The plain test first: the other pattern takes long to be made. */
function isWord(word: string): boolean {
  return PLAIN_WORD.test(word) || (word.charCodeAt(0) > 127 && WORD.test(word));
}

/** Without the verb at the beginning or, failing that, at the end; other verbs are part of a noun. */
function withoutVerbs(
  words: readonly string[],
  {
    verbs,
    phrases,
  }: { readonly verbs: ReadonlySet<string>; readonly phrases: ReadonlySet<string> },
): readonly string[] {
  const [first = "", second = "", third = ""] = words;
  if (verbs.has(first) && !phrases.has(`${first} ${second}`)) {
    const joined = (second === "or" || second === "and") && verbs.has(third);
    return words.slice(joined ? 3 : 1);
  }
  return verbs.has(words.at(-1) ?? "") ? words.slice(0, -1) : words;
}
