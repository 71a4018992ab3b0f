// The keywords of a schema that hold plain values, as 2020-12 has them. Pure.
import type { JsonObject } from "../json-rpc.ts";
import { isTypeName } from "./dialect.ts";
import { compilePattern } from "./pattern.ts";
import { type Entry, loosen, type Place, type Translation } from "./translation.ts";

/** Keywords that hold plain values. */
export function translateValues(
  translation: Translation,
  schema: JsonObject,
  place: Place,
): Entry[] {
  const entries: Entry[] = [];
  const take = (keyword: string, isFit: (value: unknown) => boolean, since = 4): void => {
    if (!Object.hasOwn(schema, keyword) || translation.draft < since) return;
    if (isFit(schema[keyword])) entries.push([keyword, schema[keyword]]);
    else loosen(translation, place);
  };
  const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  if (Object.hasOwn(schema, "type")) {
    const types = typesOf(schema.type);
    if (types === undefined) loosen(translation, place);
    // OpenAPI's word; whoever writes it means it.
    else if (schema.nullable === true) entries.push(["type", [...new Set([...types, "null"])]]);
    else entries.push(["type", types]);
  }
  take("enum", (value) => Array.isArray(value) && value.length > 0);
  if (translation.draft >= 6 && Object.hasOwn(schema, "const")) {
    entries.push(["const", schema.const]);
  }
  take("multipleOf", (value) => isNumber(value) && Number(value) > 0);
  for (const [limit, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") {
      take(limit, isNumber);
      take(exclusive, isNumber, 6);
    } else if (translation.draft === 4 && schema[exclusive] && isNumber(schema[limit])) {
      entries.push([exclusive, schema[limit]]);
    } else {
      // A boolean of draft-04 in another dialect may or may not be meant so.
      if (schema[exclusive] && translation.draft !== 4) loosen(translation, place);
      take(limit, isNumber);
    }
  }
  for (const keyword of ["minLength", "maxLength", "minItems", "maxItems"]) take(keyword, isCount);
  for (const keyword of ["minProperties", "maxProperties"]) take(keyword, isCount);
  take("uniqueItems", (value) => typeof value === "boolean");
  take("pattern", isPattern);
  return entries;
}

export function isPattern(value: unknown): boolean {
  return typeof value === "string" && compilePattern(value) !== undefined;
}

function typesOf(type: unknown): string[] | undefined {
  const types = Array.isArray(type) ? type : [type];
  const fit = types.length > 0 && types.every((name) => isTypeName(String(name)));
  return fit ? [...new Set(types.map(String))] : undefined;
}
