// A schema without what carries nothing for a model, DESIGN.md section 6. Pure and deterministic;
// members keep their order. The invariant: the result accepts exactly what the original accepts. What
// cannot be handled safely stays as it is. What validates arguments is always the original.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { isDialectRedundant } from "./dialect-difference.ts";
import { inlineTarget, isInlinedEverywhere } from "./inline.ts";
import { setMember } from "./member.ts";
import { firstSentence } from "./sentence.ts";
import { type Survey, surveySchema } from "./survey.ts";
import { visibleText } from "./visible-text.ts";
import { holdingOf } from "./walk.ts";

/** What holds for the whole schema that is being compressed. */
interface Scope {
  readonly survey: Survey;
  readonly root: JsonObject;
  readonly isDialectRedundant: boolean;
  /** Somewhere it matters whether a property or item was looked at: `true` is no empty statement. */
  readonly usesUnevaluated: boolean;
}

/** Where a schema stands: what it need not say again. */
interface Place {
  /** The property's name, if the schema is one's. */
  readonly property: string | undefined;
  /** The description shown around it for the same thing. */
  readonly saidBefore: string;
}

/** @param options.saidBefore a description shown beside the schema, which it need not repeat */
export function compressSchema(
  schema: unknown,
  options: { readonly saidBefore?: string } = {},
): unknown {
  if (!isObject(schema)) return schema;
  const survey = surveySchema(schema);
  if (survey === undefined) return schema;
  const scope: Scope = {
    survey,
    root: schema,
    isDialectRedundant: isDialectRedundant(schema.$schema, survey.live),
    usesUnevaluated: usesUnevaluated(survey.live),
  };
  return compressAt(scope, schema, { property: undefined, saidBefore: options.saidBefore ?? "" });
}

function usesUnevaluated(live: Iterable<JsonObject>): boolean {
  for (const schema of live) {
    if (Object.hasOwn(schema, "unevaluatedProperties")) return true;
    if (Object.hasOwn(schema, "unevaluatedItems")) return true;
  }
  return false;
}

function compressAt(scope: Scope, schema: JsonObject, place: Place): JsonObject {
  const target = inlineTarget(scope.survey, schema);
  if (target !== undefined) return compressInlined(scope, schema, target, place);
  const compressed: JsonObject = {};
  const description = compressDescription(schema.description);
  const inner = description === "" ? place.saidBefore : description;
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (isSilent(scope, schema, keyword, value)) continue;
    if (keyword === "description") {
      if (!isRepeated(scope, schema, description, place)) compressed.description = description;
    } else if (holdingOf(keyword) !== undefined) {
      const held = compressHeld(scope, keyword, value, inner);
      if (!saysNothing(scope, schema, keyword, held)) setMember(compressed, keyword, held);
    } else {
      setMember(compressed, keyword, isUnknownText(keyword, value) ? visibleText(value) : value);
    }
  }
  return compressed;
}

/** What a reference leads to, in its place and with its description. */
function compressInlined(
  scope: Scope,
  site: JsonObject,
  target: JsonObject,
  place: Place,
): JsonObject {
  const compressed = compressAt(scope, target, place);
  const description = compressDescription(site.description);
  if (isRepeated(scope, site, description, place)) return compressed;
  const { description: _description, ...rest } = compressed;
  return { description, ...rest };
}

/** Keywords that say nothing about a value, and nothing a model could use. */
const SILENT: readonly string[] = ["$comment", "examples", "default", "title"];

function isSilent(scope: Scope, schema: JsonObject, keyword: string, value: unknown): boolean {
  if (scope.survey.isPinned(schema, keyword)) return false;
  if (SILENT.includes(keyword)) return true;
  if (keyword === "required") return Array.isArray(value) && value.length === 0;
  if (keyword === "$schema") {
    return schema === scope.root ? scope.isDialectRedundant : !Object.hasOwn(schema, "$id");
  }
  // A vendor's plain value may be a hint; its lists and objects are made for its own programs.
  return keyword.startsWith("x-") && keyword !== "x-mcp-header" && isNested(value);
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Whether a keyword that holds schemas has no effect with the compressed value. */
function saysNothing(scope: Scope, schema: JsonObject, keyword: string, held: unknown): boolean {
  if (keyword === "$defs" || keyword === "definitions") return isEmptyObject(held);
  if (scope.survey.isPinned(schema, keyword)) return false;
  if (keyword === "additionalProperties") return !scope.usesUnevaluated && acceptsAll(held);
  return keyword === "propertyNames" && (acceptsAll(held) || isAnyString(held));
}

function acceptsAll(schema: unknown): boolean {
  return schema === true || isEmptyObject(schema);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** `{type: "string"}`, with or without a description: true of every property's name. */
function isAnyString(schema: unknown): boolean {
  if (!isObject(schema) || schema.type !== "string") return false;
  return Object.keys(schema).every((keyword) => keyword === "type" || keyword === "description");
}

function compressHeld(scope: Scope, keyword: string, value: unknown, saidBefore: string): unknown {
  const holding = holdingOf(keyword);
  const place: Place = { property: undefined, saidBefore };
  if (Array.isArray(value)) {
    if (holding !== "list" && holding !== "schema-or-list") return value;
    return value.map((schema: unknown) =>
      isObject(schema) ? compressAt(scope, schema, place) : schema,
    );
  }
  if (!isObject(value) || holding === "list") return value;
  return holding === "map" ? compressMap(scope, keyword, value) : compressAt(scope, value, place);
}

function compressMap(scope: Scope, keyword: string, map: JsonObject): JsonObject {
  const { survey } = scope;
  const isDefinitions = keyword === "$defs" || keyword === "definitions";
  const compressed: JsonObject = {};
  for (const name of Object.keys(map)) {
    if (isDefinitions && survey.isSelfContained && !survey.isPinned(map, name)) continue;
    const schema = map[name];
    if (isDefinitions && isObject(schema) && isInlinedEverywhere(survey, schema)) continue;
    const property = keyword === "properties" ? name : undefined;
    const held = isObject(schema)
      ? compressAt(scope, schema, { property, saidBefore: "" })
      : schema;
    setMember(compressed, name, held);
  }
  return compressed;
}

function compressDescription(description: unknown): string {
  return typeof description === "string" ? firstSentence(visibleText(description)) : "";
}

/** Whether the description says no more than the property's name, or than was said around it. */
function isRepeated(scope: Scope, schema: JsonObject, description: string, place: Place): boolean {
  if (description === "") return true;
  // A schema that references lead to is read in other places as well.
  if (scope.survey.referencesTo(schema).count > 0) return false;
  if (place.property === undefined) return isSameText(description, place.saidBefore);
  return description === schema.description && isSameText(description, place.property);
}

/** Equal but for case, spaces and punctuation. */
function isSameText(a: string, b: string): boolean {
  if (a.length > 2 * b.length + 2) return false;
  const letters = lettersOf(a);
  return letters !== "" && letters === lettersOf(b);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Strings that mean something to a validator, or to whoever follows references. */
const MEANT_EXACTLY: readonly string[] = [
  "type",
  "const",
  "format",
  "pattern",
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "$schema",
  "$id",
  "id",
  "$anchor",
  "$dynamicAnchor",
  "x-mcp-header",
];

/** A text under a keyword that no dialect knows: a model reads it, nothing else does. */
function isUnknownText(keyword: string, value: unknown): value is string {
  return typeof value === "string" && !MEANT_EXACTLY.includes(keyword);
}
