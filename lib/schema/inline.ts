// Which references are better replaced by what they lead to: a definition used once, and a schema
// that is no longer than the reference itself. Pure.
import type { JsonObject } from "../json-rpc.ts";
import type { Survey } from "./survey.ts";
import { childSchemas } from "./walk.ts";

/** What may stand beside a `$ref` that is replaced: it says nothing about a value. */
const SILENT_SIBLINGS: readonly string[] = [
  "$ref",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
];

export interface Inliner {
  /** What the schema leads to, if it is a reference that is to be replaced. */
  targetOf(site: JsonObject): JsonObject | undefined;
  /** Whether a definition is gone from its place because every reference to it was replaced. */
  isReplacedEverywhere(definition: JsonObject): boolean;
}

export function createInliner(survey: Survey): Inliner {
  const decisions = new Map<JsonObject, JsonObject | undefined>();
  const shownLengths = new Map<JsonObject, number>();

  function targetOf(site: JsonObject): JsonObject | undefined {
    if (typeof site.$ref !== "string" || !survey.isSelfContained) return undefined;
    if (decisions.has(site)) return decisions.get(site);
    const target = survey.targetOf(site);
    const decision = target !== undefined && isBetter(site, target) ? target : undefined;
    decisions.set(site, decision);
    return decision;
  }

  function isBetter(site: JsonObject, target: JsonObject): boolean {
    if (target === site || Object.hasOwn(target, "$id")) return false;
    if (survey.isPinned(site, "$ref")) return false;
    if (!Object.keys(site).every((keyword) => SILENT_SIBLINGS.includes(keyword))) return false;
    return isUsedOnce(survey, target) || isShort(site, target);
  }

  /** A schema without others inside it, no longer than the reference as a model sees both. */
  function isShort(site: JsonObject, target: JsonObject): boolean {
    let length = shownLengths.get(target);
    if (length === undefined) {
      length = shownLength(target);
      shownLengths.set(target, length);
    }
    const hasOwnText = Object.hasOwn(site, "description");
    const text = hasOwnText ? 0 : JSON.stringify(target.description ?? "").length;
    return length + text <= String(site.$ref).length;
  }

  return {
    targetOf,
    isReplacedEverywhere(definition) {
      const { count, sites } = survey.referencesTo(definition);
      if (count === 0 || count !== sites.length || survey.hasPins(definition)) return false;
      return sites.every((site) => targetOf(site) === definition);
    },
  };
}

/** Never true in a circle: one that is entered has a schema with two references to it. */
function isUsedOnce(survey: Survey, target: JsonObject): boolean {
  const { count } = survey.referencesTo(target);
  return count === 1 && survey.isDefinition(target) && !survey.hasPins(target);
}

/** How much longer the schema is than `{"$ref":""}`, without annotations; infinite if it holds others. */
function shownLength(target: JsonObject): number {
  if (typeof target.$ref === "string" || childSchemas(target).length > 0) return Infinity;
  const shown: JsonObject = {};
  for (const keyword of Object.keys(target)) {
    if (!SILENT_SIBLINGS.includes(keyword)) shown[keyword] = target[keyword];
  }
  return JSON.stringify(shown).length - '{"$ref":""}'.length;
}
