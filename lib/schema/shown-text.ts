// What a model is shown of the texts in a schema, and which of them say nothing new. Pure.
import { firstSentence } from "./sentence.ts";
import { visibleText } from "./visible-text.ts";

/** The first sentence; empty for what is no text. */
export function shownDescription(description: unknown): string {
  return typeof description === "string" ? firstSentence(visibleText(description)) : "";
}

/** Equal but for case, spaces and punctuation; both begin with the same letter. */
export function isSameText(a: string, b: string): boolean {
  if (a.length > 2 * b.length + 2 || b.length > 2 * a.length + 2) return false;
  // Names and sentences mostly differ in the first letter.
  if (((a.charCodeAt(0) ^ b.charCodeAt(0)) & ~32) !== 0) return false;
  const letters = lettersOf(a);
  return letters !== "" && letters === lettersOf(b);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[\s!-/:-@[-`{-~]+/g, "");
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
export function isUnknownText(keyword: string, value: unknown): value is string {
  return typeof value === "string" && !MEANT_EXACTLY.includes(keyword);
}
