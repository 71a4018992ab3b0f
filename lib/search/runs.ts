// Words of a request that stand together in the same order in a tool's name, title or first
// sentence (filler between them aside) tell more than the same words apart.
import { FIELD, type InvertedIndex } from "./inverted.ts";
import { leastCandidate } from "./scoring.ts";
import type { Slot } from "./slots.ts";
import { WEIGHTS } from "./weights.ts";

/** Weaker alternatives do not continue a run. */
const MIN_SHARE = 0.5;
const MAX_GAIN = 6;

/** @param fillers terms that may stand inside a run */
export function applyRuns(
  scores: Float64Array,
  slots: readonly Slot[],
  options: { readonly index: InvertedIndex; readonly fillers: ReadonlySet<number> },
): void {
  const slotsOf = new Map<number, number[]>();
  for (const [number, slot] of slots.entries()) {
    for (const [term, share] of slot.terms) {
      if (share < MIN_SHARE) continue;
      const list = slotsOf.get(term);
      if (list === undefined) slotsOf.set(term, [number]);
      else list.push(number);
    }
  }
  const least = leastCandidate(scores);
  for (let d = 0; d < scores.length; d++) {
    const score = scores[d] ?? 0;
    if (score < least) continue;
    const gain = runGain(d, { ...options, slotsOf });
    if (gain > 0) scores[d] = score * (1 + WEIGHTS.run * gain);
  }
}

/** The longest run of each field, in words after the first, together. */
function runGain(
  d: number,
  tools: {
    readonly index: InvertedIndex;
    readonly fillers: ReadonlySet<number>;
    readonly slotsOf: ReadonlyMap<number, readonly number[]>;
  },
): number {
  const { index, fillers, slotsOf } = tools;
  let total = 0;
  let longest = 0;
  let field = -1;
  // Slot number to the length of the run that ends with it at the last word read.
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
      if (ends.size > 0 && !fillers.has(term)) ends = new Map();
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
  return Math.min(MAX_GAIN, total + longest);
}
