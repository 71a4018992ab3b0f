// The inverted index: for every term the tools that have it, with one weight that joins all
// fields (BM25F: field weights and length normalisation go in before saturation). Immutable once built.
import type { Tool } from "../catalog/catalog.ts";
import { createFieldReader, type ToolTexts } from "./fields.ts";
import { stem } from "./stem.ts";
import { WEIGHTS } from "./weights.ts";
import { nameWords, textWords } from "./words.ts";

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
  const add = (word: string, field: number): void => {
    if (size === textTerm.length) {
      textTerm = grow(textTerm, new Int32Array(size * 2));
      textField = grow(textField, new Uint8Array(size * 2));
      textPlural = grow(textPlural, new Uint8Array(size * 2));
    }
    textTerm[size] = termOf(word);
    textField[size] = field;
    textPlural[size] =
      field === FIELD.name && isPlural(word, termTexts[textTerm[size] ?? 0] ?? "") ? 1 : 0;
    size++;
    const at = tool * FIELD_COUNT + field;
    fieldLengths[at] = (fieldLengths[at] ?? 0) + 1;
  };
  const addAll = (words: readonly string[], field: number): void => {
    for (const word of words) add(word, field);
  };
  const addJoined = (words: readonly string[]): void => {
    for (let i = 0; i + 1 < words.length; i++) add(`${words[i]}${words[i + 1]}`, FIELD.joined);
  };

  return {
    addTool(texts: ToolTexts): void {
      const name = nameWords(texts.name);
      addAll(name, FIELD.name);
      if (texts.title !== "") addAll(textWords(texts.title), FIELD.title);
      addAll(textWords(texts.lead), FIELD.lead);
      addAll(textWords(texts.rest), FIELD.rest);
      addAll(nameWords(texts.parameterNames), FIELD.parameterNames);
      addAll(textWords(texts.parameterTexts), FIELD.parameterTexts);
      if (texts.group !== "") {
        const group = nameWords(texts.group);
        addAll(group, FIELD.group);
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
