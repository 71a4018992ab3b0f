// The names a mistaken name most likely stands for.
import { editDistance } from "../edit-distance.ts";
import { stem } from "./stem.ts";
import { nameWords, squash } from "./words.ts";

const MAX_NAME = 100;
/** Below this likeness a name is no help. */
const MIN_LIKENESS = 0.4;
/** Nor is one that is much less alike than the best. */
const MIN_SHARE = 0.8;

/** At most `limit` of `names`, most alike first: by spelling and by the words they share. */
export function nearestNames(name: string, names: readonly string[], limit = 3): readonly string[] {
  const stemOf = createStemmer();
  const wanted = describeName(name.replace(/^mcp__[^_]+(?:_[^_]+)*__/, ""), stemOf);
  if (wanted.squashed === "") return [];
  const found: { name: string; likeness: number }[] = [];
  for (const candidate of names) {
    const likeness = compare(wanted, describeName(candidate, stemOf));
    if (likeness >= MIN_LIKENESS) found.push({ name: candidate, likeness });
  }
  found.sort((a, b) => b.likeness - a.likeness);
  const least = (found[0]?.likeness ?? 0) * MIN_SHARE;
  const close = found.filter((entry) => entry.likeness >= least);
  return close.slice(0, Math.max(0, limit)).map((entry) => entry.name);
}

interface NameShape {
  readonly squashed: string;
  readonly stems: ReadonlySet<string>;
}

function describeName(name: string, stemOf: (word: string) => string): NameShape {
  const short = name.slice(0, MAX_NAME);
  return { squashed: squash(short), stems: new Set(nameWords(short).map(stemOf)) };
}

/** Names repeat their words: each is stemmed once a call. */
function createStemmer(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const stemmed = known.get(word) ?? stem(word);
    known.set(word, stemmed);
    return stemmed;
  };
}

function compare(a: NameShape, b: NameShape): number {
  if (a.squashed === b.squashed) return 2;
  let shared = 0;
  for (const word of a.stems) if (b.stems.has(word)) shared++;
  const words = (2 * shared) / Math.max(1, a.stems.size + b.stems.size);
  const longest = Math.max(a.squashed.length, b.squashed.length);
  const limit = Math.ceil(longest * (1 - MIN_LIKENESS));
  const alike = mayBeAlike(a.squashed, b.squashed);
  const distance = alike ? editDistance(a.squashed, b.squashed, limit) : limit + 1;
  const spelling = distance > limit ? 0 : 1 - distance / longest;
  const contains = a.squashed.length > 2 && b.squashed.includes(a.squashed) ? 0.5 : 0;
  return Math.max(spelling, words * 0.9, contains) + 0.1 * Math.min(spelling, words);
}

/** Spares most names the comparison letter by letter: names alike share pairs of letters. */
function mayBeAlike(a: string, b: string): boolean {
  const pairs = a.length - 1;
  if (pairs < 4) return true;
  let shared = 0;
  for (let i = 0; i < pairs; i++) if (b.includes(a.slice(i, i + 2))) shared++;
  return shared * 6 >= pairs;
}
