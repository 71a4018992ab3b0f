// Looks a stem up in the synonym tables. Built once per index, at the first search.
import { stem } from "./stem.ts";
import {
  LOOSE_VERB_GROUPS,
  NOUN_GROUPS,
  NOUNS_AS_VERBS,
  OPPOSITE_VERBS,
  PHRASES,
  READING_VERBS,
  VERB_GROUPS,
  WRITING_VERBS,
} from "./synonyms.ts";

/** How much of a word's own weight each grade of alternative has. */
export const TIGHT = 0.75;
export const LOOSE = 0.5;
export const NOUN = 0.55;

export interface Thesaurus {
  /** Alternatives of a stem, each with its share of the weight. */
  alternatives(stemmed: string): ReadonlyMap<string, number> | undefined;
  /** Numbers of the verb groups a stem belongs to. */
  verbGroups(stemmed: string): readonly number[];
  /** Whether a tool of group `b` contradicts a request of group `a`. */
  opposed(a: number, b: number): boolean;
  /** The same for a word where a request has its verb: also nouns such as in "email the team". */
  requestedBy(stemmed: string): readonly number[];
  /** Set phrases that begin with this stem: the stems that follow, and what they mean. */
  phrases(first: string): readonly Phrase[];
  /** Every stem that has alternatives; for misspelt words. */
  readonly words: ReadonlySet<string>;
}

export interface Phrase {
  readonly rest: readonly string[];
  readonly meaning: readonly string[];
}

export function createThesaurus(): Thesaurus {
  const alternatives = new Map<string, Map<string, number>>();
  addGroups(alternatives, VERB_GROUPS, TIGHT);
  addGroups(alternatives, LOOSE_VERB_GROUPS, LOOSE);
  addGroups(alternatives, NOUN_GROUPS, NOUN);
  const verbs = new Map<string, number[]>();
  const verbsOfNouns = new Map<string, readonly number[]>();
  const groupOf = new Map<string, number>();
  for (const [number, line] of VERB_GROUPS.entries()) {
    const words = line.split(" ");
    groupOf.set(words[0] ?? "", number);
    for (const word of words) {
      const key = stem(word);
      verbs.set(key, [...(verbs.get(key) ?? []), number]);
    }
  }
  const opposites = new Set<number>();
  const pair = (a: number, b: number) => a * 1000 + b;
  const oppose = (a: string, b: string) => {
    const left = groupOf.get(a);
    const right = groupOf.get(b);
    if (left === undefined || right === undefined) return;
    opposites.add(pair(left, right));
    opposites.add(pair(right, left));
  };
  for (const [a, b] of OPPOSITE_VERBS) oppose(a, b);
  const readers = READING_VERBS.split(" ");
  for (const reader of readers)
    for (const writer of WRITING_VERBS.split(" ")) oppose(reader, writer);
  for (const [noun, verb] of NOUNS_AS_VERBS) {
    const group = groupOf.get(verb);
    if (group !== undefined) verbsOfNouns.set(stem(noun), [group]);
  }
  const phrases = new Map<string, Phrase[]>();
  for (const [phrase, meaning] of PHRASES) {
    const [first = "", ...rest] = phrase.split(" ").map(stem);
    const list = phrases.get(first) ?? [];
    list.push({ rest, meaning: meaning.split(" ").map(stem) });
    phrases.set(first, list);
  }
  return {
    alternatives: (stemmed) => alternatives.get(stemmed),
    verbGroups: (stemmed) => verbs.get(stemmed) ?? [],
    opposed: (a, b) => opposites.has(pair(a, b)),
    requestedBy: (stemmed) => verbs.get(stemmed) ?? verbsOfNouns.get(stemmed) ?? [],
    phrases: (first) => phrases.get(first) ?? [],
    words: new Set(alternatives.keys()),
  };
}

function addGroups(
  into: Map<string, Map<string, number>>,
  groups: readonly string[],
  weight: number,
): void {
  for (const line of groups) {
    const stems = line.split(" ").map(stem);
    for (const a of stems) {
      const known = into.get(a) ?? new Map<string, number>();
      into.set(a, known);
      for (const b of stems) {
        if (a !== b && (known.get(b) ?? 0) < weight) known.set(b, weight);
      }
    }
  }
}
