// BM25F over slots: each slot gives a tool the best of its alternatives, once; then factors for how
// much of the request and of the tool's name is explained.
import { FIELD, type InvertedIndex } from "./inverted.ts";
import { inverseFrequency } from "./postings.ts";
import type { Slot } from "./slots.ts";
import { WEIGHTS } from "./weights.ts";

/** Alternatives from this share on count as the same thing when a word's rarity is judged. */
const UNION_SHARE = 0.45;
const SINGULAR = 1;
const PLURAL = 2;

export interface Scores {
  /** By tool number; 0 where no word of the request is found. */
  readonly scores: Float64Array;
  /** Share of the request's weight each tool explains, 0 to 1. */
  readonly coverage: Float64Array;
}

/**
 * Tools with less than this share of the best score are no candidates for the first places: factors
 * that take work are left out for them.
 */
const CANDIDATE_SHARE = 0.3;

/** The lowest score, above 0, of a candidate for the first places. */
export function leastCandidate(scores: Float64Array): number {
  let top = 0;
  for (let d = 0; d < scores.length; d++) top = Math.max(top, scores[d] ?? 0);
  return top === 0 ? Number.POSITIVE_INFINITY : top * CANDIDATE_SHARE;
}

export function scoreSlots(slots: readonly Slot[], index: InvertedIndex): Scores {
  const count = index.toolCount;
  const scores = new Float64Array(count);
  const coverage = new Float64Array(count);
  const values = new Float64Array(count);
  const shares = new Float64Array(count);
  let mass = 0;
  let unknownMass = 0;
  const unknownRarity = WEIGHTS.unknownShare * inverseFrequency(count, 0);
  for (const slot of slots) {
    if (slot.terms.size === 0) {
      unknownMass += slot.weight * unknownRarity;
      continue;
    }
    const idf = slotRarity(slot, index);
    const weight = idf * slot.weight;
    mass += weight;
    values.fill(0);
    shares.fill(0);
    for (const [term, share] of slot.terms) {
      const value = share * Math.min(idf, index.idf[term] ?? 0) * slot.weight * (WEIGHTS.k1 + 1);
      const end = index.start[term + 1] ?? 0;
      for (let i = index.start[term] ?? 0; i < end; i++) {
        const d = index.toolOf[i] ?? 0;
        const frequency = index.weightOf[i] ?? 0;
        const v = (value * frequency) / (frequency + WEIGHTS.k1);
        if (v > (values[d] ?? 0)) values[d] = v;
        if (share > (shares[d] ?? 0)) shares[d] = share;
      }
    }
    for (let d = 0; d < count; d++) {
      const v = values[d] ?? 0;
      if (v === 0) continue;
      scores[d] = (scores[d] ?? 0) + v;
      coverage[d] = (coverage[d] ?? 0) + weight * (shares[d] ?? 0);
    }
  }
  for (let d = 0; d < count && mass > 0; d++) {
    const covered = (coverage[d] ?? 0) / mass;
    coverage[d] = (covered * mass) / (mass + unknownMass);
    scores[d] = (scores[d] ?? 0) * (1 + WEIGHTS.queryCoverage * covered);
  }
  return { scores, coverage };
}

/** Rarity of what a slot asks for: of its word, or of all that stands for a word no tool has. */
function slotRarity(slot: Slot, index: InvertedIndex): number {
  if (slot.own !== undefined) return index.idf[slot.own] ?? 0;
  let having = 0;
  for (const [term, share] of slot.terms) {
    if (share >= UNION_SHARE) having += (index.start[term + 1] ?? 0) - (index.start[term] ?? 0);
  }
  return inverseFrequency(index.toolCount, Math.min(having, index.toolCount));
}

/** Raises tools whose whole name the request speaks of over those with more in their names. */
export function applyNameCoverage(
  scores: Float64Array,
  slots: readonly Slot[],
  index: InvertedIndex,
): void {
  const explained = new Float32Array(index.termTexts.length);
  const numbers = new Map<number, number>();
  for (const slot of slots) {
    if (slot.own !== undefined) {
      const number = slot.plural ? PLURAL : SINGULAR;
      numbers.set(slot.own, (numbers.get(slot.own) ?? 0) | number);
    }
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
      const share = explained[term] ?? 0;
      if (share === 0) continue;
      const asked = numbers.get(term) ?? SINGULAR | PLURAL;
      const agrees = (asked & (index.textPlural[i] === 1 ? PLURAL : SINGULAR)) !== 0;
      got += idf * share * (agrees ? 1 : WEIGHTS.otherNumber);
    }
    if (mass > 0) scores[d] = (scores[d] ?? 0) * (1 + (WEIGHTS.nameCoverage * got) / mass);
  }
}
