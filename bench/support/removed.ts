// What compression took from a schema, by the rule that took it. For measuring: fidelity is judged
// elsewhere.
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { resolveReference } from "../../lib/schema/reference.ts";
import { holdingOf } from "../../lib/schema/walk.ts";

export interface Removal {
  /** The keyword, or `description (cut)`, `description (repeated)`, `$ref (replaced)`. */
  readonly rule: string;
  readonly before: string;
  readonly after: string;
}

export function findRemovals(original: JsonObject, compressed: JsonObject): readonly Removal[] {
  const removals: Removal[] = [];
  compare(original, original, compressed, removals);
  return removals;
}

function compare(
  root: JsonObject,
  original: JsonObject,
  compressed: JsonObject,
  removals: Removal[],
): void {
  if (typeof original.$ref === "string" && !Object.hasOwn(compressed, "$ref")) {
    const target = resolveReference(root, original.$ref);
    if (!isObject(target)) return;
    const before = JSON.stringify(original);
    removals.push({ rule: "$ref (replaced)", before, after: JSON.stringify(compressed) });
    return;
  }
  for (const keyword of Object.keys(original)) {
    const value = original[keyword];
    const before = `"${keyword}":${JSON.stringify(value)},`;
    if (!Object.hasOwn(compressed, keyword)) {
      removals.push({ rule: ruleFor(keyword, value), before, after: "" });
    } else if (keyword === "description") {
      if (value === compressed.description) continue;
      const after = `"description":${JSON.stringify(compressed.description)},`;
      removals.push({ rule: "description (cut)", before, after });
    } else if (holdingOf(keyword) !== undefined) {
      compareHeld(root, keyword, value, compressed[keyword], removals);
    }
  }
}

function ruleFor(keyword: string, value: unknown): string {
  if (keyword === "description")
    return value === "" ? "description (empty)" : "description (repeated)";
  if (keyword === "definitions" || keyword === "$defs") return "unused definitions";
  return keyword.startsWith("x-") ? "x-*" : keyword;
}

function compareHeld(
  root: JsonObject,
  keyword: string,
  original: unknown,
  compressed: unknown,
  removals: Removal[],
): void {
  const isDefinitions = keyword === "$defs" || keyword === "definitions";
  if (!isNested(original) || !isNested(compressed)) return;
  if (holdingOf(keyword) === "map" || Array.isArray(original)) {
    for (const name of Object.keys(original)) {
      const [before, after] = [original[name], compressed[name]];
      if (isObject(before) && isObject(after)) compare(root, before, after, removals);
      else if (isDefinitions && after === undefined) {
        const text = `"${name}":${JSON.stringify(before)},`;
        removals.push({ rule: "unused definitions", before: text, after: "" });
      }
    }
  } else if (isObject(original) && isObject(compressed)) {
    compare(root, original, compressed, removals);
  }
}

function isNested(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === "object" && value !== null;
}
