// A request as words with weights: what is filler, what is quoted, what comes after "in" or "for".
import { stem } from "./stem.ts";
import { FILLERS, FOREIGN_STOP_WORDS, PREPOSITIONS, STOP_WORDS, WEAK_WORDS } from "./stop-words.ts";
import { WEIGHTS } from "./weights.ts";
import { type Compound, queryWords, splitRuns } from "./words.ts";

export interface QueryWord {
  /** Lower case, as written. */
  readonly text: string;
  readonly stem: string;
  readonly parts?: readonly string[];
  /** 0 to 1: how much the word's place and nature let it count. */
  readonly weight: number;
  /** Follows the word before it without anything dropped between them. */
  readonly adjoins: boolean;
  /** Number of the sentence. */
  readonly sentence: number;
}

export interface Vocabulary {
  readonly stop: ReadonlySet<string>;
  readonly weak: ReadonlySet<string>;
  readonly foreign: ReadonlySet<string>;
  /** May stand between words that belong together. */
  readonly fillers: readonly string[];
  readonly prepositions: ReadonlySet<string>;
}

export function createVocabulary(): Vocabulary {
  const stop = STOP_WORDS.join(" ").split(" ");
  return {
    stop: new Set(stop),
    fillers: [...stop, ...FILLERS.split(" ")],
    weak: new Set(WEAK_WORDS.join(" ").split(" ")),
    foreign: new Set(FOREIGN_STOP_WORDS.join(" ").split(" ")),
    prepositions: new Set(PREPOSITIONS.split(" ")),
  };
}

/** Longer requests are read this far. */
const MAX_QUERY = 2000;
const MAX_WORDS = 120;
/** In more words than this a word's place in its sentence tells nothing. */
const LONG_REQUEST = 25;

/** All words of a request in order, stop words included, with the sentence each is in. */
export interface RawWord {
  readonly text: string;
  /** The pieces of a proper name such as `GitHub`, which may mean less than the whole. */
  readonly parts?: readonly string[];
  /** Part of something like `web-7` or `a@b.org`: more likely a value than a word. */
  readonly value: boolean;
  readonly quoted: boolean;
  readonly sentence: number;
}

export function rawWords(query: string, isVerb: (stemmed: string) => boolean): RawWord[] {
  const text = query.slice(0, MAX_QUERY);
  const alone = !/\s/.test(text.trim());
  const words: RawWord[] = [];
  let sentence = 0;
  for (const { piece, quoted } of quotedPieces(text)) {
    const sentences = quoted ? [piece] : piece.split(/[.!?;\n]+(?:\s|$)|[。！？]/u);
    for (const [i, part] of sentences.entries()) {
      if (i > 0) sentence++;
      for (const piece of part.split(/[\s,()]+/)) {
        const value = looksLikeValue(piece);
        for (const word of queryWords(piece)) {
          const proper =
            typeof word !== "string" && word.proper && !alone && !isVerb(stem(word.parts[0] ?? ""));
          pushWord(words, { word, proper }, { quoted, sentence, value });
        }
      }
    }
  }
  return words.slice(0, MAX_WORDS);
}

/** Letters and digits joined by signs, addresses, paths. */
function looksLikeValue(piece: string): boolean {
  return /[a-z][\w.]*-\w*\d|\d[\w.]*-\w*[a-z]|\w@\w|:\/\/|^[~.]?\/\w|\/\S*\/|\/\S*-|-\S*\//i.test(
    piece,
  );
}

function pushWord(
  words: RawWord[],
  { word, proper }: { readonly word: string | Compound; readonly proper: boolean },
  origin: { readonly quoted: boolean; readonly sentence: number; readonly value: boolean },
): void {
  if (typeof word === "string") words.push({ text: word, ...origin });
  else if (proper) words.push({ text: word.whole, parts: word.parts, ...origin });
  else {
    for (const part of word.parts) words.push({ text: part, ...origin });
    words.push({ text: word.whole, ...origin });
  }
}

function quotedPieces(text: string): { piece: string; quoted: boolean }[] {
  const pieces: { piece: string; quoted: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(
    /"([^"]{1,200})"|“([^”]{1,200})”|(?<!\w)'([^'\n]{1,200})'(?!\w)/g,
  )) {
    pieces.push({ piece: text.slice(end, match.index), quoted: false });
    pieces.push({ piece: match[1] ?? match[2] ?? match[3] ?? "", quoted: true });
    end = match.index + match[0].length;
  }
  pieces.push({ piece: text.slice(end), quoted: false });
  const plain = pieces.some((one) => !one.quoted && splitRuns(one.piece).length > 0);
  return plain ? pieces : pieces.map((one) => ({ ...one, quoted: false }));
}

/** The words that can point to a tool, weighted. Never empty when the request has any word. */
export function weighWords(
  raw: readonly RawWord[],
  options: { readonly vocabulary: Vocabulary; readonly foreign: boolean },
): QueryWord[] {
  const content = weighContent(raw, options);
  if (content.length > 0) return content;
  return raw.map((word) => ({ ...word, stem: stem(word.text), weight: 1, adjoins: true }));
}

/** "show me", "give us": a frame around what is asked, not part of it. */
const FRAMES: ReadonlySet<string> = new Set(["me", "us"]);

function weighContent(
  raw: readonly RawWord[],
  { vocabulary, foreign }: { readonly vocabulary: Vocabulary; readonly foreign: boolean },
): QueryWord[] {
  const words: QueryWord[] = [];
  let place = 1;
  let strongSeen = false;
  let adjoins = false;
  let sentence = -1;
  for (const [at, word] of raw.entries()) {
    if (word.sentence !== sentence) {
      sentence = word.sentence;
      place = 1;
      strongSeen = false;
    }
    if (strongSeen && vocabulary.prepositions.has(word.text))
      place = raw.length > LONG_REQUEST ? 1 : WEIGHTS.afterPreposition;
    if (vocabulary.stop.has(word.text) || (foreign && vocabulary.foreign.has(word.text))) {
      adjoins = false;
      continue;
    }
    const weak = vocabulary.weak.has(word.text);
    if (!weak) strongSeen = true;
    const framed = weak && FRAMES.has(raw[at + 1]?.text ?? "");
    const weight =
      (framed ? WEIGHTS.framed : weak ? WEIGHTS.weak : 1) *
      (word.quoted ? WEIGHTS.quoted : 1) *
      (word.value ? WEIGHTS.value : 1) *
      place;
    words.push({ ...word, stem: stem(word.text), weight, adjoins, sentence });
    adjoins = true;
  }
  return words;
}
