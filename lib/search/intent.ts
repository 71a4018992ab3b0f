// Which kind of doing a request asks for, and which kind a tool does.
import type { InvertedIndex } from "./inverted.ts";
import { FIELD } from "./inverted.ts";
import type { RawWord } from "./query.ts";
import { stem } from "./stem.ts";
import type { Thesaurus } from "./thesaurus.ts";

/** A verb stands first, or after one of these. */
const BEFORE_VERB =
  "to can could would will i you we please and or me help then let lets also need want";
const QUESTION = "what which who whose where when whether how is are does do there have has";

export interface IntentReader {
  /** Verb groups a request asks for; empty when it shows none. `translated` are stems from another language. */
  /** Whether a request begins as a question. */
  asks(words: readonly RawWord[]): boolean;
  requested(words: readonly RawWord[], translated: readonly string[]): readonly number[];
}

export function createIntentReader(thesaurus: Thesaurus): IntentReader {
  const before = new Set(BEFORE_VERB.split(" "));
  const question = new Set(QUESTION.split(" "));
  const read = thesaurus.verbGroups("get");
  return {
    asks: (words) => question.has(words[0]?.text ?? ""),
    requested(words, translated) {
      const found = new Set<number>();
      let previous: RawWord | undefined;
      let asks = false;
      for (const word of words) {
        const starts = previous === undefined || previous.sentence !== word.sentence;
        if (starts && question.has(word.text)) asks = true;
        const mayBeVerb = starts || (previous !== undefined && before.has(previous.text));
        if (mayBeVerb && !word.quoted) {
          for (const group of thesaurus.requestedBy(stem(word.text))) found.add(group);
        }
        previous = word;
      }
      if (found.size > 0) return [...found];
      const foreign = translated.flatMap((stemmed) => [...thesaurus.verbGroups(stemmed)]);
      if (foreign.length > 0) return foreign;
      return asks ? read : [];
    },
  };
}

/** Verb groups of a tool: of its name's first and last word and its description's first. */
export interface ToolVerbs {
  of(tool: number): readonly number[];
}

/** Worked out when first asked for: a search meets few tools. */
export function createToolVerbs(index: InvertedIndex, thesaurus: Thesaurus): ToolVerbs {
  const known = new Map<number, readonly number[]>();
  const conjunctions = new Set(["or", "and"].map((word) => index.terms.get(word) ?? -1));
  return {
    of(tool) {
      let verbs = known.get(tool);
      if (verbs === undefined) {
        verbs = readVerbs(tool, { index, thesaurus, conjunctions });
        known.set(tool, verbs);
      }
      return verbs;
    },
  };
}

function readVerbs(
  tool: number,
  {
    index,
    thesaurus,
    conjunctions,
  }: {
    readonly index: InvertedIndex;
    readonly thesaurus: Thesaurus;
    readonly conjunctions: ReadonlySet<number>;
  },
): readonly number[] {
  const { textTerm, textField } = index;
  const from = index.textStart[tool] ?? 0;
  const to = index.textStart[tool + 1] ?? 0;
  let nameEnd = from;
  while (nameEnd < to && textField[nameEnd] === FIELD.name) nameEnd++;
  let lead = nameEnd;
  while (lead < to && textField[lead] === FIELD.title) lead++;
  const places: number[] = [];
  if (nameEnd > from) places.push(from);
  if (nameEnd > from + 1) places.push(nameEnd - 1);
  if (lead < to) places.push(lead);
  // "Creates or updates a rule"
  if (lead + 2 < to && conjunctions.has(textTerm[lead + 1] ?? -1)) places.push(lead + 2);
  const found = new Set<number>();
  for (const place of places) {
    const stemmed = index.termTexts[textTerm[place] ?? 0] ?? "";
    for (const group of thesaurus.verbGroups(stemmed)) found.add(group);
  }
  return [...found];
}
