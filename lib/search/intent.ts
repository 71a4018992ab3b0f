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
  requested(words: readonly RawWord[], translated: readonly string[]): readonly number[];
}

export function createIntentReader(thesaurus: Thesaurus): IntentReader {
  const before = new Set(BEFORE_VERB.split(" "));
  const question = new Set(QUESTION.split(" "));
  const read = thesaurus.verbGroups("get");
  return {
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

/** Verb groups of each tool: of its name's first and last word and its description's first. */
export function toolVerbs(
  index: InvertedIndex,
  thesaurus: Thesaurus,
): readonly (readonly number[])[] {
  const groupsOf = new Map<number, readonly number[]>();
  const none: readonly number[] = [];
  const conjunctions = new Set(["or", "and"].map((word) => index.terms.get(word) ?? -1));
  const verbs: (readonly number[])[] = [];
  for (let d = 0; d < index.toolCount; d++) {
    const from = index.textStart[d] ?? 0;
    const to = index.textStart[d + 1] ?? 0;
    let nameEnd = from;
    while (nameEnd < to && index.textField[nameEnd] === FIELD.name) nameEnd++;
    let lead = nameEnd;
    while (lead < to && index.textField[lead] === FIELD.title) lead++;
    const found = new Set<number>();
    const take = (at: number) => {
      const term = index.textTerm[at] ?? 0;
      let groups = groupsOf.get(term);
      if (groups === undefined) {
        groups = thesaurus.verbGroups(index.termTexts[term] ?? "");
        groupsOf.set(term, groups);
      }
      for (const group of groups) found.add(group);
    };
    if (nameEnd > from) take(from);
    if (nameEnd > from + 1) take(nameEnd - 1);
    if (lead < to && index.textField[lead] === FIELD.lead) take(lead);
    // "Creates or updates a rule"
    const joins = index.textTerm[lead + 1];
    if (lead + 2 < to && joins !== undefined && conjunctions.has(joins)) take(lead + 2);
    verbs.push(found.size === 0 ? none : [...found]);
  }
  return verbs;
}
