// What of a tool is searched: its texts by field, in bounded amounts, whatever shape it has.

import type { Tool } from "../catalog/catalog.ts";
import { isObject } from "../json-rpc.ts";

/** The searched texts of one tool. A missing or odd member is empty. */
export interface ToolTexts {
  /** The part of the name that says which server of an aggregate it belongs to. */
  readonly group: string;
  readonly name: string;
  readonly title: string;
  /** First sentence of the description. */
  readonly lead: string;
  /** The description after its first sentence. */
  readonly rest: string;
  readonly parameterNames: readonly string[];
  /** Parameter descriptions, titles and enum values. */
  readonly parameterTexts: readonly string[];
}

const MAX_PARAMETERS = 120;
const MAX_DEPTH = 3;
const MAX_ENUM = 24;
const MAX_ENUM_VALUE = 40;
const MAX_PARAMETER_NAME = 80;
const MAX_BRANCHES = 8;
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
      const description = withoutDisclaimers(text(tool.description, textBudget));
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

/** The cheap test first: most descriptions have none, and the pattern is slow. */
function withoutDisclaimers(description: string): string {
  const suspect = /not |n't |never |instead /i.test(description);
  return suspect ? description.replace(DISCLAIMER, " ") : description;
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

/** What may end a sentence. */
const STOP = /[.!?](?=\s|$)|[。！？]|\n\n/;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|no|incl)$/i;
/** A sentence is not shorter than this. */
const MIN_LEAD = 8;

/** Index behind the first sentence. */
export function leadEnd(description: string): number {
  const head = description.slice(0, MAX_LEAD);
  let from = 0;
  for (;;) {
    const found = head.slice(from).search(STOP);
    if (found < 0) return head.length;
    const at = from + found;
    from = at + 1;
    if (at < MIN_LEAD && head.charCodeAt(at) < 0x3000) continue;
    if (head[at] === "." && ABBREVIATION.test(head.slice(Math.max(0, at - 5), at))) continue;
    return at + 1;
  }
}

/** Collects the names and texts of a schema's parameters, within its limits. */
interface Collection {
  readonly names: string[];
  readonly texts: string[];
  /** Characters that may still be taken. */
  left: number;
}

function readParameters(schema: unknown, budget: number): Collection {
  const into: Collection = { names: [], texts: [], left: budget };
  visitSchema(schema, 0, into);
  return into;
}

function visitSchema(node: unknown, depth: number, into: Collection): void {
  if (!isObject(node)) return;
  if (depth > 0) {
    take(node.description, into.left, into);
    if (node.title !== undefined) take(node.title, into.left, into);
    if (Array.isArray(node.enum)) takeEnum(node.enum, into);
    if (node.const !== undefined) take(node.const, MAX_ENUM_VALUE, into);
  }
  if (depth >= MAX_DEPTH || into.names.length >= MAX_PARAMETERS) return;
  const { properties } = node;
  if (isObject(properties)) {
    for (const name of Object.keys(properties)) {
      if (into.names.length >= MAX_PARAMETERS) break;
      into.names.push(text(name, MAX_PARAMETER_NAME));
      visitSchema(properties[name], depth + 1, into);
    }
  }
  if (node.items !== undefined) visitSchema(node.items, depth + 1, into);
  if (node.anyOf !== undefined) visitBranches(node.anyOf, depth, into);
  if (node.oneOf !== undefined) visitBranches(node.oneOf, depth, into);
  if (node.allOf !== undefined) visitBranches(node.allOf, depth, into);
}

function visitBranches(branches: unknown, depth: number, into: Collection): void {
  if (!Array.isArray(branches)) return;
  const count = Math.min(branches.length, MAX_BRANCHES);
  for (let i = 0; i < count; i++) visitSchema(branches[i], depth + 1, into);
}

function takeEnum(values: readonly unknown[], into: Collection): void {
  const count = Math.min(values.length, MAX_ENUM);
  for (let i = 0; i < count; i++) take(values[i], MAX_ENUM_VALUE, into);
}

function take(value: unknown, limit: number, into: Collection): void {
  if (typeof value !== "string" || value === "" || into.left <= 0) return;
  const piece = text(value, Math.min(limit, into.left));
  into.texts.push(piece);
  into.left -= piece.length + 1;
}
