// Finds the tools a request is about: BM25F over slots of alternatives, then factors for how much
// of the tool's name and of the request is explained, and for the verb. Deterministic; owns nothing
// but the order of hits. How the answer looks is facade/discover.ts's.
import type { Tool } from "../catalog/catalog.ts";
import { createIntentReader, toolVerbs } from "./intent.ts";
import { createInvertedIndex, FIELD, type InvertedIndex, inverseFrequency } from "./inverted.ts";
import { createVocabulary, rawWords, weighWords } from "./query.ts";
import { createRelatives } from "./relatives.ts";
import { createSlots, isForeign, type Slot, translatedSlots } from "./slots.ts";
import { createThesaurus, type Thesaurus } from "./thesaurus.ts";
import { createTranslator } from "./translation.ts";
import { WEIGHTS } from "./weights.ts";
import { fold, hasDenseScript, squash } from "./words.ts";

export interface Hit {
  readonly tool: Tool;
  readonly score: number;
  /** Close enough to the best hit, and to the request, to be shown in full. */
  readonly strong: boolean;
}

export interface SearchIndex {
  /** Best first, `limit` at most. Empty only when no word of the request is in any tool. */
  search(query: string, limit: number): readonly Hit[];
}

/** Alternatives from this share on count as the same thing when a word's rarity is judged. */
const UNION_SHARE = 0.45;
const RUN_SHARE = 0.5;
const MAX_RUN = 6;
const SINGULAR = 1;
const PLURAL = 2;

export function createSearchIndex(tools: readonly Tool[]): SearchIndex {
  const index = createInvertedIndex(tools);
  const thesaurus = createThesaurus();
  const vocabulary = createVocabulary();
  const relatives = createRelatives(index, thesaurus.words);
  const intent = createIntentReader(thesaurus);
  const verbs = toolVerbs(index, thesaurus);
  const names = exactNames(tools);
  const isVerb = (stemmed: string) => thesaurus.verbGroups(stemmed).length > 0;
  const slotTools = { index, thesaurus, relatives, translator: createTranslator() };
  const fillers = new Set<number>();
  for (const word of [...vocabulary.stop, "all", "specific", "given", "existing"]) {
    const term = index.surfaces.get(word);
    if (term !== undefined) fillers.add(term);
  }
  return {
    search(query, limit) {
      const raw = rawWords(query, isVerb);
      const foreign = isForeign(raw, { ...slotTools, vocabulary });
      const words = weighWords(raw, { vocabulary, foreign });
      const slots = createSlots(words, slotTools, { foreign });
      const translated = hasDenseScript(query)
        ? translatedSlots(fold(query.slice(0, 500)), slotTools)
        : { slots: [], stems: [] };
      slots.push(...translated.slots);
      const verbsAsked = intent.requested(raw);
      const scoring = scoreSlots(slots, index);
      applyNameCoverage(scoring, slots, index);
      applyVerbs(
        scoring.scores,
        verbsAsked.length > 0
          ? verbsAsked
          : translated.stems.flatMap((s) => [...thesaurus.verbGroups(s)]),
        verbs,
        thesaurus,
      );
      applyRuns(scoring.scores, slots, { index, fillers });
      applyExactNames(scoring.scores, query, names);
      return best(scoring, tools, limit);
    },
  };
}

interface Scoring {
  readonly scores: Float64Array;
  /** Share of the request's weight each tool explains, 0 to 1. */
  readonly coverage: Float64Array;
}

/** Rarity of what a slot asks for: of its word, or of all that stands for a word no tool has. */
function slotIdf(slot: Slot, index: InvertedIndex): number {
  if (slot.own !== undefined) return index.idf[slot.own] ?? 0;
  let having = 0;
  for (const [term, share] of slot.terms) {
    if (share >= UNION_SHARE) having += (index.start[term + 1] ?? 0) - (index.start[term] ?? 0);
  }
  return inverseFrequency(index.toolCount, Math.min(having, index.toolCount));
}

function scoreSlots(slots: readonly Slot[], index: InvertedIndex): Scoring {
  const count = index.toolCount;
  const scores = new Float64Array(count);
  const coverage = new Float64Array(count);
  const values = new Float64Array(count);
  const shares = new Float64Array(count);
  let mass = 0;
  for (const slot of slots) {
    if (slot.terms.size === 0) continue;
    const idf = slotIdf(slot, index);
    values.fill(0);
    shares.fill(0);
    for (const [term, share] of slot.terms) {
      const value = share * Math.min(idf, index.idf[term] ?? 0) * slot.weight;
      const end = index.start[term + 1] ?? 0;
      for (let i = index.start[term] ?? 0; i < end; i++) {
        const d = index.toolOf[i] ?? 0;
        const tf = index.weightOf[i] ?? 0;
        const v = (value * tf * (WEIGHTS.k1 + 1)) / (tf + WEIGHTS.k1);
        if (v > (values[d] ?? 0)) values[d] = v;
        if (share > (shares[d] ?? 0)) shares[d] = share;
      }
    }
    const weight = idf * slot.weight;
    mass += weight;
    for (let d = 0; d < count; d++) {
      const v = values[d] ?? 0;
      if (v === 0) continue;
      scores[d] = (scores[d] ?? 0) + v;
      coverage[d] = (coverage[d] ?? 0) + weight * (shares[d] ?? 0);
    }
  }
  for (let d = 0; d < count; d++) {
    if (mass > 0) coverage[d] = (coverage[d] ?? 0) / mass;
    scores[d] = (scores[d] ?? 0) * (1 + WEIGHTS.queryCoverage * (coverage[d] ?? 0));
  }
  return { scores, coverage };
}

function applyNameCoverage(scoring: Scoring, slots: readonly Slot[], index: InvertedIndex): void {
  const { scores } = scoring;
  const explained = new Float32Array(index.termTexts.length);
  const numbers = new Map<number, number>();
  for (const slot of slots) {
    if (slot.own !== undefined)
      numbers.set(slot.own, (numbers.get(slot.own) ?? 0) | (slot.plural ? PLURAL : SINGULAR));
    for (const [term, share] of slot.terms) {
      if (share > (explained[term] ?? 0)) explained[term] = share;
    }
  }
  for (let d = 0; d < scores.length; d++) {
    if (scores[d] === 0) continue;
    let mass = 0;
    let got = 0;
    const end = index.textStart[d + 1] ?? 0;
    for (let i = index.textStart[d] ?? 0; i < end && index.textField[i] === FIELD.name; i++) {
      const term = index.textTerm[i] ?? 0;
      const idf = index.idf[term] ?? 0;
      mass += idf;
      const asked = numbers.get(term) ?? SINGULAR | PLURAL;
      const agrees = (asked & (index.textPlural[i] === 1 ? PLURAL : SINGULAR)) !== 0;
      got += idf * (explained[term] ?? 0) * (agrees ? 1 : WEIGHTS.otherNumber);
    }
    if (mass > 0) scores[d] = (scores[d] ?? 0) * (1 + (WEIGHTS.nameCoverage * got) / mass);
  }
}

function applyVerbs(
  scores: Float64Array,
  requested: readonly number[],
  verbs: readonly (readonly number[])[],
  thesaurus: Thesaurus,
): void {
  if (requested.length === 0) return;
  for (let d = 0; d < scores.length; d++) {
    const own = verbs[d] ?? [];
    if (scores[d] === 0 || own.length === 0) continue;
    if (own.some((group) => requested.includes(group))) {
      scores[d] = (scores[d] ?? 0) * WEIGHTS.sameVerb;
    } else if (own.some((group) => requested.every((r) => thesaurus.opposed(r, group)))) {
      scores[d] = (scores[d] ?? 0) * WEIGHTS.opposedVerb;
    }
  }
}

/**
 * Words of the request that stand together in the same order in a name, title or first sentence
 * (filler between them aside) tell more than the same words apart.
 */
function applyRuns(
  scores: Float64Array,
  slots: readonly Slot[],
  options: { index: InvertedIndex; fillers: ReadonlySet<number> },
): void {
  const { index, fillers } = options;
  const slotsOf = new Map<number, number[]>();
  for (const [number, slot] of slots.entries()) {
    for (const [term, share] of slot.terms) {
      if (share < RUN_SHARE) continue;
      const list = slotsOf.get(term);
      if (list === undefined) slotsOf.set(term, [number]);
      else list.push(number);
    }
  }
  for (let d = 0; d < scores.length; d++) {
    if (scores[d] === 0) continue;
    const gain = longestRuns(d, { index, fillers, slotsOf });
    if (gain > 0) scores[d] = (scores[d] ?? 0) * (1 + WEIGHTS.run * gain);
  }
}

function longestRuns(
  d: number,
  tools: {
    index: InvertedIndex;
    fillers: ReadonlySet<number>;
    slotsOf: ReadonlyMap<number, number[]>;
  },
): number {
  const { index, fillers, slotsOf } = tools;
  let total = 0;
  let longest = 0;
  let field = -1;
  let ends = new Map<number, number>();
  const end = index.textStart[d + 1] ?? 0;
  for (let i = index.textStart[d] ?? 0; i < end; i++) {
    const own = index.textField[i] ?? 0;
    if (own > FIELD.lead) break;
    if (own !== field) {
      total += longest;
      longest = 0;
      field = own;
      ends = new Map();
    }
    const term = index.textTerm[i] ?? 0;
    const matching = slotsOf.get(term);
    if (matching === undefined) {
      if (!fillers.has(term)) ends = new Map();
      continue;
    }
    const next = new Map<number, number>();
    for (const slot of matching) {
      const length = (ends.get(slot - 1) ?? 0) + 1;
      next.set(slot, length);
      longest = Math.max(longest, length - 1);
    }
    ends = next;
  }
  return Math.min(MAX_RUN, total + longest);
}

function exactNames(tools: readonly Tool[]): ReadonlyMap<string, readonly number[]> {
  const names = new Map<string, number[]>();
  for (const [d, tool] of tools.entries()) {
    if (typeof tool.name !== "string") continue;
    const key = squash(tool.name);
    const list = names.get(key);
    if (list === undefined) names.set(key, [d]);
    else list.push(d);
  }
  return names;
}

/** A request that is a tool's name, or holds one as written, puts that tool first. */
function applyExactNames(
  scores: Float64Array,
  query: string,
  names: ReadonlyMap<string, readonly number[]>,
): void {
  const wanted = new Map<number, number>();
  for (const d of names.get(squash(query.slice(0, 200))) ?? []) wanted.set(d, 2);
  for (const piece of query.slice(0, 2000).split(/[\s,;"'`()]+/)) {
    if (!/[a-z0-9][_.\-/:][a-z0-9]|[a-z][A-Z]/i.test(piece)) continue;
    for (const d of names.get(squash(piece)) ?? []) if (!wanted.has(d)) wanted.set(d, 1);
  }
  if (wanted.size === 0) return;
  let top = 1;
  for (const score of scores) top = Math.max(top, score);
  for (const [d, grade] of wanted) scores[d] = top * (1 + grade) + (scores[d] ?? 0);
}

function best(scoring: Scoring, tools: readonly Tool[], limit: number): Hit[] {
  const { scores, coverage } = scoring;
  const order: number[] = [];
  for (let d = 0; d < scores.length; d++) if ((scores[d] ?? 0) > 0) order.push(d);
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const top = scores[order[0] ?? 0] ?? 0;
  const hits: Hit[] = [];
  for (const d of order.slice(0, Math.max(0, limit))) {
    const tool = tools[d];
    if (tool === undefined) continue;
    const score = scores[d] ?? 0;
    const strong = score >= top * 0.6 && (coverage[d] ?? 0) >= 0.3;
    hits.push({ tool, score, strong });
  }
  return hits;
}
