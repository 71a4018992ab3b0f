// Looks a stem up in the synonym tables. The tables are words, a request has stems: a table word's
// stem is worked out only when a stem that may be its own is asked for.

import { NOUN_GROUPS, PHRASES } from "./nouns.ts";
import { irregularStem, stem } from "./stem.ts";
import {
  LOOSE_VERB_GROUPS,
  NOUNS_AS_VERBS,
  OPPOSITE_VERBS,
  READING_VERBS,
  VERB_GROUPS,
  WRITING_VERBS,
} from "./verbs.ts";
import { WEIGHTS } from "./weights.ts";

export interface Thesaurus {
  has(stemmed: string): boolean;
  /** Alternatives of a stem, each with its share of the weight. */
  alternatives(stemmed: string): ReadonlyMap<string, number>;
  /** Numbers of the verb groups a stem belongs to. */
  verbGroups(stemmed: string): readonly number[];
  /** The same for a word where a request has its verb: also nouns such as in "email the team". */
  requestedBy(stemmed: string): readonly number[];
  /** Whether a tool of group `b` contradicts a request of group `a`. */
  opposed(a: number, b: number): boolean;
  /** Set phrases that begin with this stem: the stems that follow, and what they mean. */
  phrases(first: string): readonly Phrase[];
  /** Every word of the tables, as written there; for misspelt words. */
  words(): readonly string[];
}

export interface Phrase {
  readonly rest: readonly string[];
  readonly meaning: readonly string[];
}

interface Group {
  readonly words: readonly string[];
  readonly share: number;
  /** Number of the verb group; undefined for loose and noun groups. */
  readonly verb: number | undefined;
}

interface Entry {
  readonly word: string;
  readonly groups: Group[];
}

const NONE: readonly number[] = [];
const NO_ALTERNATIVES: ReadonlyMap<string, number> = new Map();

export function createThesaurus(): Thesaurus {
  const entries = readGroups();
  const byBeginning = new Map<string, Entry[]>();
  for (const entry of entries.values()) {
    const key = beginning(irregularStem(entry.word) ?? entry.word);
    const list = byBeginning.get(key);
    if (list === undefined) byBeginning.set(key, [entry]);
    else list.push(entry);
  }
  const known = new Map<string, readonly Group[]>();
  const groupsOf = (stemmed: string): readonly Group[] => {
    let groups = known.get(stemmed);
    if (groups === undefined) {
      const near = byBeginning.get(beginning(stemmed)) ?? [];
      groups = near.filter((entry) => stem(entry.word) === stemmed).flatMap((e) => e.groups);
      known.set(stemmed, groups);
    }
    return groups;
  };
  const verbGroups = (stemmed: string): readonly number[] => {
    const groups = groupsOf(stemmed);
    if (groups.length === 0) return NONE;
    return groups.flatMap((group) => (group.verb === undefined ? [] : [group.verb]));
  };
  const verbOfNoun = new Map(NOUNS_AS_VERBS.map(([noun, verb]) => [stem(noun), stem(verb)]));
  const opposites = readOpposites();
  const phrases = readPhrases();
  return {
    has: (stemmed) => groupsOf(stemmed).length > 0,
    alternatives: (stemmed) => alternativesIn(groupsOf(stemmed), stemmed),
    verbGroups,
    requestedBy(stemmed) {
      const own = verbGroups(stemmed);
      return own.length > 0 ? own : verbGroups(verbOfNoun.get(stemmed) ?? "");
    },
    opposed: (a, b) => opposites.has(pairKey(a, b)),
    phrases: (first) => phrases.get(first) ?? [],
    words: () => [...entries.keys()],
  };
}

function beginning(word: string): string {
  return word.slice(0, 2);
}

function readGroups(): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const read = (lines: readonly string[], share: number, isVerb: boolean) => {
    for (const [number, line] of lines.entries()) {
      const words = line.split(" ");
      const group: Group = { words, share, verb: isVerb ? number : undefined };
      for (const word of words) {
        const entry = entries.get(word);
        if (entry === undefined) entries.set(word, { word, groups: [group] });
        else entry.groups.push(group);
      }
    }
  };
  read(VERB_GROUPS, WEIGHTS.tightSynonym, true);
  read(LOOSE_VERB_GROUPS, WEIGHTS.looseSynonym, false);
  read(NOUN_GROUPS, WEIGHTS.nounSynonym, false);
  return entries;
}

function alternativesIn(groups: readonly Group[], own: string): ReadonlyMap<string, number> {
  if (groups.length === 0) return NO_ALTERNATIVES;
  const found = new Map<string, number>();
  for (const { words, share } of groups) {
    for (const word of words) {
      const stemmed = stem(word);
      if (stemmed !== own && (found.get(stemmed) ?? 0) < share) found.set(stemmed, share);
    }
  }
  return found;
}

function pairKey(a: number, b: number): number {
  return a * VERB_GROUPS.length + b;
}

/** Verb groups are named by their first word. */
function readOpposites(): ReadonlySet<number> {
  const numberOf = new Map(VERB_GROUPS.map((line, number) => [line.split(" ")[0], number]));
  const opposites = new Set<number>();
  const oppose = (a: string, b: string) => {
    const left = numberOf.get(a);
    const right = numberOf.get(b);
    if (left === undefined || right === undefined) return;
    opposites.add(pairKey(left, right));
    opposites.add(pairKey(right, left));
  };
  for (const [a, b] of OPPOSITE_VERBS) oppose(a, b);
  const writing = WRITING_VERBS.split(" ");
  for (const reads of READING_VERBS.split(" ")) for (const writes of writing) oppose(reads, writes);
  return opposites;
}

function readPhrases(): ReadonlyMap<string, readonly Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  for (const [phrase, meaning] of PHRASES) {
    const [first = "", ...rest] = phrase.split(" ").map(stem);
    const list = phrases.get(first) ?? [];
    list.push({ rest, meaning: meaning.split(" ").map(stem) });
    phrases.set(first, list);
  }
  return phrases;
}
