// An input schema whose top is a union, an intersection or a reference, as one plain list of
// properties. Model APIs refuse such a top; validation goes on using the original. Pure.
// The invariant: arguments made for one branch of the original, out of the properties that it names,
// are accepted by the merged schema as well.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { acceptsAll } from "./dialect.ts";
import { setMember } from "./member.ts";
import { followReferences } from "./reference.ts";

const UNIONS: readonly string[] = ["anyOf", "oneOf"];
/** What model APIs refuse at the top of an input schema. */
const REFUSED: readonly string[] = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"];
/** What no longer holds, or is known no longer, once the branches are merged. */
const UNDONE: readonly string[] = [...REFUSED, "unevaluatedProperties"];

/** The schema of a property that is required and not described. */
const ANYTHING: JsonObject = {};

const MAX_BRANCH_DEPTH = 8;
const MAX_BRANCHES = 256;
const MAX_NOTE_LENGTH = 70;
const GENERAL_NOTE = "Full rules: see describe.";

export interface MergedTop {
  readonly schema: JsonObject;
  /** A sentence for the tool's description; empty when the merged schema says all. */
  readonly note: string;
  /** The refused keywords that were found, such as `anyOf`. */
  readonly keywords: readonly string[];
}

/** The schema with a plain top; undefined when it has one. */
export function mergeTopLevel(root: JsonObject): MergedTop | undefined {
  const keywords = REFUSED.filter((keyword) => Object.hasOwn(root, keyword));
  if (keywords.length === 0) return undefined;
  const named = keywords.length === 1 ? resolveTop(root) : undefined;
  if (named !== undefined) return { schema: named, note: "", keywords };

  const collected = collect(root, { root, depth: 0, budget: { branches: MAX_BRANCHES } });
  const schema: JsonObject = {};
  for (const keyword of Object.keys(root)) {
    if (!UNDONE.includes(keyword)) setMember(schema, keyword, root[keyword]);
  }
  const properties: JsonObject = {};
  for (const [name, schemas] of collected.properties)
    setMember(properties, name, joinSchemas(schemas));
  schema.properties = properties;
  if (collected.required.size > 0) schema.required = [...collected.required];
  return { schema, note: noteFor(root), keywords };
}

/** For a top that is a bare reference: what it leads to, if that has a plain top. */
function resolveTop(root: JsonObject): JsonObject | undefined {
  if (typeof root.$ref !== "string") return undefined;
  const target = followReferences(root, root);
  if (!isObject(target) || target === root) return undefined;
  if (REFUSED.some((keyword) => Object.hasOwn(target, keyword))) return undefined;
  const { $ref: _reference, ...rest } = root;
  for (const keyword of Object.keys(rest)) {
    if (Object.hasOwn(target, keyword) && keyword !== "description" && keyword !== "title") {
      return undefined;
    }
  }
  return { ...target, ...rest };
}

interface Branch {
  readonly root: JsonObject;
  readonly depth: number;
  readonly budget: { branches: number };
}

interface Collected {
  /** Each property with the schemas of which one has to hold. */
  readonly properties: Map<string, readonly unknown[]>;
  readonly required: Set<string>;
}

function collect(schema: JsonObject, branch: Branch): Collected {
  const all: Collected = { properties: new Map(), required: new Set() };
  if (branch.depth > MAX_BRANCH_DEPTH || branch.budget.branches-- <= 0) return all;
  addOwn(all, schema);
  const inner: Branch = { ...branch, depth: branch.depth + 1 };
  if (typeof schema.$ref === "string") {
    const target = followReferences(branch.root, schema);
    if (isObject(target) && target !== schema) addIntersection(all, collect(target, inner));
  }
  for (const part of branchesOf(schema.allOf)) addIntersection(all, collect(part, inner));
  for (const union of UNIONS) {
    const parts = branchesOf(schema[union]).filter(canBeObject);
    if (parts.length > 0) addIntersection(all, uniteAll(parts.map((part) => collect(part, inner))));
  }
  return all;
}

function branchesOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Arguments are objects: a branch for other values takes no part. */
function canBeObject(schema: JsonObject): boolean {
  const { type } = schema;
  return (
    type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"))
  );
}

function addOwn(all: Collected, schema: JsonObject): void {
  if (isObject(schema.properties)) {
    for (const name of Object.keys(schema.properties)) {
      all.properties.set(name, [schema.properties[name]]);
    }
  }
  for (const name of stringsOf(schema.required)) {
    all.required.add(name);
    if (!all.properties.has(name)) all.properties.set(name, [ANYTHING]);
  }
}

/** Both hold: the first schema known for a property is the one that is shown. */
function addIntersection(all: Collected, part: Collected): void {
  for (const [name, schemas] of part.properties) {
    const known = all.properties.get(name);
    if (known === undefined || known.some(acceptsAll)) all.properties.set(name, schemas);
  }
  for (const name of part.required) all.required.add(name);
}

/** One of them holds. */
function uniteAll(parts: readonly Collected[]): Collected {
  const properties = new Map<string, unknown[]>();
  const mentions = new Map<string, number>();
  for (const part of parts) {
    for (const [name, schemas] of part.properties) {
      properties.set(name, [...(properties.get(name) ?? []), ...schemas]);
      mentions.set(name, (mentions.get(name) ?? 0) + 1);
    }
  }
  const [first, ...others] = parts;
  const required = [...(first?.required ?? [])].filter((name) =>
    others.every((part) => part.required.has(name)),
  );
  return { properties, required: new Set(required) };
}

/** One schema for those of which one has to hold. */
function joinSchemas(schemas: readonly unknown[]): unknown {
  if (schemas.some(acceptsAll)) return ANYTHING;
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [only, ...more] = different.values();
  if (more.length === 0) return only;
  return joinConstants([...different.values()]) ?? { anyOf: [...different.values()] };
}

/** `{const: "a"}` and `{enum: ["b", "c"]}` of one type as one enum. */
function joinConstants(schemas: readonly unknown[]): JsonObject | undefined {
  const values = new Set<unknown>();
  let first: JsonObject | undefined;
  for (const schema of schemas) {
    if (!isObject(schema)) return undefined;
    first ??= schema;
    const listed: unknown = Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
    if (!Array.isArray(listed) || schema.type !== first.type) return undefined;
    const isPlain = Object.keys(schema).every((keyword) =>
      ["type", "const", "enum", "description", "title", "default"].includes(keyword),
    );
    if (!isPlain) return undefined;
    for (const value of listed) values.add(value);
  }
  if (first === undefined) return undefined;
  const { const: _const, enum: _enum, ...rest } = first;
  return { ...rest, enum: [...values] };
}

/** What the merged schema cannot say, if it is short: which arguments are alternatives. */
function noteFor(root: JsonObject): string {
  const unions = UNIONS.filter((union) => Object.hasOwn(root, union));
  const [union] = unions;
  const others = ["allOf", "not", "enum"].some((keyword) => Object.hasOwn(root, keyword));
  if (unions.length !== 1 || union === undefined || others) return GENERAL_NOTE;
  const branches = root[union];
  if (!Array.isArray(branches)) return GENERAL_NOTE;
  const alternatives = branches.map(requiredOnly);
  if (alternatives.includes("")) return GENERAL_NOTE;
  const needs = union === "oneOf" ? "Needs exactly one of" : "Needs";
  const joint = union === "oneOf" ? ", " : " or ";
  const note = `${needs} ${alternatives.join(joint)}.`;
  return note.length <= MAX_NOTE_LENGTH ? note : GENERAL_NOTE;
}

/** `a and b` for a branch that only requires; else empty. */
function requiredOnly(branch: unknown): string {
  if (!isObject(branch)) return "";
  const keywords = ["required", "type", "title", "description"];
  if (!Object.keys(branch).every((keyword) => keywords.includes(keyword))) return "";
  return stringsOf(branch.required).join(" and ");
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
