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

/** Whether this schema is a reference and nothing else that matters, leading into its document. */
export function inlineTarget(survey: Survey, site: JsonObject): JsonObject | undefined {
  if (!survey.isSelfContained) return undefined;
  const target = survey.targetOf(site);
  if (target === undefined || target === site || Object.hasOwn(target, "$id")) return undefined;
  if (survey.isPinned(site, "$ref")) return undefined;
  if (!Object.keys(site).every((keyword) => SILENT_SIBLINGS.includes(keyword))) return undefined;
  return isUsedOnce(survey, target) || isShort(site, target) ? target : undefined;
}

/** Whether a definition is gone from its place because every reference to it was replaced. */
export function isInlinedEverywhere(survey: Survey, definition: JsonObject): boolean {
  const { count, sites } = survey.referencesTo(definition);
  if (count === 0 || count !== sites.length || survey.hasPins(definition)) return false;
  return sites.every((site) => inlineTarget(survey, site) === definition);
}

/** Never true in a circle: one that is entered has a schema with two references to it. */
function isUsedOnce(survey: Survey, target: JsonObject): boolean {
  const { count } = survey.referencesTo(target);
  return count === 1 && survey.isDefinition(target) && !survey.hasPins(target);
}

/** A schema without others inside it that is no longer than the reference, as a model sees both. */
function isShort(site: JsonObject, target: JsonObject): boolean {
  if (typeof target.$ref === "string" || childSchemas(target).length > 0) return false;
  const shown: JsonObject = {};
  for (const keyword of Object.keys(target)) {
    if (!SILENT_SIBLINGS.includes(keyword)) shown[keyword] = target[keyword];
  }
  if (!Object.hasOwn(site, "description")) shown.description = target.description;
  return JSON.stringify(shown).length <= JSON.stringify({ $ref: site.$ref }).length;
}
