// What one schema is made of: its type in a few words, and the parts that need lines of their own.
// Pure. Says which keywords that covers, so that the outline can add the others as JSON.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { acceptsAll, isNames, isTypeName } from "./dialect.ts";
import { renderReference } from "./reference-name.ts";
import { renderName } from "./type-text.ts";
import { visibleText } from "./visible-text.ts";

/** One line and what stands below it. */
export interface Entry {
  /** What stands before the schema's own text, such as `title?: ` or `| `. */
  readonly label: string;
  /** What is put after the parent's path to name this place, such as `.title` or `[]`. */
  readonly step: string;
  readonly schema: unknown;
}

export interface Shape {
  readonly type: string;
  /** Keywords that `type` and `entries` say completely. */
  readonly said: readonly string[];
  readonly entries: readonly Entry[];
  readonly notes: readonly string[];
}

/** Keywords that tell a model nothing. */
export const SILENT: readonly string[] = ["$schema"];
/** Longer lists of values are written with commas, which cost a token less each. */
const MAX_PIPED = 4;

/** JSON on one line; undefined when it nests too deep for `JSON.stringify`. */
export function renderJson(value: unknown): string | undefined {
  try {
    return visibleText(JSON.stringify(value) ?? "undefined");
  } catch (error) {
    // A value nested tens of thousands deep came through the parser, but has no text here.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function shapeOf(schema: unknown): Shape {
  if (schema === true || schema === undefined) return plain("any");
  if (schema === false) return plain("never");
  if (!isObject(schema)) return plain(renderJson(schema) ?? "any");
  if (typeof schema.$ref === "string") return plain(renderReference(schema.$ref), ["$ref"]);
  const simple = simpleType(schema);
  if (simple !== undefined) return plain(simple.type, simple.said);
  return combine(
    typedShape(schema),
    unionShape(schema, "anyOf"),
    unionShape(schema, "oneOf"),
    allOfShape(schema),
  );
}

function plain(type: string, said: readonly string[] = []): Shape {
  return { type, said, entries: [], notes: [] };
}

function combine(...shapes: readonly (Shape | undefined)[]): Shape {
  const present = shapes.filter((shape) => shape !== undefined);
  const types = present.map((shape) => shape.type).filter((type) => type !== "");
  return {
    type: types.length === 0 ? "any" : types.join(" & "),
    said: present.flatMap((shape) => shape.said),
    entries: present.flatMap((shape) => shape.entries),
    notes: present.flatMap((shape) => shape.notes),
  };
}

/** A type that needs no lines below it: a plain type, values, a reference, a union of such. */
function simpleType(
  schema: JsonObject,
): { readonly type: string; readonly said: readonly string[] } | undefined {
  if (Object.hasOwn(schema, "const")) {
    const said = fitsType(schema, [schema.const]) ? ["const", "type"] : ["const"];
    return { type: renderJson(schema.const) ?? "any", said };
  }
  if (Array.isArray(schema.enum) && schema.enum.length > 0) {
    return {
      type: renderValues(schema.enum),
      said: fitsType(schema, schema.enum) ? ["enum", "type"] : ["enum"],
    };
  }
  const names = typeNames(schema);
  if (names === undefined) return undefined;
  const structural = [
    "properties",
    "items",
    "prefixItems",
    "patternProperties",
    "additionalProperties",
    "anyOf",
    "oneOf",
    "allOf",
  ];
  if (structural.some((key) => Object.hasOwn(schema, key))) return undefined;
  return { type: names.join("|"), said: ["type"] };
}

function renderValues(values: readonly unknown[]): string {
  const texts = values.map((value) => renderJson(value) ?? "any");
  return texts.length <= MAX_PIPED ? texts.join("|") : `one of ${texts.join(",")}`;
}

/** The whole of a schema as one word, if nothing but its type is said about it. */
function inlineType(schema: unknown, depth = 0): string | undefined {
  if (schema === true) return "any";
  if (!isObject(schema) || depth > 4) return undefined;
  const keys = Object.keys(schema);
  if (keys.length === 1 && typeof schema.$ref === "string") return renderReference(schema.$ref);
  const simple = simpleType(schema);
  if (simple !== undefined) {
    return keys.every((key) => simple.said.includes(key)) ? simple.type : undefined;
  }
  if (keys.length === 2 && schema.type === "array" && Object.hasOwn(schema, "items")) {
    const item = inlineType(schema.items, depth + 1);
    return item === undefined ? undefined : `${group(item)}[]`;
  }
  if (keys.length === 1 && Array.isArray(schema.anyOf)) return inlineUnion(schema.anyOf, depth);
  return undefined;
}

function inlineUnion(branches: readonly unknown[], depth: number): string | undefined {
  const types = branches.map((branch) => inlineType(branch, depth + 1));
  if (types.length === 0 || types.includes(undefined)) return undefined;
  return types.join("|");
}

function group(type: string): string {
  return /[|,]/.test(type) ? `(${type})` : type;
}

function typeNames(schema: JsonObject): string[] | undefined {
  const names = Array.isArray(schema.type) ? schema.type : [schema.type];
  return names.length > 0 && names.every(isTypeName) ? names : undefined;
}

/** Whether the declared type adds nothing to a list of values. */
function fitsType(schema: JsonObject, values: readonly unknown[]): boolean {
  const names = typeNames(schema);
  return (
    names !== undefined && values.every((value) => names.some((name) => isOfType(value, name)))
  );
}

function isOfType(value: unknown, name: string): boolean {
  if (name === "null") return value === null;
  if (name === "array") return Array.isArray(value);
  if (name === "object") return isObject(value);
  if (name === "integer") return Number.isInteger(value);
  return typeof value === name;
}

/** What the type and the keywords of objects and arrays say. */
function typedShape(schema: JsonObject): Shape | undefined {
  const names = typeNames(schema);
  const said = names === undefined ? [] : ["type"];
  const others = names?.filter((name) => name !== "array" && name !== "object") ?? [];
  const parts = [
    ...others.map((name) => plain(name)),
    arrayShape(schema, names?.includes("array") ?? false),
    objectShape(schema, names?.includes("object") ?? false),
  ].filter((shape) => shape !== undefined);
  if (parts.length === 0) return undefined;
  const shape = combine(...parts);
  return {
    ...shape,
    type: parts.map((part) => part.type).join("|"),
    said: [...said, ...shape.said],
  };
}

function arrayShape(schema: JsonObject, named: boolean): Shape | undefined {
  const { items, prefixItems } = schema;
  const hasItems = Object.hasOwn(schema, "items");
  if (!named && !hasItems && !Array.isArray(prefixItems)) return undefined;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (tuple !== undefined) {
    const entries: Entry[] = tuple.map((item, index) => ({
      label: `[${index}]: `,
      step: `[${index}]`,
      schema: item,
    }));
    if (tuple === items) return { type: "array", said: ["items"], entries, notes: [] };
    if (hasItems) entries.push({ label: "[…]: ", step: "[…]", schema: items });
    return { type: "array", said: ["items", "prefixItems"], entries, notes: [] };
  }
  if (!hasItems) return plain("array");
  const inline = inlineType(items);
  if (inline !== undefined) return plain(`${group(inline)}[]`, ["items"]);
  if (isObject(items) && isBareObject(items)) {
    const inner = shapeOf(items);
    const entries = inner.entries.map((entry) => ({ ...entry, step: `[]${entry.step}` }));
    return { type: `${inner.type}[]`, said: ["items"], entries, notes: inner.notes };
  }
  return {
    type: "array",
    said: ["items"],
    entries: [{ label: "[]: ", step: "[]", schema: items }],
    notes: [],
  };
}

/** An object schema that says only what properties there are. */
function isBareObject(schema: JsonObject): boolean {
  const { type, properties, additionalProperties } = schema;
  if (type !== "object" || !isObject(properties)) return false;
  const known = ["type", "properties", "required", "additionalProperties"];
  return (
    typeof additionalProperties !== "object" &&
    Object.keys(schema).every((key) => known.includes(key))
  );
}

function objectShape(schema: JsonObject, named: boolean): Shape | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  if (!named && !isObject(properties) && !isObject(patternProperties)) return undefined;
  const said: string[] = [];
  const notes: string[] = [];
  const entries: Entry[] = [];
  const required = isNames(schema.required) ? schema.required : [];
  if (isNames(schema.required)) said.push("required");
  if (isObject(properties)) {
    said.push("properties");
    for (const [name, value] of Object.entries(properties)) {
      const mark =
        required.includes(name) || (isObject(value) && value.required === true) ? "" : "?";
      const shown = renderName(name);
      entries.push({ label: `${shown}${mark}: `, step: `.${shown}`, schema: value });
    }
  }
  const unlisted = required.filter(
    (name) => !isObject(properties) || !Object.hasOwn(properties, name),
  );
  if (unlisted.length > 0) notes.push(`required: ${unlisted.map(renderName).join(" ")}`);
  if (isObject(patternProperties)) {
    said.push("patternProperties");
    for (const [pattern, value] of Object.entries(patternProperties)) {
      const shown = `[/${visibleText(pattern)}/]`;
      entries.push({ label: `${shown}: `, step: shown, schema: value });
    }
  }
  if (additionalProperties === false) {
    said.push("additionalProperties");
    return { type: "closed object", said, entries, notes };
  } else if (acceptsAll(additionalProperties)) {
    said.push("additionalProperties");
  } else if (isObject(additionalProperties)) {
    said.push("additionalProperties");
    const inline = entries.length === 0 ? inlineType(additionalProperties) : undefined;
    if (inline !== undefined) return { type: `{[key]: ${inline}}`, said, entries, notes };
    entries.push({ label: "[key]: ", step: "[key]", schema: additionalProperties });
  }
  return { type: "object", said, entries, notes };
}

function unionShape(schema: JsonObject, word: "anyOf" | "oneOf"): Shape | undefined {
  const branches = schema[word];
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const inline = inlineUnion(branches, 0);
  if (inline !== undefined) return plain(inline, [word]);
  const nullable = nullableShape(branches, word);
  if (nullable !== undefined) return nullable;
  const entries = branches.map((branch, index) => ({
    label: "| ",
    step: ` option ${index + 1}`,
    schema: branch,
  }));
  return { type: word === "anyOf" ? "any of" : "one of", said: [word], entries, notes: [] };
}

/** `X or null`, where X has nothing to say but its structure: X's lines stand right below. */
function nullableShape(branches: readonly unknown[], word: string): Shape | undefined {
  const others = branches.filter((branch) => inlineType(branch) !== "null");
  const [only] = others;
  if (branches.length !== 2 || others.length !== 1 || !isObject(only)) return undefined;
  const shape = shapeOf(only);
  const spoken = [...shape.said, ...SILENT];
  if (Object.keys(only).some((key) => !spoken.includes(key))) return undefined;
  return { ...shape, type: `${shape.type}|null`, said: [word] };
}

function allOfShape(schema: JsonObject): Shape | undefined {
  if (!Array.isArray(schema.allOf) || schema.allOf.length === 0) return undefined;
  const entries = schema.allOf.map((branch, index) => ({
    label: "& ",
    step: ` part ${index + 1}`,
    schema: branch,
  }));
  return { type: "all of", said: ["allOf"], entries, notes: [] };
}
