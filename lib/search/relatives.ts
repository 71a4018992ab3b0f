// Index terms that a query word may mean although it is written otherwise: misspelt, shortened,
// joined or split.
import { editDistance } from "../edit-distance.ts";
import type { InvertedIndex } from "./inverted.ts";
import { WEIGHTS } from "./weights.ts";

export interface Relatives {
  /** Terms the word is the beginning of, and terms in names that begin the word. */
  byPrefix(word: string): ReadonlyMap<number, number>;
  /** Terms whose spelling is one or two slips away, or words of `dictionary` that are. */
  byTypo(word: string): { terms: ReadonlyMap<number, number>; words: ReadonlyMap<string, number> };
  /** The two known words that make up this one. */
  parts(word: string): readonly [number, number] | undefined;
}

const MIN_PREFIX = 3;
const MAX_PREFIX_HITS = 12;

export function createRelatives(
  index: InvertedIndex,
  dictionary: () => readonly string[],
): Relatives {
  // Sorted once, when a word first needs it.
  let sorted: string[] | undefined;
  let buckets: Map<string, string[]> | undefined;
  let dictionaryWords: ReadonlySet<string> | undefined;
  const sortedSurfaces = () => {
    sorted ??= longNameWords(index).sort();
    return sorted;
  };
  const bucketsOf = () => {
    dictionaryWords ??= new Set(dictionary());
    buckets ??= bucket(new Set([...index.surfaces.keys(), ...dictionaryWords]));
    return buckets;
  };
  return {
    byPrefix(word) {
      const found = new Map<number, number>();
      if (word.length < MIN_PREFIX) return found;
      const words = sortedSurfaces();
      let low = lowerBound(words, word);
      for (let taken = 0; taken < MAX_PREFIX_HITS && low < words.length; low++, taken++) {
        const candidate = words[low] ?? "";
        if (!candidate.startsWith(word)) break;
        const term = index.surfaces.get(candidate);
        if (term !== undefined) found.set(term, WEIGHTS.prefix);
      }
      for (let end = word.length - 1; end >= 4 && end * 2 >= word.length; end--) {
        const term = index.surfaces.get(word.slice(0, end));
        if (term !== undefined && index.termInName[term] === 1) {
          found.set(term, WEIGHTS.shorterRelative);
        }
      }
      return found;
    },
    byTypo(word) {
      const terms = new Map<number, number>();
      const words = new Map<string, number>();
      const length = word.length;
      if (length < 4 || length > 30 || /\d/.test(word)) return { terms, words };
      const limit = length >= 8 ? 2 : 1;
      for (const key of bucketKeys(word)) {
        for (const candidate of bucketsOf().get(key) ?? []) {
          if (Math.abs(candidate.length - length) > limit) continue;
          const distance = editDistance(word, candidate, limit);
          if (distance > limit) continue;
          const weight = WEIGHTS.typo * (1 - distance / length);
          const term = index.surfaces.get(candidate);
          if (term !== undefined) terms.set(term, Math.max(weight, terms.get(term) ?? 0));
          if (dictionaryWords?.has(candidate) === true) words.set(candidate, weight);
        }
      }
      return { terms, words };
    },
    parts(word) {
      if (word.length < 6) return undefined;
      let best: readonly [number, number] | undefined;
      for (let at = 3; at <= word.length - 3; at++) {
        const left = index.surfaces.get(word.slice(0, at));
        const right = index.surfaces.get(word.slice(at));
        if (left === undefined || right === undefined) continue;
        best ??= [left, right];
        if (index.termInName[left] === 1 && index.termInName[right] === 1) return [left, right];
      }
      return best;
    },
  };
}

function longNameWords(index: InvertedIndex): string[] {
  const words: string[] = [];
  for (const [word, term] of index.surfaces) {
    if (word.length > MIN_PREFIX && index.termInName[term] === 1) words.push(word);
  }
  return words;
}

/** Words by their first letter and by their second, so that one wrong first letter is found too. */
function bucket(words: ReadonlySet<string>): Map<string, string[]> {
  const buckets = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < 3 || word.length > 32) continue;
    for (const key of bucketKeys(word)) {
      const list = buckets.get(key);
      if (list === undefined) buckets.set(key, [word]);
      else list.push(word);
    }
  }
  return buckets;
}

function bucketKeys(word: string): readonly string[] {
  return [`1${word[0]}`, `2${word[1]}`];
}

function lowerBound(words: readonly string[], word: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
