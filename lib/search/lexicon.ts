// Numbers for the stems of a catalog, and the terms of its texts, each text and word worked out
// once: a catalog repeats its words, and often whole descriptions of parameters.
import { stem } from "./stem.ts";
import { runWords, splitRuns } from "./words.ts";

/** Longer texts are hardly ever repeated. */
const MAX_SHARED_TEXT = 300;

export interface Lexicon {
  /** Stem to term number. */
  readonly terms: ReadonlyMap<string, number>;
  readonly termTexts: readonly string[];
  /** Lower-case word as written to term number. */
  readonly surfaces: ReadonlyMap<string, number>;
  termsOfText(text: string): readonly number[];
  termsOfWords(words: readonly string[]): readonly number[];
  /** Whether a word that has been seen is its stem with a plural's s. */
  isPlural(word: string): boolean;
}

export function createLexicon(): Lexicon {
  const terms = new Map<string, number>();
  const termTexts: string[] = [];
  const surfaces = new Map<string, number>();
  const termsOfRuns = new Map<string, readonly number[]>();
  const termsOfTexts = new Map<string, readonly number[]>();
  const termOf = (word: string): number => {
    const known = surfaces.get(word);
    if (known !== undefined) return known;
    const stemmed = stem(word);
    let term = terms.get(stemmed);
    if (term === undefined) {
      term = termTexts.length;
      terms.set(stemmed, term);
      termTexts.push(stemmed);
    }
    surfaces.set(word, term);
    return term;
  };
  const termsOfRun = (run: string): readonly number[] => {
    let found = termsOfRuns.get(run);
    if (found === undefined) {
      found = runWords(run).map(termOf);
      termsOfRuns.set(run, found);
    }
    return found;
  };
  const read = (text: string): readonly number[] => {
    const found: number[] = [];
    for (const run of splitRuns(text)) for (const term of termsOfRun(run)) found.push(term);
    return found;
  };
  return {
    terms,
    termTexts,
    surfaces,
    termsOfText(text) {
      if (text === "") return NO_TERMS;
      if (text.length > MAX_SHARED_TEXT) return read(text);
      let found = termsOfTexts.get(text);
      if (found === undefined) {
        found = read(text);
        termsOfTexts.set(text, found);
      }
      return found;
    },
    termsOfWords: (words) => words.map(termOf),
    isPlural: (word) => isPlural(word, termTexts[surfaces.get(word) ?? -1] ?? ""),
  };
}

const NO_TERMS: readonly number[] = [];

export function isPlural(word: string, stemmed: string): boolean {
  return word.endsWith("s") && !stemmed.endsWith("s");
}
