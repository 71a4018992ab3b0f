// The inverted index: for every term the tools that have it, with one weight that joins all
// fields (BM25F: field weights and length normalisation go in before saturation). Immutable once built.
import type { Tool } from "../catalog/catalog.ts";
import { createFieldReader, type ToolTexts } from "./fields.ts";
import { stem } from "./stem.ts";
import { WEIGHTS } from "./weights.ts";
import { nameWords, runWords, splitRuns } from "./words.ts";

export const FIELD = {
  name: 0,
  title: 1,
  lead: 2,
  rest: 3,
  parameterNames: 4,
  parameterTexts: 5,
  group: 6,
  joined: 7,
} as const;
const FIELD_COUNT = 8;

/** Characters read of all descriptions and parameter texts together; bounds a hostile catalog. */
const TEXT_BUDGET = 6_000_000;
const MIN_TOOL_BUDGET = 300;
const MAX_TOOL_BUDGET = 6_000;

/** Longer texts are hardly ever repeated. */
const MAX_SHARED_TEXT = 300;

export interface InvertedIndex {
  readonly toolCount: number;
  /** Stem to term number. */
  readonly terms: ReadonlyMap<string, number>;
  readonly termTexts: readonly string[];
  /** Lower-case word as written to term number. */
  readonly surfaces: ReadonlyMap<string, number>;
  /** Postings of term t are `start[t]` up to `start[t + 1]`, tools ascending. */
  readonly start: Int32Array;
  readonly toolOf: Int32Array;
  readonly weightOf: Float32Array;
  readonly idf: Float32Array;
  /** Whether the term stands in any tool's name. */
  readonly termInName: Uint8Array;
  /** Terms of each tool in reading order, with their fields: `textStart[d]` up to `textStart[d + 1]`. */
  readonly textStart: Int32Array;
  readonly textTerm: Int32Array;
  readonly textField: Uint8Array;
  readonly textPlural: Uint8Array;
}

/** BM25's inverse document frequency; catalogs are tiny, so it is flattened and has a floor. */
export function inverseFrequency(toolCount: number, having: number): number {
  const idf = Math.log(1 + (toolCount - having + 0.5) / (having + 0.5));
  return Math.max(WEIGHTS.idfFloor, idf ** WEIGHTS.idfPower);
}

export function createInvertedIndex(tools: readonly Tool[]): InvertedIndex {
  const share = Math.floor(TEXT_BUDGET / Math.max(1, tools.length));
  const textBudget = Math.min(MAX_TOOL_BUDGET, Math.max(MIN_TOOL_BUDGET, share));
  const reader = createFieldReader({ tools, textBudget });
  const collector = createCollector(tools.length);
  for (const tool of tools) collector.addTool(reader.read(tool));
  return collector.finish();
}

function createCollector(toolCount: number) {
  const terms = new Map<string, number>();
  const termTexts: string[] = [];
  const surfaces = new Map<string, number>();
  const textStart = new Int32Array(toolCount + 1);
  const fieldLengths = new Float32Array(toolCount * FIELD_COUNT);
  let textTerm = new Int32Array(4096);
  let textField = new Uint8Array(4096);
  let textPlural = new Uint8Array(4096);
  let size = 0;
  let tool = 0;

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
  const reserve = (count: number): void => {
    if (size + count <= textTerm.length) return;
    const length = Math.max(textTerm.length * 2, size + count);
    textTerm = grow(textTerm, new Int32Array(length));
    textField = grow(textField, new Uint8Array(length));
    textPlural = grow(textPlural, new Uint8Array(length));
  };
  const addTerms = (found: Int32Array, field: number): void => {
    const count = found.length;
    reserve(count);
    textTerm.set(found, size);
    textField.fill(field, size, size + count);
    size += count;
    const at = tool * FIELD_COUNT + field;
    fieldLengths[at] = (fieldLengths[at] ?? 0) + count;
  };
  // A catalog repeats its words, and whole texts of parameters: each is worked out once.
  const termsOfRuns = new Map<string, readonly number[]>();
  const termsOfTexts = new Map<string, Int32Array>();
  const termsOfRun = (run: string): readonly number[] => {
    let found = termsOfRuns.get(run);
    if (found === undefined) {
      found = runWords(run).map(termOf);
      termsOfRuns.set(run, found);
    }
    return found;
  };
  const addText = (text: string, field: number): void => {
    let found = termsOfTexts.get(text);
    if (found === undefined) {
      const list: number[] = [];
      for (const run of splitRuns(text)) for (const term of termsOfRun(run)) list.push(term);
      found = Int32Array.from(list);
      if (text.length <= MAX_SHARED_TEXT) termsOfTexts.set(text, found);
    }
    addTerms(found, field);
  };
  const addName = (words: readonly string[], field: number): void => {
    const before = size;
    addTerms(Int32Array.from(words, termOf), field);
    if (field !== FIELD.name) return;
    for (const [i, word] of words.entries()) {
      const stemmed = termTexts[textTerm[before + i] ?? 0] ?? "";
      if (isPlural(word, stemmed)) textPlural[before + i] = 1;
    }
  };
  const addJoined = (words: readonly string[]): void => {
    const pairs: number[] = [];
    for (let i = 0; i + 1 < words.length; i++) pairs.push(termOf(`${words[i]}${words[i + 1]}`));
    addTerms(Int32Array.from(pairs), FIELD.joined);
  };

  return {
    addTool(texts: ToolTexts): void {
      const name = nameWords(texts.name);
      addName(name, FIELD.name);
      if (texts.title !== "") addText(texts.title, FIELD.title);
      addText(texts.lead, FIELD.lead);
      addText(texts.rest, FIELD.rest);
      for (const parameter of texts.parameterNames) addText(parameter, FIELD.parameterNames);
      for (const text of texts.parameterTexts) addText(text, FIELD.parameterTexts);
      if (texts.group !== "") {
        const group = nameWords(texts.group);
        addName(group, FIELD.group);
        addJoined(group);
      }
      addJoined(name);
      tool++;
      textStart[tool] = size;
    },
    finish(): InvertedIndex {
      const text = { textStart, textTerm: textTerm.slice(0, size), textField, textPlural };
      return {
        toolCount,
        terms,
        termTexts,
        surfaces,
        ...text,
        ...invert(text, { toolCount, termCount: termTexts.length, fieldLengths }),
      };
    },
  };
}

function grow<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function invert(
  text: Pick<InvertedIndex, "textStart" | "textTerm" | "textField">,
  sizes: { toolCount: number; termCount: number; fieldLengths: Float32Array },
): Pick<InvertedIndex, "start" | "toolOf" | "weightOf" | "idf" | "termInName"> {
  const { textStart, textTerm, textField } = text;
  const { toolCount, termCount, fieldLengths } = sizes;
  const factors = occurrenceWeights(toolCount, fieldLengths);
  // A tool is counted once a term: `last` remembers the newest tool that had it.
  const counts = new Int32Array(termCount + 1);
  const last = new Int32Array(termCount).fill(-1);
  const termInName = new Uint8Array(termCount);
  for (let d = 0; d < toolCount; d++) {
    for (let i = textStart[d] ?? 0; i < (textStart[d + 1] ?? 0); i++) {
      const t = textTerm[i] ?? 0;
      if (textField[i] === FIELD.name) termInName[t] = 1;
      if (last[t] === d) continue;
      last[t] = d;
      counts[t] = (counts[t] ?? 0) + 1;
    }
  }
  const start = new Int32Array(termCount + 1);
  const idf = new Float32Array(termCount);
  for (let t = 0; t < termCount; t++) start[t + 1] = (start[t] ?? 0) + (counts[t] ?? 0);
  const total = start[termCount] ?? 0;
  const toolOf = new Int32Array(total);
  const weightOf = new Float32Array(total);
  const next = start.slice(0, termCount);
  last.fill(-1);
  for (let d = 0; d < toolCount; d++) {
    for (let i = textStart[d] ?? 0; i < (textStart[d + 1] ?? 0); i++) {
      const t = textTerm[i] ?? 0;
      if (last[t] !== d) {
        last[t] = d;
        toolOf[next[t] ?? 0] = d;
        next[t] = (next[t] ?? 0) + 1;
      }
      const at = (next[t] ?? 0) - 1;
      weightOf[at] = (weightOf[at] ?? 0) + (factors[d * FIELD_COUNT + (textField[i] ?? 0)] ?? 0);
    }
  }
  for (let t = 0; t < termCount; t++) {
    let having = 0;
    for (let i = start[t] ?? 0; i < (start[t + 1] ?? 0); i++) {
      having += Math.min(1, (weightOf[i] ?? 0) / WEIGHTS.softDf);
    }
    idf[t] = inverseFrequency(toolCount, having);
  }
  return { start, toolOf, weightOf, idf, termInName };
}

/** What one occurrence counts in each tool's each field. */
function occurrenceWeights(toolCount: number, fieldLengths: Float32Array): Float32Array {
  const factors = new Float32Array(toolCount * FIELD_COUNT);
  for (let field = 0; field < FIELD_COUNT; field++) {
    let sum = 0;
    for (let d = 0; d < toolCount; d++) sum += fieldLengths[d * FIELD_COUNT + field] ?? 0;
    const average = sum / Math.max(1, toolCount);
    const weight = WEIGHTS.fields[field] ?? 0;
    const b = WEIGHTS.fieldB[field] ?? 0;
    for (let d = 0; d < toolCount; d++) {
      const length = fieldLengths[d * FIELD_COUNT + field] ?? 0;
      factors[d * FIELD_COUNT + field] = weight / (1 - b + (b * length) / Math.max(1, average));
    }
  }
  return factors;
}

export function isPlural(word: string, stemmed: string): boolean {
  return word.endsWith("s") && !stemmed.endsWith("s");
}
