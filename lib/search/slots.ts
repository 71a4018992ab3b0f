// From the words of a request to slots: which index terms answer each word, and how well.
import type { InvertedIndex } from "./inverted.ts";
import { isPlural } from "./lexicon.ts";
import type { QueryWord, RawWord, Vocabulary } from "./query.ts";
import type { Relatives } from "./relatives.ts";
import { stem } from "./stem.ts";
import type { Thesaurus } from "./thesaurus.ts";
import type { Translator } from "./translation.ts";
import { WEIGHTS } from "./weights.ts";
import { fold, hasDenseScript } from "./words.ts";

export interface Slot {
  /** Index term to its share of the slot's weight; the best one that a tool has counts, once. */
  readonly terms: Map<number, number>;
  weight: number;
  /** The index term of the word itself, if the catalog has it. */
  readonly own: number | undefined;
  readonly sentence: number;
  readonly plural?: boolean;
}

/** Whether most words of a request are in no English table and in no tool. */
export function isForeign(
  raw: readonly RawWord[],
  tools: SlotTools & { vocabulary: Vocabulary },
): boolean {
  let known = 0;
  let unknown = 0;
  for (const { text } of raw) {
    const english =
      tools.vocabulary.stop.has(text) ||
      tools.vocabulary.weak.has(text) ||
      tools.thesaurus.has(stem(text));
    if (english || tools.index.terms.has(stem(text))) known++;
    else unknown++;
  }
  return unknown > 0 && unknown >= known;
}

/** Characters of a request that are looked up in the table of other languages. */
const MAX_TRANSLATED = 500;

export interface SlotTools {
  readonly translator: Translator;
  readonly index: InvertedIndex;
  readonly thesaurus: Thesaurus;
  readonly relatives: Relatives;
}

export function createSlots(
  words: readonly QueryWord[],
  tools: SlotTools,
  request: { readonly foreign: boolean },
): Slot[] {
  const slots: Slot[] = [];
  for (const [at, word] of words.entries()) {
    const slot = hasDenseScript(word.text)
      ? createDenseSlot(word, tools)
      : createSlot(word, tools, request);
    const phrase = tools.thesaurus
      .phrases(word.stem)
      .find((p) => p.rest.every((s, i) => words[at + 1 + i]?.stem === s));
    if (phrase !== undefined) {
      for (const meaning of phrase.meaning) addMeaning(slot, meaning, 0.9, tools);
    }
    const before = words[at - 1];
    const beforeSlot = slots.at(-1);
    if (before !== undefined && beforeSlot !== undefined && word.adjoins) {
      const joined = tools.index.terms.get(stem(before.text + word.text));
      if (joined !== undefined) {
        better(slot.terms, joined, WEIGHTS.joined);
        better(beforeSlot.terms, joined, WEIGHTS.joined);
      }
    }
    slots.push(slot);
  }
  return slots;
}

/** A pair of characters counts less than a word: a word is several of them. */
function createDenseSlot(word: QueryWord, { index }: SlotTools): Slot {
  const own = index.terms.get(word.text);
  const terms = new Map(own === undefined ? [] : [[own, 1]]);
  return {
    terms,
    weight: word.weight * WEIGHTS.densePair,
    own,
    sentence: word.sentence,
    plural: isPlural(word.text, word.stem),
  };
}

/** Slots for what a request in a script without spaces says in English. */
export function translatedSlots(
  text: string,
  tools: SlotTools,
): { slots: Slot[]; stems: string[] } {
  const slots: Slot[] = [];
  const stems: string[] = [];
  if (!hasDenseScript(text)) return { slots, stems };
  for (const { stem: meaning } of tools.translator.run(fold(text.slice(0, MAX_TRANSLATED)))) {
    const slot: Slot = {
      terms: new Map(),
      weight: WEIGHTS.translated,
      own: undefined,
      sentence: 0,
    };
    addMeaning(slot, meaning, 1, tools);
    slots.push(slot);
    stems.push(meaning);
  }
  return { slots, stems };
}

function createSlot(
  word: QueryWord,
  tools: SlotTools,
  request: { readonly foreign: boolean },
): Slot {
  const { index, thesaurus, relatives } = tools;
  const terms = new Map<number, number>();
  const own = index.terms.get(word.stem);
  const slot: Slot = {
    terms,
    weight: word.weight,
    own,
    sentence: word.sentence,
    plural: isPlural(word.text, word.stem),
  };
  if (own !== undefined) terms.set(own, 1);
  for (const [alternative, weight] of thesaurus.alternatives(word.stem)) {
    const term = index.terms.get(alternative);
    if (term !== undefined) better(terms, term, weight);
  }
  for (const [term, weight] of relatives.byPrefix(word.text)) better(terms, term, weight);
  if (request.foreign && own === undefined) {
    const meanings = tools.translator.word(word.text);
    for (const meaning of meanings) addMeaning(slot, meaning, WEIGHTS.translated, tools);
    if (meanings.length > 0) return slot;
  }
  for (const part of word.parts ?? []) {
    const term = index.terms.get(stem(part));
    if (term !== undefined)
      better(terms, term, own === undefined ? WEIGHTS.properAlone : WEIGHTS.proper);
  }
  if (word.parts !== undefined && terms.size > 0) return slot;
  if (own !== undefined || thesaurus.has(word.stem)) return slot;
  const parts = relatives.parts(word.text);
  if (parts !== undefined) for (const part of parts) better(terms, part, WEIGHTS.part);
  if (parts !== undefined) return slot;
  const typo = relatives.byTypo(word.text);
  for (const [term, weight] of typo.terms) better(terms, term, weight);
  for (const [dictionaryWord, weight] of typo.words) {
    addMeaning(slot, stem(dictionaryWord), weight, tools);
  }
  return slot;
}

function addMeaning(slot: Slot, meaning: string, share: number, tools: SlotTools): void {
  const term = tools.index.terms.get(meaning);
  if (term !== undefined) better(slot.terms, term, share);
  for (const [alternative, weight] of tools.thesaurus.alternatives(meaning)) {
    const other = tools.index.terms.get(alternative);
    if (other !== undefined) better(slot.terms, other, share * weight);
  }
}

function better(terms: Map<number, number>, term: number, weight: number): void {
  if ((terms.get(term) ?? 0) < weight) terms.set(term, weight);
}
