// Values that a schema is likely to accept, made from the schema: with all properties or only the
// required ones, and with each branch of its unions. Deterministic for one random generator.
import fc from "fast-check";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { setMember } from "../../lib/schema/member.ts";
import { followReferences } from "../../lib/schema/reference.ts";
import type { Random } from "./random.ts";

export interface SampleOptions {
  readonly root: unknown;
  readonly random: Random;
  /** Which properties an object gets. */
  readonly fill: "all" | "required" | "some";
  /** Which branch of every union is taken, modulo its length. */
  readonly branch: number;
}

interface Place extends SampleOptions {
  readonly depth: number;
}

const FULL_DEPTH = 7;
const MAX_DEPTH = 14;
const LONGEST_MADE = 2000;

export function sampleValue(schema: unknown, options: SampleOptions): unknown {
  return sample(schema, { ...options, depth: 0 });
}

function sample(schema: unknown, place: Place): unknown {
  if (!isObject(schema) || place.depth > MAX_DEPTH)
    return place.random.pick<unknown>(["any", 1, true]);
  const plain = flatten(schema, place);
  if (Object.hasOwn(plain, "const")) return plain.const;
  if (Array.isArray(plain.enum) && plain.enum.length > 0) {
    return plain.enum[place.branch % plain.enum.length];
  }
  switch (typeOf(plain, place)) {
    case "object":
      return sampleObject(plain, place);
    case "array":
      return sampleArray(plain, place);
    case "string":
      return sampleString(plain, place);
    case "integer":
    case "number":
      return sampleNumber(plain);
    case "boolean":
      return place.branch % 2 === 0;
    case "null":
      return null;
    default:
      return place.random.pick<unknown>(["any", 1, true]);
  }
}

/** The schema without references and combinators: one branch of each union is taken in. */
function flatten(schema: JsonObject, place: Place): JsonObject {
  let plain = schema;
  for (let round = 0; round < 12; round++) {
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...rest } = plain;
    if (typeof $ref === "string") {
      const target = followReferences(place.root, { $ref });
      plain = isObject(target) ? merge(target, { ...plain, $ref: undefined }) : rest;
      continue;
    }
    const parts: unknown[] = Array.isArray(allOf) ? [...allOf] : [];
    for (const union of [anyOf, oneOf]) {
      if (Array.isArray(union)) parts.push(union[place.branch % Math.max(union.length, 1)]);
    }
    if (condition !== undefined) parts.push(place.branch % 2 === 0 ? then : otherwise);
    if (parts.length === 0) return plain;
    plain = parts.reduce<JsonObject>(
      (all, part) => (isObject(part) ? merge(all, part) : all),
      rest,
    );
  }
  return plain;
}

function merge(base: JsonObject, more: JsonObject): JsonObject {
  const merged: JsonObject = { ...base, ...more };
  if (isObject(base.properties) && isObject(more.properties)) {
    merged.properties = { ...base.properties, ...more.properties };
  }
  if (Array.isArray(base.required) && Array.isArray(more.required)) {
    merged.required = [...base.required, ...more.required];
  }
  return merged;
}

function typeOf(schema: JsonObject, place: Place): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type[place.branch % Math.max(type.length, 1)];
  if (type !== undefined) return type;
  if (isObject(schema.properties) || Array.isArray(schema.required)) return "object";
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array";
  if (schema.pattern !== undefined || schema.minLength !== undefined) return "string";
  return undefined;
}

function sampleObject(schema: JsonObject, place: Place): JsonObject {
  const value: JsonObject = {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const inner: Place = { ...place, depth: place.depth + 1 };
  const isFull = place.fill === "all" && place.depth < FULL_DEPTH;
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const isWanted =
      required.includes(name) || isFull || (place.fill === "some" && place.random.below(3) === 0);
    const property = Object.hasOwn(properties, name) ? properties[name] : true;
    if (isWanted) setMember(value, name, sample(property, inner));
  }
  const least = numberOf(schema.minProperties, 0);
  const extra = schema.additionalProperties;
  for (let count = isFull && isObject(extra) ? -1 : 0; count < 3; count++) {
    if (count >= 0 && Object.keys(value).length >= least) break;
    setMember(value, nameFor(schema, count, place), sample(extra, inner));
  }
  for (const pattern of isFull ? Object.keys(schema.patternProperties ?? {}) : []) {
    const name = matching(pattern, place);
    const patterns = schema.patternProperties;
    if (name !== undefined && isObject(patterns)) {
      setMember(value, name, sample(patterns[pattern], inner));
    }
  }
  return value;
}

function nameFor(schema: JsonObject, count: number, place: Place): string {
  const names = schema.propertyNames;
  const name = isObject(names) && Object.keys(names).length > 1 ? sample(names, place) : undefined;
  return typeof name === "string" ? name : `extra${count + 1}`;
}

function sampleArray(schema: JsonObject, place: Place): unknown[] {
  const inner: Place = { ...place, depth: place.depth + 1 };
  const tuple = [schema.prefixItems, schema.items].find(Array.isArray) ?? [];
  const value: unknown[] = tuple.map((item: unknown) => sample(item, inner));
  const isFull = place.fill === "all" && place.depth < FULL_DEPTH;
  const least = Math.max(numberOf(schema.minItems, 0), isFull ? 1 : 0);
  const most = numberOf(schema.maxItems, Number.POSITIVE_INFINITY);
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  while (value.length < Math.min(least, most, LONGEST_MADE)) {
    // Other branches, so that items differ.
    value.push(sample(rest ?? schema.contains, { ...inner, branch: inner.branch + value.length }));
  }
  return value;
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  email: "someone@example.com",
  uri: "https://example.com/a",
  ipv4: "192.0.2.1",
};

function sampleString(schema: JsonObject, place: Place): string {
  const format = typeof schema.format === "string" ? FORMATS[schema.format] : undefined;
  if (typeof schema.pattern === "string") {
    const fits = new RegExp(schema.pattern, "u");
    if (format !== undefined && fits.test(format)) return format;
    return matching(schema.pattern, place) ?? "text";
  }
  const least = Math.min(numberOf(schema.minLength, 0), LONGEST_MADE);
  const most = numberOf(schema.maxLength, Number.POSITIVE_INFINITY);
  return (format ?? "text").padEnd(least, "x").slice(0, most);
}

/** A text that the pattern finds something in; undefined for a pattern that cannot be followed. */
function matching(pattern: string, place: Place): string | undefined {
  try {
    const arbitrary = fc.stringMatching(new RegExp(pattern, "u"));
    return fc.sample(arbitrary, { numRuns: 1, seed: place.random.below(2 ** 31) })[0];
  } catch {
    // Look-arounds and the like are not supported; the value is then refused by both or neither.
    return undefined;
  }
}

function sampleNumber(schema: JsonObject): number {
  const step = numberOf(schema.multipleOf, 1);
  const above = numberOf(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  const below = numberOf(schema.exclusiveMaximum, Number.POSITIVE_INFINITY);
  const least = Math.max(numberOf(schema.minimum, Number.NEGATIVE_INFINITY), above + step);
  const most = Math.min(numberOf(schema.maximum, Number.POSITIVE_INFINITY), below - step);
  if (Number.isFinite(least)) return Math.ceil(least / step) * step;
  return Number.isFinite(most) ? Math.min(0, Math.floor(most / step) * step) : 3 * step;
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}
