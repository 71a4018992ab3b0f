// Bounds, pattern, format, default and examples of one schema in a few characters:
// `= 30`, `1..100`, `<=255 chars`, `/^a/`, `format uri`. Pure.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { visibleText } from "./visible-text.ts";

export interface Constraints {
  /** Stands right after the type: the default. */
  readonly suffix: string;
  /** Stand in parentheses. */
  readonly notes: readonly string[];
  /** The keywords these say completely. */
  readonly said: readonly string[];
}

const RANGES: readonly (readonly [min: string, max: string, unit: string])[] = [
  ["minimum", "maximum", ""],
  ["minLength", "maxLength", " chars"],
  ["minItems", "maxItems", " items"],
  ["minProperties", "maxProperties", " properties"],
];

export function renderConstraints(schema: JsonObject): Constraints {
  const notes: string[] = [];
  const said: string[] = [];
  const say = (keyword: string, note: string): void => {
    said.push(keyword);
    notes.push(note);
  };
  if (typeof schema.format === "string") say("format", `format ${visibleText(schema.format)}`);
  for (const [min, max, unit] of RANGES) {
    const note = renderRange(schema[min], schema[max], unit);
    if (note === undefined) continue;
    notes.push(note);
    said.push(...[min, max].filter((keyword) => typeof schema[keyword] === "number"));
  }
  if (typeof schema.exclusiveMinimum === "number") {
    say("exclusiveMinimum", `>${schema.exclusiveMinimum}`);
  }
  if (typeof schema.exclusiveMaximum === "number") {
    say("exclusiveMaximum", `<${schema.exclusiveMaximum}`);
  }
  if (typeof schema.multipleOf === "number") say("multipleOf", `multiple of ${schema.multipleOf}`);
  if (schema.uniqueItems === true) say("uniqueItems", "unique");
  if (schema.uniqueItems === false) said.push("uniqueItems");
  if (typeof schema.pattern === "string") say("pattern", `/${visibleText(schema.pattern)}/`);
  if (Array.isArray(schema.examples) && isShort(schema.examples)) {
    say("examples", `e.g. ${visibleText(JSON.stringify(schema.examples).slice(1, -1))}`);
  }
  let suffix = "";
  if (Object.hasOwn(schema, "default") && isShort(schema.default)) {
    said.push("default");
    suffix = ` = ${visibleText(JSON.stringify(schema.default))}`;
  }
  return { suffix, notes, said };
}

function renderRange(min: unknown, max: unknown, unit: string): string | undefined {
  const hasMin = typeof min === "number";
  const hasMax = typeof max === "number";
  if (hasMin && hasMax) return `${min === max ? min : `${min}..${max}`}${unit}`;
  if (hasMin) return `>=${min}${unit}`;
  return hasMax ? `<=${max}${unit}` : undefined;
}

/** Not nested so deep that it has no text; such a value is left to the caller. */
function isShort(value: unknown, depth = 0): boolean {
  if (depth > 100) return false;
  if (Array.isArray(value)) return value.every((item) => isShort(item, depth + 1));
  return !isObject(value) || Object.values(value).every((item) => isShort(item, depth + 1));
}
