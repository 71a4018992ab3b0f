// Gathers, tool by tool, how much each term weighs in it, and turns that round: the tools of a term.
import { WEIGHTS } from "./weights.ts";

/** Postings of term t are `start[t]` up to `start[t + 1]`, tools ascending. */
export interface PostingsByTerm {
  readonly start: Int32Array;
  readonly toolOf: Int32Array;
  readonly weightOf: Float32Array;
  /** Rarity of each term: BM25's inverse document frequency. */
  readonly idf: Float32Array;
}

/** Catalogs are tiny, so the frequency is flattened and has a floor. */
export function inverseFrequency(toolCount: number, having: number): number {
  const idf = Math.log(1 + (toolCount - having + 0.5) / (having + 0.5));
  return Math.max(WEIGHTS.idfFloor, idf ** WEIGHTS.idfPower);
}

export interface Postings {
  /** Adds `weight` to each term's weight in the current tool, once per occurrence. */
  add(terms: readonly number[], weight: number): void;
  endTool(): void;
  /** By term. */
  finish(termCount: number): PostingsByTerm;
}

export function createPostings(toolCount: number): Postings {
  let term = new Int32Array(8192);
  let weight = new Float32Array(8192);
  const toolStart = new Int32Array(toolCount + 1);
  // Where the current tool's posting of a term is: valid if not before the tool's first one.
  let placeOf = new Int32Array(4096).fill(-1);
  let size = 0;
  let first = 0;
  let tool = 0;
  return {
    add(terms, occurrenceWeight) {
      for (let i = 0; i < terms.length; i++) {
        const t = terms[i] ?? 0;
        if (t >= placeOf.length) {
          placeOf = grown(placeOf, new Int32Array(Math.max(t + 1, placeOf.length * 2)).fill(-1));
        }
        const place = placeOf[t] ?? -1;
        if (place >= first) {
          weight[place] = (weight[place] ?? 0) + occurrenceWeight;
          continue;
        }
        if (size === term.length) {
          term = grown(term, new Int32Array(size * 2));
          weight = grown(weight, new Float32Array(size * 2));
        }
        placeOf[t] = size;
        term[size] = t;
        weight[size] = occurrenceWeight;
        size++;
      }
    },
    endTool() {
      tool++;
      toolStart[tool] = size;
      first = size;
    },
    finish(termCount) {
      return sortByTerm({ term: term.subarray(0, size), weight, toolStart }, termCount);
    },
  };
}

function sortByTerm(
  byTool: {
    readonly term: Int32Array;
    readonly weight: Float32Array;
    readonly toolStart: Int32Array;
  },
  termCount: number,
): PostingsByTerm {
  const { term, weight, toolStart } = byTool;
  const toolCount = toolStart.length - 1;
  const start = new Int32Array(termCount + 1);
  const having = new Float32Array(termCount);
  for (let i = 0; i < term.length; i++) {
    const t = term[i] ?? 0;
    start[t + 1] = (start[t + 1] ?? 0) + 1;
    having[t] = (having[t] ?? 0) + Math.min(1, (weight[i] ?? 0) / WEIGHTS.fullWeight);
  }
  const idf = new Float32Array(termCount);
  for (let t = 0; t < termCount; t++) {
    start[t + 1] = (start[t + 1] ?? 0) + (start[t] ?? 0);
    idf[t] = inverseFrequency(toolCount, having[t] ?? 0);
  }
  const next = start.slice(0, termCount);
  const toolOf = new Int32Array(term.length);
  const weightOf = new Float32Array(term.length);
  for (let d = 0; d < toolCount; d++) {
    const end = toolStart[d + 1] ?? 0;
    for (let i = toolStart[d] ?? 0; i < end; i++) {
      const t = term[i] ?? 0;
      const at = next[t] ?? 0;
      next[t] = at + 1;
      toolOf[at] = d;
      weightOf[at] = weight[i] ?? 0;
    }
  }
  return { start, toolOf, weightOf, idf };
}

export function grown<T extends Int32Array | Uint8Array | Float32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
