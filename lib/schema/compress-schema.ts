// A schema without what carries nothing for a model, DESIGN.md section 6. Pure and deterministic;
// members keep their order. The invariant: the result accepts exactly what the original accepts. What
// cannot be handled safely stays as it is. What validates arguments is always the original.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { modernBound } from "./bounds.ts";
import { isEmptyObject } from "./dialect.ts";
import { isDialectRedundant } from "./dialect-difference.ts";
import { createInliner, type Inliner } from "./inline.ts";
import { isMalformed, isSchema } from "./malformed.ts";
import { setMember } from "./member.ts";
import { isSameText, isUnknownText, shownDescription } from "./shown-text.ts";
import { holdsNothing, isSilent } from "./silent.ts";
import { type Survey, surveySchema } from "./survey.ts";
import { visibleText } from "./visible-text.ts";
import { holdingOf } from "./walk.ts";

export interface CompressOptions {
  /** A description shown beside the schema, which it need not repeat. */
  readonly saidBefore?: string;
  /** Leave out what makes a schema impossible to compile: it has no verdict that could change. */
  readonly dropsFlaws?: boolean;
}

export interface CompressedSchema {
  readonly schema: JsonObject;
  /** Why the schema is served as it is; undefined when it was compressed. */
  readonly untouched: string | undefined;
  /** Keywords of a shape that no dialect gives them, and references that lead nowhere. */
  readonly flaws: number;
}

/** What holds for the whole schema that is being compressed. */
interface Scope {
  readonly survey: Survey;
  readonly inliner: Inliner;
  readonly root: JsonObject;
  readonly isDialectRedundant: boolean;
  /** Has to be read as draft-04, also when compressed. */
  readonly isDraft04: boolean;
  readonly usesUnevaluated: boolean;
  readonly dropsFlaws: boolean;
  flaws: number;
}

/** Where a schema stands: what it need not say again. */
interface Place {
  /** The property's name, if the schema is one's. */
  readonly property: string | undefined;
  /** The description shown around it for the same thing. */
  readonly saidBefore: string;
}

/** The schema as a model is shown it. Booleans and what is no schema stay as they are. */
export function compressSchema(schema: unknown): unknown {
  return isObject(schema) ? compressDocument(schema).schema : schema;
}

/** As `compressSchema`, with what has to be told about it. */
export function compressDocument(
  schema: JsonObject,
  options: CompressOptions = {},
): CompressedSchema {
  const survey = surveySchema(schema);
  if (typeof survey === "string") return { schema, untouched: survey, flaws: 0 };
  const { keywords } = survey;
  const isRedundant = isDialectRedundant(schema.$schema, survey.live, keywords);
  const scope: Scope = {
    survey,
    inliner: createInliner(survey),
    root: schema,
    isDialectRedundant: isRedundant,
    isDraft04: !isRedundant && String(schema.$schema).includes("draft-04"),
    usesUnevaluated: keywords.has("unevaluatedProperties") || keywords.has("unevaluatedItems"),
    dropsFlaws: options.dropsFlaws ?? false,
    flaws: 0,
  };
  const place: Place = { property: undefined, saidBefore: options.saidBefore ?? "" };
  return { schema: compressAt(scope, schema, place), untouched: undefined, flaws: scope.flaws };
}

function compressAt(scope: Scope, schema: JsonObject, place: Place): JsonObject {
  const target = scope.inliner.targetOf(schema);
  if (target !== undefined) return compressInlined(scope, schema, target, place);
  const compressed: JsonObject = {};
  const description = shownDescription(schema.description);
  const inner = description === "" ? place.saidBefore : description;
  for (const keyword of Object.keys(schema)) {
    const value = scope.isDraft04 ? schema[keyword] : modernBound(schema, keyword);
    if (scope.survey.isPinned(schema, keyword)) {
      setMember(compressed, keyword, compressMember(scope, keyword, schema[keyword], inner));
    } else if (value === undefined) {
      // Said by the exclusive bound beside it, or by nothing.
    } else if (keyword === "description") {
      if (!isRepeated(scope, schema, description, place)) compressed.description = description;
    } else if (!mayGo(scope, schema, keyword, value)) {
      const shown = compressMember(scope, keyword, value, inner);
      if (!holdsNothing(keyword, shown, scope)) setMember(compressed, keyword, shown);
    }
  }
  return withoutEmptyDefinitions(compressed);
}

function mayGo(scope: Scope, schema: JsonObject, keyword: string, value: unknown): boolean {
  if (isSilent(keyword, value)) return true;
  if (keyword === "$schema") {
    return schema === scope.root ? scope.isDialectRedundant : !Object.hasOwn(schema, "$id");
  }
  if (!isFlaw(scope, schema, keyword, value)) return false;
  scope.flaws++;
  return scope.dropsFlaws;
}

function isFlaw(scope: Scope, schema: JsonObject, keyword: string, value: unknown): boolean {
  if (keyword === "$ref" && scope.survey.dangling.has(schema)) return true;
  if (scope.isDraft04 && keyword.startsWith("exclusive")) return false;
  return isMalformed(keyword, value);
}

/** Definitions are pinned by the very references that were replaced. */
function withoutEmptyDefinitions(compressed: JsonObject): JsonObject {
  if (isEmptyObject(compressed.$defs)) delete compressed.$defs;
  if (isEmptyObject(compressed.definitions)) delete compressed.definitions;
  return compressed;
}

function compressMember(
  scope: Scope,
  keyword: string,
  value: unknown,
  saidBefore: string,
): unknown {
  if (holdingOf(keyword) !== undefined) return compressHeld(scope, keyword, value, saidBefore);
  return isUnknownText(keyword, value) ? visibleText(value) : value;
}

/** Whether the description says no more than the property's name, or than was said around it. */
function isRepeated(scope: Scope, schema: JsonObject, description: string, place: Place): boolean {
  if (description === "") return true;
  // A schema that references lead to is read in other places as well.
  if (scope.survey.referencesTo(schema).count > 0) return false;
  if (place.property === undefined) return isSameText(description, place.saidBefore);
  return description === schema.description && isSameText(description, place.property);
}

/** What a reference leads to, in its place and with its description. */
function compressInlined(
  scope: Scope,
  site: JsonObject,
  target: JsonObject,
  place: Place,
): JsonObject {
  const compressed = compressAt(scope, target, place);
  const description = shownDescription(site.description);
  if (isRepeated(scope, site, description, place)) return compressed;
  const { description: _description, ...rest } = compressed;
  return { description, ...rest };
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
  const { survey, inliner } = scope;
  const isDefinitions = keyword === "$defs" || keyword === "definitions";
  const compressed: JsonObject = {};
  for (const name of Object.keys(map)) {
    if (isDefinitions && survey.isSelfContained && !survey.isPinned(map, name)) continue;
    const schema = map[name];
    if (isDefinitions && isObject(schema) && inliner.isReplacedEverywhere(schema)) continue;
    const property = keyword === "properties" ? name : undefined;
    setMember(compressed, name, compressEntry(scope, keyword, schema, property));
  }
  return compressed;
}

function compressEntry(
  scope: Scope,
  keyword: string,
  schema: unknown,
  property: string | undefined,
): unknown {
  if (isObject(schema)) return compressAt(scope, schema, { property, saidBefore: "" });
  if (isSchema(schema) || (keyword === "dependencies" && Array.isArray(schema))) return schema;
  scope.flaws++;
  return scope.dropsFlaws ? {} : schema;
}
