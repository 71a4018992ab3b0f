// Whether it matters that a schema names its dialect, or whether it means the same in the one that
// MCP takes for granted (2020-12). Pure.
import type { JsonObject } from "../json-rpc.ts";

type Dialect = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

const DIALECT =
  /^https?:\/\/json-schema\.org\/(?:(draft-0[467])|draft\/(2019-09|2020-12))\/schema#?$/;

/** Undefined for a dialect of somebody's own. */
function dialectOf($schema: unknown): Dialect | undefined {
  const match = typeof $schema === "string" ? DIALECT.exec($schema) : null;
  return (match?.[1] ?? match?.[2]) as Dialect | undefined; // the expression names no others
}

/** Keywords that mean something else, or nothing, in 2020-12 than in every older dialect. */
const CHANGED: readonly string[] = [
  "additionalItems",
  "unevaluatedItems",
  "prefixItems",
  "dependencies",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveAnchor",
  "$recursiveRef",
];
/** Keywords that came with 2019-09, with draft-07, with draft-06; older dialects ignore them. */
const NEW_IN_2019_09: readonly string[] = [
  "dependentRequired",
  "dependentSchemas",
  "minContains",
  "maxContains",
  "unevaluatedProperties",
];
const NEW_IN_DRAFT_07: readonly string[] = ["if"];
const NEW_IN_DRAFT_06: readonly string[] = ["const", "contains", "propertyNames"];

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

/**
 * Whether the schemas mean the same when the root no longer names its dialect.
 * @param live every schema of the document that takes part in validation
 */
export function isDialectRedundant($schema: unknown, live: Iterable<JsonObject>): boolean {
  const dialect = dialectOf($schema);
  if (dialect === undefined) return false;
  if (dialect === "2020-12") return true;
  const telling = tellingKeywords(dialect);
  for (const schema of live) {
    if (Array.isArray(schema.items)) return false;
    if (telling.some((keyword) => Object.hasOwn(schema, keyword))) return false;
    if (dialect !== "2019-09" && hidesSiblings(schema)) return false;
    if (dialect === "draft-04" && usesDraft04Forms(schema)) return false;
  }
  return true;
}

function tellingKeywords(dialect: Exclude<Dialect, "2020-12">): readonly string[] {
  switch (dialect) {
    case "2019-09":
      return CHANGED;
    case "draft-07":
      return [...CHANGED, ...NEW_IN_2019_09];
    case "draft-06":
      return [...CHANGED, ...NEW_IN_2019_09, ...NEW_IN_DRAFT_07];
    case "draft-04":
      return [...CHANGED, ...NEW_IN_2019_09, ...NEW_IN_DRAFT_07, ...NEW_IN_DRAFT_06];
  }
}

/** Up to draft-07 a `$ref` hides everything beside it. */
function hidesSiblings(schema: JsonObject): boolean {
  if (typeof schema.$ref !== "string") return false;
  return Object.keys(schema).some((keyword) => !SILENT_BESIDE_REFERENCE.includes(keyword));
}

function usesDraft04Forms(schema: JsonObject): boolean {
  return (
    typeof schema.exclusiveMinimum === "boolean" ||
    typeof schema.exclusiveMaximum === "boolean" ||
    typeof schema.required === "boolean" ||
    typeof schema.id === "string"
  );
}
