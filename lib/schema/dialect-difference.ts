// Whether it matters that a schema names its dialect, or whether it means the same in the one that
// MCP takes for granted (2020-12). Pure.
import type { JsonObject } from "../json-rpc.ts";
import { exactDraftOf } from "./dialect.ts";

const DEFAULT_DRAFT = 2020;

/** The first draft in which a keyword means what it means in 2020-12, if that is not the first of all. */
const SETTLED_IN: Readonly<Record<string, number | undefined>> = {
  // @ts-expect-error: no prototype, so that a keyword called `constructor` finds nothing
  __proto__: null,
  additionalItems: 2020,
  unevaluatedItems: 2020,
  prefixItems: 2020,
  dependencies: 2020,
  $anchor: 2020,
  $dynamicAnchor: 2020,
  $dynamicRef: 2020,
  $recursiveAnchor: 2020,
  $recursiveRef: 2020,
  dependentRequired: 2019,
  dependentSchemas: 2019,
  minContains: 2019,
  maxContains: 2019,
  unevaluatedProperties: 2019,
  if: 7,
  const: 6,
  contains: 6,
  propertyNames: 6,
};

/** Keywords that say nothing about a value; they may stand beside a `$ref` in any dialect. */
const SILENT_BESIDE_REFERENCE: readonly string[] = [
  "$ref",
  "$schema",
  "$id",
  "$defs",
  "definitions",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
];

/** The first draft from which on a keyword means the same; 0 if it always did. */
export function settledIn(keyword: string): number {
  return SETTLED_IN[keyword] ?? 0;
}

/**
 * Whether the schema means the same when it no longer names its dialect.
 * @param live every schema of the document that takes part in validation
 * @param keywords every keyword used in them
 */
export function isDialectRedundant(
  $schema: unknown,
  live: Iterable<JsonObject>,
  keywords: Iterable<string>,
): boolean {
  const draft = exactDraftOf($schema);
  // A dialect of somebody's own stays named.
  if (draft === 0) return false;
  if (draft === DEFAULT_DRAFT) return true;
  for (const keyword of keywords) if (draft < settledIn(keyword)) return false;
  for (const schema of live) {
    if (Array.isArray(schema.items)) return false;
    if (draft <= 7 && hidesSiblings(schema)) return false;
    if (draft === 4 && usesDraft04Forms(schema)) return false;
  }
  return true;
}

/** Up to draft-07 a `$ref` hides everything beside it. */
function hidesSiblings(schema: JsonObject): boolean {
  if (typeof schema.$ref !== "string") return false;
  return Object.keys(schema).some((keyword) => !SILENT_BESIDE_REFERENCE.includes(keyword));
}

/** Exclusive bounds are no matter: they are rewritten, see bounds.ts. */
function usesDraft04Forms(schema: JsonObject): boolean {
  return typeof schema.required === "boolean" || typeof schema.id === "string";
}
