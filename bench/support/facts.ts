// What a tool's definition says, as single facts, read from the definition on its own way: the
// bench for `describe` looks for each of them in the rendered text.
import type { Tool } from "../../lib/catalog/catalog.ts";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { visibleText } from "../../lib/schema/visible-text.ts";

export interface Fact {
  /** Where it stands, such as `inputSchema.properties.state.enum`. */
  readonly path: string;
  /** Any of these texts says it. */
  readonly texts: readonly string[];
}

const BOUNDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "format",
  "pattern",
];
const DATA = ["const", "default"];
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const TYPES = ["string", "number", "integer", "boolean", "null", "object", "array"];

export function factsOf(tool: Tool): readonly Fact[] {
  const facts: Fact[] = [{ path: "name", texts: [tool.name] }];
  if (typeof tool.title === "string") facts.push({ path: "title", texts: [tool.title] });
  addSentences(facts, "description", tool.description);
  addSchema(facts, "inputSchema", tool.inputSchema);
  addSchema(facts, "outputSchema", tool.outputSchema);
  if (isObject(tool.annotations)) {
    for (const [key, value] of Object.entries(tool.annotations)) {
      const path = `annotations.${key}`;
      if (typeof value === "boolean") {
        facts.push({
          path,
          texts: value ? [key, `"${key}":true`] : [`not ${key}`, `"${key}":false`],
        });
      } else {
        facts.push({ path, texts: formsOf(value) });
      }
    }
  }
  return facts;
}

/** The facts that `text` does not say; white space does not count. */
export function missingFacts(text: string, facts: readonly Fact[]): readonly Fact[] {
  const folded = fold(text);
  return facts.filter(
    (fact) => !fact.texts.some((form) => folded.includes(fold(visibleText(form)))),
  );
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function formsOf(value: unknown): string[] {
  const json = JSON.stringify(value) ?? "undefined";
  return typeof value === "string" ? [value, json] : [json];
}

function addSentences(facts: Fact[], path: string, text: unknown): void {
  if (typeof text !== "string") return;
  for (const sentence of text.split(/(?<=[.!?。！？])\s+|\n+/)) {
    if (sentence.trim() === "") continue;
    facts.push({ path, texts: [sentence, JSON.stringify(sentence).slice(1, -1)] });
  }
}

function addSchema(facts: Fact[], path: string, schema: unknown): void {
  if (!isObject(schema)) return;
  addSentences(facts, `${path}.description`, schema.description);
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${path}.${keyword}`;
    if (BOUNDS.includes(keyword) || DATA.includes(keyword)) {
      facts.push({ path: at, texts: formsOf(value) });
    } else if ((keyword === "enum" || keyword === "examples") && Array.isArray(value)) {
      for (const item of value) facts.push({ path: at, texts: formsOf(item) });
    } else if (keyword === "type") {
      addTypes(facts, at, schema);
    } else if (MAPS.includes(keyword) && isObject(value)) {
      addMembers(facts, at, keyword, value, schema);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) addSchema(facts, `${at}[${index}]`, item);
    } else {
      addSchema(facts, at, value);
    }
  }
}

/** Types go without saying where all values are listed. */
function addTypes(facts: Fact[], path: string, schema: JsonObject): void {
  if (Object.hasOwn(schema, "enum") || Object.hasOwn(schema, "const")) return;
  const names = Array.isArray(schema.type) ? schema.type : [schema.type];
  for (const name of names) {
    const isTop = /^(?:in|out)putSchema\.type$/.test(path) && name === "object";
    if (!TYPES.includes(String(name)) || isTop) continue;
    facts.push({ path, texts: name === "array" ? ["array", "[]"] : [String(name), "{[key]:"] });
  }
}

function addMembers(
  facts: Fact[],
  path: string,
  keyword: string,
  members: JsonObject,
  schema: JsonObject,
): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, value] of Object.entries(members)) {
    const quoted = JSON.stringify(name);
    const isRequired = required.includes(name) || (isObject(value) && value.required === true);
    const mark = keyword === "properties" && !isRequired ? "?:" : ":";
    facts.push({
      path: `${path}.${name}`,
      texts:
        keyword === "patternProperties"
          ? [name, quoted]
          : [`${name}${mark}`, `${quoted}${mark}`, `${quoted}:`],
    });
    addSchema(facts, `${path}.${name}`, value);
  }
}
