// What of a tool is searched: its texts by field, in bounded amounts, whatever shape it has.

import type { Tool } from "../catalog/catalog.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";

/** The searched texts of one tool. A missing or odd member is an empty string. */
export interface ToolTexts {
  /** The part of the name that says which server of an aggregate it belongs to. */
  readonly group: string;
  readonly name: string;
  readonly title: string;
  /** First sentence of the description. */
  readonly lead: string;
  /** The description after its first sentence. */
  readonly rest: string;
  readonly parameterNames: string;
  /** Parameter descriptions, titles and enum values. */
  readonly parameterTexts: string;
}

const MAX_PARAMETERS = 120;
const MAX_DEPTH = 3;
const MAX_ENUM = 24;
const MAX_ENUM_VALUE = 40;
const MAX_LEAD = 300;
/** "Do not use this for ..." names what the tool is not about. */
const DISCLAIMER =
  /(?:^|[.!?\n]\s*)[^.!?\n]{0,40}\b(?:do not|don't|never|not be|cannot be|not intended|instead of)\b[^.!?\n]{0,12}\b(?:use|used|call|for)\b[^.!?\n]*/gi;

/** Reads tools of one catalog. `textBudget` is the number of characters read per tool. */
export interface FieldReader {
  read(tool: Tool): ToolTexts;
}

export function createFieldReader(options: {
  readonly tools: readonly Tool[];
  readonly textBudget: number;
}): FieldReader {
  const separator = groupSeparator(options.tools);
  const { textBudget } = options;
  return {
    read(tool) {
      const name = text(tool.name, MAX_LEAD);
      const at = separator === undefined ? -1 : name.indexOf(separator, groupStart(name));
      const split = at > 0 && separator !== undefined;
      const description = text(tool.description, textBudget).replace(DISCLAIMER, " ");
      const end = leadEnd(description);
      const parameters = readParameters(tool.inputSchema, textBudget);
      return {
        group: split ? name.slice(0, at) : "",
        name: split ? name.slice(at + separator.length) : name,
        title: readTitle(tool),
        lead: description.slice(0, end),
        rest: description.slice(end),
        parameterNames: parameters.names,
        parameterTexts: parameters.texts,
      };
    },
  };
}

/** `mcp__github__x`: the first part says nothing. */
function groupStart(name: string): number {
  return name.startsWith("mcp__") ? 5 : 0;
}

/** The separator that most names have, when the catalog joins several servers' tools. */
function groupSeparator(tools: readonly Tool[]): string | undefined {
  for (const separator of ["__", "/", ":", "."]) {
    let count = 0;
    for (const tool of tools) {
      const name = tool.name;
      if (typeof name === "string" && name.indexOf(separator, groupStart(name)) > 0) count++;
    }
    if (count > 1 && count * 2 > tools.length) return separator;
  }
  return undefined;
}

function text(value: unknown, limit: number): string {
  if (typeof value !== "string") return "";
  return value.length > limit ? value.slice(0, limit) : value;
}

function readTitle(tool: Tool): string {
  if (typeof tool.title === "string") return text(tool.title, MAX_LEAD);
  return isObject(tool.annotations) ? text(tool.annotations.title, MAX_LEAD) : "";
}

/** Index behind the first sentence. */
export function leadEnd(description: string): number {
  const limit = Math.min(description.length, MAX_LEAD);
  for (let i = 0; i < limit; i++) {
    const c = description.charCodeAt(i);
    if (c === 0x3002 || c === 0xff01 || c === 0xff1f) return i + 1;
    const next = i + 1 < limit ? description.charCodeAt(i + 1) : 32;
    if (c === 10 && next === 10 && i > 8) return i;
    if ((c === 46 || c === 33 || c === 63) && next <= 32 && i > 8) {
      if (!/\b(?:e\.g|i\.e|etc|vs|no|incl)$/i.test(description.slice(i - 5, i))) return i + 1;
    }
  }
  return limit;
}

function readParameters(schema: unknown, budget: number): { names: string; texts: string } {
  const names: string[] = [];
  const texts: string[] = [];
  let left = budget;
  const take = (value: unknown): void => {
    if (left <= 0) return;
    const piece = text(value, left);
    if (piece === "") return;
    texts.push(piece);
    left -= piece.length + 1;
  };
  const visit = (node: unknown, depth: number): void => {
    if (!isObject(node)) return;
    if (depth > 0) {
      take(node.description);
      take(node.title);
      takeEnum(node.enum, take);
      if (typeof node.const === "string") take(text(node.const, MAX_ENUM_VALUE));
    }
    if (depth >= MAX_DEPTH || names.length >= MAX_PARAMETERS) return;
    if (isObject(node.properties)) visitProperties(node.properties, depth);
    visit(node.items, depth + 1);
    for (const branches of [node.anyOf, node.oneOf, node.allOf]) {
      if (Array.isArray(branches)) for (const b of branches.slice(0, 8)) visit(b, depth + 1);
    }
  };
  const visitProperties = (properties: JsonObject, depth: number): void => {
    for (const name in properties) {
      if (names.length >= MAX_PARAMETERS) return;
      if (!Object.hasOwn(properties, name)) continue;
      names.push(text(name, MAX_ENUM_VALUE * 2));
      visit(properties[name], depth + 1);
    }
  };
  visit(schema, 0);
  return { names: names.join(" "), texts: texts.join("\n") };
}

function takeEnum(values: unknown, take: (value: unknown) => void): void {
  if (!Array.isArray(values)) return;
  const count = Math.min(values.length, MAX_ENUM);
  for (let i = 0; i < count; i++) {
    const value: unknown = values[i];
    if (typeof value === "string") take(text(value, MAX_ENUM_VALUE));
  }
}
