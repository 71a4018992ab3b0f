// Finds the tools a request is about. Deterministic; owns the order of hits and which of them are
// strong. How an answer looks is facade/discover.ts's.
import type { Tool } from "../catalog/catalog.ts";
import { createExactNames } from "./exact-names.ts";
import { createIntentReader, createToolVerbs, type ToolVerbs } from "./intent.ts";
import { createInvertedIndex } from "./inverted.ts";
import { createVocabulary, rawWords, weighWords } from "./query.ts";
import { createRelatives } from "./relatives.ts";
import { applyRuns } from "./runs.ts";
import { applyNameCoverage, leastCandidate, type Scores, scoreSlots } from "./scoring.ts";
import { createSlots, isForeign, translatedSlots } from "./slots.ts";
import { stem } from "./stem.ts";
import { createThesaurus, type Thesaurus } from "./thesaurus.ts";
import { createTranslator } from "./translation.ts";
import { WEIGHTS } from "./weights.ts";

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

/** Lower than any score of a found word. */
const FALLBACK_SCORE = 0.01;

export function createSearchIndex(tools: readonly Tool[]): SearchIndex {
  const index = createInvertedIndex(tools);
  const thesaurus = createThesaurus();
  const vocabulary = createVocabulary();
  const relatives = createRelatives(index, thesaurus.words);
  const translator = createTranslator();
  const intent = createIntentReader(thesaurus);
  const verbs = createToolVerbs(index, thesaurus);
  const names = createExactNames(tools);
  const fillers = new Set<number>();
  for (const word of vocabulary.fillers) {
    const term = index.surfaces.get(word);
    if (term !== undefined) fillers.add(term);
  }
  const slotTools = { index, thesaurus, relatives, translator };
  const isVerb = (stemmed: string) => thesaurus.verbGroups(stemmed).length > 0;
  return {
    search(query, limit) {
      const raw = rawWords(query, isVerb);
      const foreign = isForeign(raw, { ...slotTools, vocabulary });
      const words = weighWords(raw, { vocabulary, foreign });
      const translated = translatedSlots(query, slotTools);
      const slots = [...createSlots(words, slotTools, { foreign }), ...translated.slots];
      const requested = intent.requested(raw, translated.stems);
      const found = scoreSlots(slots, index);
      applyNameCoverage(found.scores, slots, index);
      applyVerbs(found.scores, { requested, verbs, thesaurus });
      applyRuns(found.scores, slots, { index, fillers });
      applyNames(found.scores, names.find(query));
      if (intent.asks(raw))
        offerSearchTools(found.scores, verbs, thesaurus.verbGroups(stem("search")));
      return bestHits(found, tools, limit);
    },
  };
}

/** A tool that does what is asked for gains; one that does the contrary loses. */
function applyVerbs(
  scores: Float64Array,
  options: {
    readonly requested: readonly number[];
    readonly verbs: ToolVerbs;
    readonly thesaurus: Thesaurus;
  },
): void {
  const { requested, verbs, thesaurus } = options;
  if (requested.length === 0) return;
  const least = leastCandidate(scores);
  for (let d = 0; d < scores.length; d++) {
    const score = scores[d] ?? 0;
    if (score < least) continue;
    const own = verbs.of(d);
    if (own.length === 0) continue;
    if (own.some((verb) => requested.includes(verb))) scores[d] = score * WEIGHTS.sameVerb;
    else if (own.some((verb) => requested.every((asked) => thesaurus.opposed(asked, verb)))) {
      scores[d] = score * WEIGHTS.opposedVerb;
    }
  }
}

/** A question about something no tool speaks of: what searches may find it. */
function offerSearchTools(
  scores: Float64Array,
  verbs: ToolVerbs,
  searching: readonly number[],
): void {
  if (scores.some((score) => score > 0)) return;
  for (let d = 0; d < scores.length; d++) {
    if (verbs.of(d).some((verb) => searching.includes(verb))) scores[d] = FALLBACK_SCORE;
  }
}

function applyNames(scores: Float64Array, named: ReadonlyMap<number, number>): void {
  if (named.size === 0) return;
  let top = 1;
  for (const score of scores) top = Math.max(top, score);
  for (const [d, grade] of named) scores[d] = top * (1 + grade) + (scores[d] ?? 0);
}

function bestHits(found: Scores, tools: readonly Tool[], limit: number): Hit[] {
  const { scores, coverage } = found;
  const order = highest(scores, Math.max(0, limit));
  const top = scores[order[0] ?? 0] ?? 0;
  return order.flatMap((d) => {
    const tool = tools[d];
    const score = scores[d] ?? 0;
    const strong =
      score >= top * WEIGHTS.strongScore && (coverage[d] ?? 0) >= WEIGHTS.strongCoverage;
    return tool === undefined ? [] : [{ tool, score, strong }];
  });
}

/** Numbers of the `count` highest scores above 0, highest first, equal ones in order. */
function highest(scores: Float64Array, count: number): number[] {
  const order: number[] = [];
  let bar = 0;
  for (let d = 0; d < scores.length; d++) {
    const score = scores[d] ?? 0;
    if (score <= bar) continue;
    let at = order.length;
    while (at > 0 && (scores[order[at - 1] ?? 0] ?? 0) < score) at--;
    order.splice(at, 0, d);
    if (order.length > count) order.pop();
    if (order.length === count) bar = scores[order[count - 1] ?? 0] ?? 0;
  }
  return order;
}
