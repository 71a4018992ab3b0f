// A request as words with weights: what is filler, what is quoted, what comes after "in" or "for".
import { stem } from "./stem.ts";
import { PREPOSITIONS, STOP_WORDS, WEAK_WORDS } from "./stop-words.ts";
import { WEIGHTS } from "./weights.ts";
import { textWords } from "./words.ts";

export interface QueryWord {
  /** Lower case, as written. */
  readonly text: string;
  readonly stem: string;
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
  readonly prepositions: ReadonlySet<string>;
}

export function createVocabulary(): Vocabulary {
  return {
    stop: new Set(STOP_WORDS.join(" ").split(" ")),
    weak: new Set(WEAK_WORDS.join(" ").split(" ")),
    prepositions: new Set(PREPOSITIONS.split(" ")),
  };
}

/** Longer requests are read this far. */
const MAX_QUERY = 2000;
const MAX_WORDS = 120;

/** All words of a request in order, stop words included, with the sentence each is in. */
export interface RawWord {
  readonly text: string;
  readonly quoted: boolean;
  readonly sentence: number;
}

export function rawWords(query: string): RawWord[] {
  const text = query.slice(0, MAX_QUERY);
  const words: RawWord[] = [];
  let sentence = 0;
  for (const { piece, quoted } of quotedPieces(text)) {
    const sentences = quoted ? [piece] : piece.split(/[.!?;\n]+(?:\s|$)|[。！？]/u);
    for (const [i, part] of sentences.entries()) {
      if (i > 0) sentence++;
      for (const word of textWords(part)) words.push({ text: word, quoted, sentence });
    }
  }
  return words.slice(0, MAX_WORDS);
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
  const plain = pieces.some((p) => !p.quoted && /[\p{L}\p{N}]/u.test(p.piece));
  return plain ? pieces : pieces.map((p) => ({ piece: p.piece, quoted: false }));
}

/** The words that can point to a tool, weighted. Never empty when the request has any word. */
export function weighWords(raw: readonly RawWord[], vocabulary: Vocabulary): QueryWord[] {
  const content = weighContent(raw, vocabulary);
  if (content.length > 0) return content;
  return raw.map((word) => ({ ...word, stem: stem(word.text), weight: 1, adjoins: true }));
}

function weighContent(raw: readonly RawWord[], vocabulary: Vocabulary): QueryWord[] {
  const words: QueryWord[] = [];
  let afterPreposition = false;
  let strongSeen = false;
  let adjoins = false;
  let sentence = -1;
  for (const word of raw) {
    if (word.sentence !== sentence) {
      sentence = word.sentence;
      afterPreposition = false;
      strongSeen = false;
    }
    if (strongSeen && vocabulary.prepositions.has(word.text)) afterPreposition = true;
    if (vocabulary.stop.has(word.text)) {
      adjoins = false;
      continue;
    }
    const weak = vocabulary.weak.has(word.text);
    if (!weak) strongSeen = true;
    const weight =
      (weak ? WEIGHTS.weak : 1) *
      (word.quoted ? WEIGHTS.quoted : 1) *
      (afterPreposition ? WEIGHTS.afterPreposition : 1);
    words.push({ text: word.text, stem: stem(word.text), weight, adjoins, sentence });
    adjoins = true;
  }
  return words;
}
