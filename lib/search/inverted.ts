// The inverted index: for every term the tools that have it, with one weight that joins all
// fields (BM25F: field weights and length normalisation go in before saturation). Immutable once built.
import type { Tool } from "../catalog/catalog.ts";
import { createFieldReader, type ToolTexts } from "./fields.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { createPostings, grown, type Postings, type PostingsByTerm } from "./postings.ts";
import { WEIGHTS } from "./weights.ts";
import { nameWords } from "./words.ts";

/** Fields whose words are kept in order, for runs of words and for verbs. */
export const FIELD = { name: 0, title: 1, lead: 2 } as const;

/** Characters read of all descriptions, and of all parameter texts; bounds a hostile catalog. */
const TEXT_BUDGET = 6_000_000;
const MIN_TOOL_BUDGET = 300;
const MAX_TOOL_BUDGET = 6_000;

export interface InvertedIndex
  extends Pick<Lexicon, "terms" | "surfaces" | "termTexts">,
    PostingsByTerm {
  readonly toolCount: number;
  /** Whether the term stands in any tool's name. */
  readonly termInName: Uint8Array;
  /**
   * Words of each tool's name, title and first sentence in order: `textStart[d]` up to
   * `textStart[d + 1]`, each with its field, and for names whether it is a plural.
   */
  readonly textStart: Int32Array;
  readonly textTerm: Int32Array;
  readonly textField: Uint8Array;
  readonly textPlural: Uint8Array;
}

export function createInvertedIndex(tools: readonly Tool[]): InvertedIndex {
  const share = Math.floor(TEXT_BUDGET / Math.max(1, tools.length));
  const textBudget = Math.min(MAX_TOOL_BUDGET, Math.max(MIN_TOOL_BUDGET, share));
  const reader = createFieldReader({ tools, textBudget });
  const lexicon = createLexicon();
  const postings = createPostings(tools.length);
  const sequence = createSequence(tools.length);
  for (const tool of tools) {
    addTool(reader.read(tool), { lexicon, postings, sequence });
    postings.endTool();
    sequence.endTool();
  }
  const inOrder = sequence.finish();
  const termInName = new Uint8Array(lexicon.termTexts.length);
  for (let i = 0; i < inOrder.textTerm.length; i++) {
    if (inOrder.textField[i] === FIELD.name) termInName[inOrder.textTerm[i] ?? 0] = 1;
  }
  const { terms, surfaces, termTexts } = lexicon;
  const inverted = postings.finish(termTexts.length);
  return {
    toolCount: tools.length,
    terms,
    surfaces,
    termTexts,
    termInName,
    ...inOrder,
    ...inverted,
  };
}

function addTool(
  texts: ToolTexts,
  into: { readonly lexicon: Lexicon; readonly postings: Postings; readonly sequence: Sequence },
): void {
  const { lexicon, postings, sequence } = into;
  const name = nameWords(texts.name);
  const nameTerms = lexicon.termsOfWords(name);
  const title = lexicon.termsOfText(texts.title);
  const lead = lexicon.termsOfText(texts.lead);
  sequence.add(nameTerms, FIELD.name, (i) => lexicon.isPlural(name[i] ?? ""));
  sequence.add(title, FIELD.title);
  sequence.add(lead, FIELD.lead);
  postings.add(nameTerms, normalized(WEIGHTS.name, nameTerms.length));
  postings.add(title, normalized(WEIGHTS.title, title.length));
  postings.add(lead, normalized(WEIGHTS.lead, lead.length));
  const rest = lexicon.termsOfText(texts.rest);
  postings.add(rest, normalized(WEIGHTS.rest, rest.length));
  addAll(texts.parameterNames, WEIGHTS.parameterName, into);
  addAll(texts.parameterTexts, WEIGHTS.parameterText, into);
  postings.add(lexicon.termsOfWords(joinedNeighbours(name)), WEIGHTS.joinedName);
  if (texts.group === "") return;
  const group = nameWords(texts.group);
  postings.add(lexicon.termsOfWords(group), WEIGHTS.group);
  postings.add(lexicon.termsOfWords(joinedNeighbours(group)), WEIGHTS.joinedName);
}

function addAll(
  texts: readonly string[],
  field: FieldWeight,
  { lexicon, postings }: { readonly lexicon: Lexicon; readonly postings: Postings },
): void {
  if (texts.length === 0) return;
  const terms: (readonly number[])[] = [];
  let length = 0;
  for (const text of texts) {
    const found = lexicon.termsOfText(text);
    terms.push(found);
    length += found.length;
  }
  const weight = normalized(field, length);
  for (const found of terms) postings.add(found, weight);
}

interface FieldWeight {
  readonly weight: number;
  readonly b: number;
  readonly usualLength: number;
}

/** `word_cloud` is also asked for as wordcloud. */
function joinedNeighbours(words: readonly string[]): string[] {
  return words.slice(1).map((word, i) => `${words[i]}${word}`);
}

/** An occurrence counts less in a field longer than usual (BM25's length normalisation). */
function normalized(field: FieldWeight, length: number): number {
  return field.weight / (1 - field.b + (field.b * length) / field.usualLength);
}

interface Sequence {
  add(terms: readonly number[], field: number, isPlural?: (i: number) => boolean): void;
  endTool(): void;
  finish(): Pick<InvertedIndex, "textStart" | "textTerm" | "textField" | "textPlural">;
}

function createSequence(toolCount: number): Sequence {
  const textStart = new Int32Array(toolCount + 1);
  let textTerm = new Int32Array(4096);
  let textField = new Uint8Array(4096);
  let textPlural = new Uint8Array(4096);
  let size = 0;
  let tool = 0;
  return {
    add(terms, field, isPlural) {
      if (size + terms.length > textTerm.length) {
        const length = textTerm.length * 2 + terms.length;
        textTerm = grown(textTerm, new Int32Array(length));
        textField = grown(textField, new Uint8Array(length));
        textPlural = grown(textPlural, new Uint8Array(length));
      }
      for (let i = 0; i < terms.length; i++) {
        textTerm[size] = terms[i] ?? 0;
        textField[size] = field;
        if (isPlural?.(i) === true) textPlural[size] = 1;
        size++;
      }
    },
    endTool() {
      tool++;
      textStart[tool] = size;
    },
    finish() {
      return { textStart, textTerm: textTerm.subarray(0, size), textField, textPlural };
    },
  };
}
