// What all dialects of JSON Schema have in common, and the two ways to read which one a schema
// names. Pure.
import { isObject } from "../json-rpc.ts";

const TYPES: readonly unknown[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "object",
  "array",
];
const NEWEST = 2020;
const OLDEST = 4;
const EXACT =
  /^https?:\/\/json-schema\.org\/(?:draft-0([467])|draft\/(2019|2020)-(?:09|12))\/schema#?$/;
const LIKELY = /draft-0?(\d)(?!\d)|draft\/(\d{4})-\d\d/;

/** Whether it is the name of a type, such as `integer`. */
export function isTypeName(value: unknown): value is string {
  return TYPES.includes(value);
}

/** Whether it is a list of property names, as `required` holds one from draft-04 on. */
export function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

export function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether it is plain to see that the schema accepts any value. */
export function acceptsAll(schema: unknown): boolean {
  return schema === true || isEmptyObject(schema);
}

/**
 * The draft that `$schema` names to the letter: 4, 6, 7, 2019 or 2020, which is also the default;
 * else 0, a dialect of somebody's own, of which nothing may be assumed.
 */
export function exactDraftOf($schema: unknown): number {
  if ($schema === undefined) return NEWEST;
  const match = typeof $schema === "string" ? EXACT.exec($schema) : null;
  return Number(match?.[1] ?? match?.[2] ?? 0);
}

/** The draft, from 4 to 2020, that most likely is meant: what a schema is best checked by. */
export function likelyDraftOf($schema: unknown): number {
  const found = typeof $schema === "string" ? LIKELY.exec($schema) : null;
  if (found === null) return NEWEST;
  return Math.min(NEWEST, Math.max(OLDEST, Number(found[1] ?? found[2])));
}
