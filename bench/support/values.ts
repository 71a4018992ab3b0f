// Makes up arguments that fit a schema, as a model would write them: only the required ones, or all.
// A guess, not a proof: what it makes is judged by a validator before it counts as valid.
import fc from "fast-check";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { followReferences } from "../../lib/schema/reference.ts";

export interface Making {
  readonly root: unknown;
  /** Whether optional members are made too. */
  readonly full: boolean;
  /** Which of several branches, values and patterns is taken. */
  readonly seed: number;
}

const MAX_DEPTH = 6;

export function makeArguments(schema: unknown, options: Omit<Making, "root">): JsonObject {
  const value = makeValue(schema, { ...options, root: schema }, 0);
  return isObject(value) ? value : {};
}

/** The same value with one thing wrong in it, for each thing that can be made wrong simply. */
export function spoil(schema: unknown, args: JsonObject): readonly JsonObject[] {
  const spoiled: JsonObject[] = [];
  const top = followReferences(schema, schema);
  if (!isObject(top)) return spoiled;
  const properties = isObject(top.properties) ? top.properties : {};
  for (const name of Object.keys(args)) {
    const { [name]: value, ...others } = args;
    if (Array.isArray(top.required) && top.required.includes(name)) spoiled.push(others);
    const property = followReferences(schema, properties[name]);
    spoiled.push({ ...args, [name]: typeof value === "string" ? 12345 : "made up" });
    if (isObject(property) && Array.isArray(property.enum)) {
      spoiled.push({ ...args, [name]: `${String(property.enum[0])}x` });
    }
    if (name.length > 3)
      spoiled.push({ ...others, [`${name.slice(0, -1)}_${name.slice(-1)}`]: value });
  }
  return spoiled;
}

function makeValue(given: unknown, making: Making, depth: number): unknown {
  const schema = followReferences(making.root, given);
  if (!isObject(schema)) return "x";
  if (Object.hasOwn(schema, "const")) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return pick(schema.enum, making);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((word) => {
    const branches = schema[word];
    if (!Array.isArray(branches) || branches.length === 0) return [];
    return word === "allOf" ? branches : [pick(branches, making)];
  });
  if (parts.length === 0) return makePlain(schema, making, depth);
  const values = parts.map((part) => makeValue(part, making, depth + 1));
  const objects = values.filter(isObject);
  if (isObject(schema.properties) || objects.length === values.length) {
    return Object.assign({}, makeObject(schema, making, depth), ...objects);
  }
  return values[0];
}

function pick(list: readonly unknown[], making: Making): unknown {
  return list[making.seed % list.length];
}

function makePlain(schema: JsonObject, making: Making, depth: number): unknown {
  const type = Array.isArray(schema.type) ? pick(schema.type, making) : schema.type;
  switch (type) {
    case "string":
      return makeString(schema, making);
    case "integer":
    case "number":
      return makeNumber(schema, type === "integer");
    case "boolean":
      return making.seed % 2 === 0;
    case "null":
      return null;
    case "array":
      return makeArray(schema, making, depth);
    case "object":
      return makeObject(schema, making, depth);
    default:
      return isObject(schema.properties) ? makeObject(schema, making, depth) : "x";
  }
}

const FORMATS: { readonly [format: string]: string } = {
  "date-time": "2026-11-30T10:00:00Z",
  date: "2026-11-30",
  time: "10:00:00Z",
  email: "ann@example.com",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
};

function makeString(schema: JsonObject, making: Making): string {
  if (typeof schema.pattern === "string") {
    const text = makeMatching(schema.pattern, making.seed);
    if (text !== undefined) return text;
  }
  if (typeof schema.format === "string" && Object.hasOwn(FORMATS, schema.format)) {
    return FORMATS[schema.format] ?? "x";
  }
  const min = typeof schema.minLength === "number" ? schema.minLength : 1;
  const max = typeof schema.maxLength === "number" ? schema.maxLength : min + 5;
  return "example text ".repeat(1 + min / 13).slice(0, Math.max(min, Math.min(max, min + 5)));
}

function makeMatching(pattern: string, seed: number): string | undefined {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, "u")), { numRuns: 1, seed })[0];
  } catch {
    // Not every pattern can be turned round; the validator then tells what the value is worth.
    return undefined;
  }
}

function makeNumber(schema: JsonObject, isInteger: boolean): number {
  const step = typeof schema.multipleOf === "number" ? schema.multipleOf : isInteger ? 1 : 0.5;
  const low = [schema.minimum, schema.exclusiveMinimum].filter(
    (limit) => typeof limit === "number",
  );
  const high = [schema.maximum, schema.exclusiveMaximum].filter(
    (limit) => typeof limit === "number",
  );
  if (low.length > 0) {
    const bound = Math.max(...low);
    const value = Math.ceil(bound / step) * step;
    return value > bound || value === schema.minimum ? value : value + step;
  }
  if (high.length === 0) return step * 3;
  const bound = Math.min(...high);
  const value = Math.floor(bound / step) * step;
  return value < bound || value === schema.maximum ? Math.min(value, step * 3) : value - step;
}

function makeArray(schema: JsonObject, making: Making, depth: number): unknown[] {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items;
  if (Array.isArray(prefix)) return prefix.map((item) => makeValue(item, making, depth + 1));
  const min = typeof schema.minItems === "number" ? schema.minItems : 0;
  const count = depth > MAX_DEPTH ? min : Math.max(min, making.full ? 1 : 0);
  return Array.from({ length: Math.min(count, 50) }, (_, index) =>
    makeValue(schema.items, { ...making, seed: making.seed + index }, depth + 1),
  );
}

function makeObject(schema: JsonObject, making: Making, depth: number): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = making.full && depth <= MAX_DEPTH ? Object.keys(properties) : [];
  const all = [...new Set([...required, ...names])];
  return Object.fromEntries(
    all.map((name) => [name, makeValue(properties[name], making, depth + 1)]),
  );
}
