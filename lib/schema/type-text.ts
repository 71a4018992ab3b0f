// A schema as a short type in the manner of TypeScript: `string`, `"open" | "closed"`, `Item[]`.
// It tells a model what to write; bounds and descriptions are left to `describe`. Pure, bounded in
// depth and work for any value whatever, and never throws.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { isTypeName } from "./dialect.ts";
import { followReferences } from "./reference.ts";
import { visibleText } from "./visible-text.ts";

export interface TypeOptions {
  /** How many levels of nested objects are written out; below that they are `object`. Default 2. */
  readonly depth?: number;
  /** How many values of an enum are written out before `…`. Default 8. */
  readonly values?: number;
}

/** Ever shorter ways to write a type. */
export const TYPE_FORMS: readonly TypeOptions[] = [
  { depth: 2, values: 8 },
  { depth: 1, values: 8 },
  { depth: 0, values: 6 },
  { depth: 0, values: 3 },
];

const MAX_LEVELS = 8;
const MAX_BRANCHES = 8;
const MAX_MEMBERS = 12;
const MAX_NODES = 400;
const MAX_VALUE_LENGTH = 60;

interface Writing {
  readonly root: unknown;
  readonly depth: number;
  readonly values: number;
  /** Schemas being written out, so that a recursive one ends. */
  readonly open: Set<unknown>;
  nodesLeft: number;
}

/** The type of `schema`; `$ref`s are looked up in `root`. */
export function renderType(root: unknown, schema: unknown, options: TypeOptions = {}): string {
  const { depth = 2, values = 8 } = options;
  return typeOf(schema, { root, depth, values, open: new Set(), nodesLeft: MAX_NODES }, 0);
}

/** The longest form of the type within `maxLength`; the shortest one, cut, if none fits. */
export function renderTypeWithin(root: unknown, schema: unknown, maxLength: number): string {
  let text = "";
  for (const options of TYPE_FORMS) {
    text = renderType(root, schema, options);
    if (text.length <= maxLength) return text;
  }
  return cutText(text, maxLength);
}

/** Cuts to `maxLength` UTF-16 units, the last one being `…`. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A property name as it is written before a colon: quoted only where it could be misread. */
export function renderName(name: string): string {
  const shown = visibleText(name);
  return /^[^\s:?,;(){}[\]|"'`…]+$/u.test(shown) ? shown : visibleText(JSON.stringify(name));
}

/** A JSON value on one line, shortened to `maxLength` with `…`. */
export function renderValue(value: unknown, maxLength: number = MAX_VALUE_LENGTH): string {
  const sample = typeof value === "string" && value.length > maxLength * 2;
  const text = visibleText(
    JSON.stringify(sample ? value.slice(0, maxLength * 2) : shallow(value)) ?? "undefined",
  );
  return cutText(text, maxLength);
}

/** Cuts what `JSON.stringify` could not finish: values nested thousands deep, or very many. */
function shallow(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 6) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, 40).map((item) => shallow(item, depth + 1));
  const members = Object.entries(value).slice(0, 40);
  return Object.fromEntries(members.map(([key, item]) => [key, shallow(item, depth + 1)]));
}

function typeOf(schema: unknown, writing: Writing, level: number): string {
  if (schema === false) return "never";
  if (!isObject(schema) || level > MAX_LEVELS || writing.nodesLeft <= 0) return "any";
  writing.nodesLeft -= 1;
  const target = typeof schema.$ref === "string" ? followReferences(writing.root, schema) : schema;
  if (!isObject(target)) return target === false ? "never" : "any";
  if (writing.open.has(target)) return baseType(target) ?? "any";
  writing.open.add(target);
  const text = shapeOf(target, writing, level);
  writing.open.delete(target);
  return text;
}

function shapeOf(schema: JsonObject, writing: Writing, level: number): string {
  if (Object.hasOwn(schema, "const")) return renderValue(schema.const);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return valuesOf(schema.enum, writing);
  const branches = branchesOf(schema);
  if (branches !== undefined && !isObject(schema.properties)) {
    const shown = branches.list.slice(0, MAX_BRANCHES);
    const types = shown.map((branch) => typeOf(branch, writing, level + 1));
    const rest = branches.list.length > MAX_BRANCHES ? ["…"] : [];
    // `allOf: [{...}, {pattern}]` and `anyOf: [{required: [..]}]` refine a type, they do not name one.
    const known = [...new Set(types)].filter((type) => type !== "any");
    if (known.length === 0) return plainType(schema, writing, level) ?? "any";
    if (branches.word === "&") return known.map((type) => grouped(type, "|")).join(" & ");
    if (known.length === new Set(types).size) return [...known, ...rest].join(" | ");
  }
  return plainType(schema, writing, level) ?? "any";
}

function branchesOf(schema: JsonObject): { list: unknown[]; word: "|" | "&" } | undefined {
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union) && union.length > 0) return { list: union, word: "|" };
  }
  if (Array.isArray(schema.allOf) && schema.allOf.length > 0)
    return { list: schema.allOf, word: "&" };
  return undefined;
}

function valuesOf(values: readonly unknown[], writing: Writing): string {
  const shown = values.slice(0, writing.values).map((value) => renderValue(value));
  if (values.length > writing.values) shown.push("…");
  return [...new Set(shown)].join(" | ");
}

function plainType(schema: JsonObject, writing: Writing, level: number): string | undefined {
  const { type } = schema;
  if (Array.isArray(type)) {
    const names = type.filter(isTypeName);
    if (names.length === 0) return undefined;
    return [...new Set(names.map((name) => single(name, schema, writing, level)))].join(" | ");
  }
  const name = baseType(schema);
  return name === undefined ? undefined : single(name, schema, writing, level);
}

/** The type as named, or as the keywords let guess; JSON Schema allows to leave it out. */
function baseType(schema: JsonObject): string | undefined {
  if (typeof schema.type === "string") {
    return isTypeName(schema.type) ? schema.type : undefined;
  }
  if (isObject(schema.properties) || isObject(schema.patternProperties)) return "object";
  if (isObject(schema.items) || Array.isArray(schema.prefixItems)) return "array";
  if (["pattern", "minLength", "maxLength"].some((key) => Object.hasOwn(schema, key))) {
    return "string";
  }
  return undefined;
}

function single(name: string, schema: JsonObject, writing: Writing, level: number): string {
  if (name === "array") return arrayType(schema, writing, level);
  if (name === "object") return objectType(schema, writing, level);
  return name;
}

function arrayType(schema: JsonObject, writing: Writing, level: number): string {
  const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items;
  if (Array.isArray(tuple)) {
    const shown = tuple.slice(0, MAX_BRANCHES).map((item) => typeOf(item, writing, level + 1));
    if (tuple.length > MAX_BRANCHES) shown.push("…");
    return `[${shown.join(", ")}]`;
  }
  return `${grouped(typeOf(schema.items, writing, level + 1), "|&")}[]`;
}

function objectType(schema: JsonObject, writing: Writing, level: number): string {
  const nested = [...writing.open].filter((open) => isObject(open) && isObject(open.properties));
  if (nested.length > writing.depth) return "object";
  const parameters = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (parameters.length === 0) {
    const values = schema.additionalProperties;
    if (!isObject(values) || Object.keys(values).length === 0) return "object";
    const type = typeOf(values, writing, level + 1);
    return type === "any" ? "object" : `{[key]: ${type}}`;
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const members = parameters
    .slice(0, MAX_MEMBERS)
    .map(
      ([name, value]) =>
        `${renderName(name)}${required.has(name) ? "" : "?"}: ${typeOf(value, writing, level + 1)}`,
    );
  if (parameters.length > MAX_MEMBERS) members.push("…");
  return `{${members.join(", ")}}`;
}

/** In parentheses if one of the operators joins its parts, not only parts inside braces. */
function grouped(type: string, operators: string): string {
  const bare = type.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  let depth = 0;
  for (const character of bare) {
    if ("{[(".includes(character)) depth += 1;
    else if ("}])".includes(character)) depth -= 1;
    else if (depth === 0 && operators.includes(character)) return `(${type})`;
  }
  return type;
}
