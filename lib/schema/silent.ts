// Which keywords carry nothing for a model and change no verdict, so that they may go. Pure.
import { isObject } from "../json-rpc.ts";
import { acceptsAll } from "./dialect.ts";

/** Annotations that carry nothing for a model. */
const ANNOTATIONS: readonly string[] = ["$comment", "examples", "default", "title"];

/** Whether the keyword may go whatever else the schema says. */
export function isSilent(keyword: string, value: unknown): boolean {
  if (ANNOTATIONS.includes(keyword)) return true;
  if (keyword === "required") return Array.isArray(value) && value.length === 0;
  // A vendor's plain value may be a hint; its lists and objects are made for its own programs.
  return keyword.startsWith("x-") && keyword !== "x-mcp-header" && isNested(value);
}

/**
 * Whether a keyword that holds schemas has no effect with this value.
 * @param options.usesUnevaluated it matters somewhere whether a property was looked at
 */
export function holdsNothing(
  keyword: string,
  value: unknown,
  options: { readonly usesUnevaluated: boolean },
): boolean {
  if (keyword === "additionalProperties") return !options.usesUnevaluated && acceptsAll(value);
  return keyword === "propertyNames" && (acceptsAll(value) || isAnyString(value));
}

/** `{type: "string"}`, with or without a description: true of every property's name. */
function isAnyString(schema: unknown): boolean {
  if (!isObject(schema) || schema.type !== "string") return false;
  return Object.keys(schema).every((keyword) => keyword === "type" || keyword === "description");
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
