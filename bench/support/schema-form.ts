// Explains every difference between a schema and its compressed form, or reports it. Written from the
// contract (DESIGN.md section 6), not from the code that compresses: it is there to catch that code.
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { resolveReference } from "../../lib/schema/reference.ts";
import { holdingOf } from "../../lib/schema/walk.ts";

interface Comparison {
  readonly root: JsonObject;
  readonly usesUnevaluated: boolean;
  readonly problems: string[];
}

interface Place {
  readonly path: string;
  /** What was said before: the property's name, or the description around. */
  readonly known: string;
}

const TEXT_LIMIT = 140;
const MAY_GO: readonly string[] = ["$comment", "examples", "default", "title"];

/** What is wrong with the compressed schema, one line each; empty when every difference is allowed. */
export function findFormProblems(
  original: JsonObject,
  compressed: JsonObject,
  description: string,
): readonly string[] {
  const comparison: Comparison = {
    root: original,
    usesUnevaluated: /"unevaluated(?:Properties|Items)":/.test(JSON.stringify(original)),
    problems: [],
  };
  compare(comparison, original, compressed, { path: "#", known: description });
  return comparison.problems;
}

function compare(
  comparison: Comparison,
  original: JsonObject,
  compressed: JsonObject,
  place: Place,
): void {
  const source = followInlined(comparison, original, compressed);
  const text = typeof source.description === "string" ? fold(source.description) : "";
  for (const keyword of Object.keys(source)) {
    const path = `${place.path}/${keyword}`;
    if (!Object.hasOwn(compressed, keyword)) {
      if (!mayGo(comparison, source, keyword, place)) comparison.problems.push(`${path}: is gone`);
    } else if (keyword === "description") {
      checkText(comparison, text, compressed.description, path);
    } else if (holdingOf(keyword) !== undefined) {
      const inner: Place = { path, known: text === "" ? place.known : text };
      compareHeld(comparison, keyword, source[keyword], compressed[keyword], inner);
    } else if (JSON.stringify(source[keyword]) !== JSON.stringify(compressed[keyword])) {
      comparison.problems.push(`${path}: is changed`);
    }
  }
  for (const keyword of Object.keys(compressed)) {
    if (!Object.hasOwn(source, keyword))
      comparison.problems.push(`${place.path}/${keyword}: is new`);
  }
}

/** A reference that the compressed schema has not: what it leads to, with what stands beside it. */
function followInlined(
  comparison: Comparison,
  original: JsonObject,
  compressed: JsonObject,
): JsonObject {
  let source = original;
  for (let steps = 0; steps < 16; steps++) {
    if (typeof source.$ref !== "string" || Object.hasOwn(compressed, "$ref")) return source;
    const target = resolveReference(comparison.root, source.$ref);
    if (!isObject(target)) return source;
    const { $ref: _followed, ...beside } = source;
    source = { ...target, ...beside };
  }
  return source;
}

function mayGo(comparison: Comparison, schema: JsonObject, keyword: string, place: Place): boolean {
  const value = schema[keyword];
  if (MAY_GO.includes(keyword)) return true;
  switch (keyword) {
    case "$schema":
    case "$defs":
    case "definitions":
      // The verdicts tell whether it mattered.
      return true;
    case "description":
      return typeof value !== "string" || fold(value) === "" || saysSame(fold(value), place.known);
    case "required":
      return Array.isArray(value) && value.length === 0;
    case "additionalProperties":
      return !comparison.usesUnevaluated && isAnything(value);
    case "propertyNames":
      return isAnything(value) || (isObject(value) && value.type === "string");
    default:
      return keyword.startsWith("x-") && keyword !== "x-mcp-header" && typeof value === "object";
  }
}

function isAnything(schema: unknown): boolean {
  if (schema === true) return true;
  return isObject(schema) && Object.keys(schema).every((keyword) => MAY_GO.includes(keyword));
}

/** Only first sentences are shown, so the longer text may go on. */
function saysSame(text: string, known: string): boolean {
  const bare = (from: string): string => from.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const [shorter, longer] = [bare(text), bare(known)].sort((a, b) => a.length - b.length);
  return shorter !== undefined && shorter !== "" && (longer ?? "").startsWith(shorter.slice(0, 60));
}

function checkText(comparison: Comparison, text: string, shown: unknown, path: string): void {
  if (typeof shown !== "string" || shown === "") comparison.problems.push(`${path}: is no text`);
  else if (shown.length > TEXT_LIMIT) comparison.problems.push(`${path}: is too long`);
  else if (!shown.isWellFormed()) comparison.problems.push(`${path}: has half a character`);
  else if (!text.startsWith(shown)) comparison.problems.push(`${path}: says something else`);
}

/** White space folded, invisible characters out. */
function fold(text: string): string {
  return text
    .replace(/\p{Cf}|\ufe0f/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}

function compareHeld(
  comparison: Comparison,
  keyword: string,
  original: unknown,
  compressed: unknown,
  place: Place,
): void {
  if (Array.isArray(original) && Array.isArray(compressed)) {
    if (original.length !== compressed.length) {
      comparison.problems.push(`${place.path}: has another length`);
    }
    for (const [index, schema] of original.entries()) {
      compareOne(comparison, schema, compressed[index], {
        ...place,
        path: `${place.path}/${index}`,
      });
    }
  } else if (holdingOf(keyword) === "map" && isObject(original) && isObject(compressed)) {
    const names = keyword === "$defs" || keyword === "definitions" ? compressed : original;
    for (const name of Object.keys(names)) {
      const inner: Place = {
        path: `${place.path}/${name}`,
        known: keyword === "properties" ? name : "",
      };
      if (!Object.hasOwn(compressed, name)) comparison.problems.push(`${inner.path}: is gone`);
      else compareOne(comparison, original[name], compressed[name], inner);
    }
    if (Object.keys(compressed).some((name) => !Object.hasOwn(original, name))) {
      comparison.problems.push(`${place.path}: has a new member`);
    }
  } else {
    compareOne(comparison, original, compressed, place);
  }
}

function compareOne(
  comparison: Comparison,
  original: unknown,
  compressed: unknown,
  place: Place,
): void {
  if (isObject(original) && isObject(compressed)) compare(comparison, original, compressed, place);
  else if (JSON.stringify(original) !== JSON.stringify(compressed)) {
    comparison.problems.push(`${place.path}: is changed`);
  }
}
