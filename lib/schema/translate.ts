// Turns a schema of any dialect, draft-04 to 2020-12, into one plain 2020-12 schema that a validator
// can be trusted with. Pure. The result accepts everything the original accepts: what is malformed,
// unknown or cannot be bounded is left out, and where leaving out would make a schema stricter
// (inside `not`, `if`, `oneOf`) the surrounding keyword goes as a whole.
// References are rewritten to definitions of the result, so ids never meet and nothing is fetched.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { isNames, likelyDraftOf } from "./dialect.ts";
import { resolveReference } from "./reference.ts";
import { isPattern, translateValues } from "./translate-values.ts";
import {
  type Entry,
  loosen,
  type Place,
  type Plain,
  TooLarge,
  type Translation,
  Untranslatable,
} from "./translation.ts";

/** Stands beside every `$ref` of the result, so that the validator can count its steps. */
export const STEP_KEYWORD = "step";

const MAX_NODES = 50_000;
const MAX_DEPTH = 200;

/** Undefined if there is nothing to check arguments with. */
export function translateSchema(root: unknown): Plain | undefined {
  if (!isObject(root)) return typeof root === "boolean" ? root : undefined;
  try {
    const first = translateOnce(root, true);
    // Left-out parts could have accounted for members that `unevaluated*` would then refuse.
    return first.hasLoosened && first.hasUnevaluated
      ? translateOnce(root, false).schema
      : first.schema;
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof TooLarge) return undefined;
    // Nested deeper than the stack: not meant to be understood.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function translateOnce(root: JsonObject, keepsUnevaluated: boolean) {
  const translation: Translation = {
    root,
    draft: likelyDraftOf(root.$schema),
    definitions: new Map(),
    names: new Map(),
    exactNames: new Map(),
    keepsUnevaluated,
    nodes: 0,
    hasLoosened: false,
    hasUnevaluated: false,
  };
  const schema = translate(translation, root, { base: root, exact: false, depth: 0 });
  const { hasLoosened, hasUnevaluated, definitions } = translation;
  const complete =
    definitions.size === 0 || typeof schema === "boolean"
      ? schema
      : { ...schema, $defs: Object.fromEntries(definitions) };
  return { schema: complete, hasLoosened, hasUnevaluated };
}

function translate(translation: Translation, schema: unknown, place: Place): Plain {
  translation.nodes += 1;
  if (translation.nodes > MAX_NODES) throw new TooLarge();
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema) || place.depth > MAX_DEPTH) return loosen(translation, place);
  const hasOwnId = typeof schema.$id === "string" && !schema.$id.startsWith("#");
  const inner = hasOwnId ? { ...place, base: schema } : place;
  const entries: Entry[] = [];
  if (Object.hasOwn(schema, "$ref")) {
    entries.push(...translateReference(translation, schema.$ref, inner));
    // Up to draft-07 nothing beside `$ref` counts.
    if (translation.draft <= 7) return Object.fromEntries(entries);
  }
  for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
    if (Object.hasOwn(schema, keyword)) loosen(translation, place);
  }
  entries.push(
    ...translateValues(translation, schema, inner),
    ...translateObjects(translation, schema, inner),
    ...translateArrays(translation, schema, inner),
    ...translateLogic(translation, schema, inner),
  );
  return Object.fromEntries(entries);
}

function translateReference(translation: Translation, reference: unknown, place: Place): Entry[] {
  const target =
    typeof reference === "string" ? resolveReference(place.base, reference) : undefined;
  if (!isObject(target)) {
    if (target === false) return [["not", {}]];
    if (target !== true) loosen(translation, place);
    return [];
  }
  const names = place.exact ? translation.exactNames : translation.names;
  let name = names.get(target);
  if (name === "") throw new Untranslatable();
  if (name === undefined) {
    name = `${place.exact ? "e" : "d"}${names.size}`;
    names.set(target, name);
    translation.definitions.set(
      name,
      translate(translation, target, { ...place, depth: place.depth + 1 }),
    );
  }
  return [
    ["$ref", `#/$defs/${name}`],
    [STEP_KEYWORD, true],
  ];
}

function translateObjects(translation: Translation, schema: JsonObject, place: Place): Entry[] {
  const entries: Entry[] = [];
  const { draft } = translation;
  let knowsAllNames = true;
  if (Object.hasOwn(schema, "required")) {
    const { required } = schema;
    if (isNames(required)) entries.push(["required", [...new Set(required)]]);
    else loosen(translation, place);
  }
  for (const keyword of ["properties", "patternProperties"]) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const map = schema[keyword];
    if (!isObject(map)) {
      loosen(translation, place);
      knowsAllNames = false;
      continue;
    }
    const usable = Object.entries(map).filter(
      ([name]) => keyword === "properties" || isPattern(name),
    );
    if (usable.length < Object.keys(map).length) {
      loosen(translation, place);
      knowsAllNames = false;
    }
    entries.push([keyword, translateMap(translation, usable, place)]);
  }
  if (knowsAllNames)
    entries.push(...translateOne(translation, schema, place, "additionalProperties"));
  entries.push(...translateOne(translation, schema, place, "propertyNames", 6));
  entries.push(...translateDependencies(translation, schema, place));
  if (draft >= 2019)
    entries.push(...translateUnevaluated(translation, schema, place, "unevaluatedProperties"));
  return entries;
}

/** `dependencies` was split in two in 2019-09. */
function translateDependencies(
  translation: Translation,
  schema: JsonObject,
  place: Place,
): Entry[] {
  const keywords =
    translation.draft >= 2019 ? ["dependentRequired", "dependentSchemas"] : ["dependencies"];
  const required: Entry[] = [];
  const schemas: Entry[] = [];
  for (const keyword of keywords) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const map = schema[keyword];
    if (!isObject(map)) {
      loosen(translation, place);
      continue;
    }
    for (const [name, value] of Object.entries(map)) {
      if (keyword !== "dependentSchemas" && isNames(value)) required.push([name, value]);
      else if (keyword === "dependentRequired") loosen(translation, place);
      else schemas.push([name, value]);
    }
  }
  const entries: Entry[] = [];
  if (required.length > 0) entries.push(["dependentRequired", Object.fromEntries(required)]);
  if (schemas.length > 0) {
    entries.push(["dependentSchemas", translateMap(translation, schemas, place)]);
  }
  return entries;
}

function translateArrays(translation: Translation, schema: JsonObject, place: Place): Entry[] {
  const entries: Entry[] = [];
  const { draft } = translation;
  const isTuple = Array.isArray(schema.items);
  const hasPrefix = Object.hasOwn(schema, "prefixItems") && draft >= 2020;
  const list = hasPrefix ? schema.prefixItems : isTuple ? schema.items : undefined;
  const rest = isTuple ? (hasPrefix ? undefined : "additionalItems") : "items";
  if (Array.isArray(list) && list.length > 0) {
    entries.push(["prefixItems", translateList(translation, list, place)]);
  } else if (hasPrefix) {
    loosen(translation, place);
  }
  const knowsAllItems = !hasPrefix || (Array.isArray(list) && list.length > 0);
  if (rest !== undefined && knowsAllItems) {
    const [entry] = translateOne(translation, schema, place, rest);
    if (entry !== undefined) entries.push(["items", entry[1]]);
  }
  if (draft >= 6 && Object.hasOwn(schema, "contains")) {
    entries.push(...translateContains(translation, schema, place));
  }
  if (draft >= 2019)
    entries.push(...translateUnevaluated(translation, schema, place, "unevaluatedItems"));
  return entries;
}

/** With an upper limit, a looser `contains` would count items that the original does not. */
function translateContains(translation: Translation, schema: JsonObject, place: Place): Entry[] {
  const counts = ["minContains", "maxContains"].filter(
    (keyword) => translation.draft >= 2019 && Object.hasOwn(schema, keyword),
  );
  if (
    !counts.every((keyword) => Number.isInteger(schema[keyword]) && Number(schema[keyword]) >= 0)
  ) {
    loosen(translation, place);
    return [];
  }
  return attempt(translation, place, () => {
    const exact = place.exact || counts.includes("maxContains");
    const contains = translateAt(translation, schema.contains, { ...place, exact });
    return [["contains", contains], ...counts.map((key): Entry => [key, schema[key]])];
  });
}

function translateLogic(translation: Translation, schema: JsonObject, place: Place): Entry[] {
  const entries: Entry[] = [];
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) {
      loosen(translation, place);
    } else if (keyword === "oneOf") {
      const exact = (): Entry[] => [
        ["oneOf", translateList(translation, branches, { ...place, exact: true })],
      ];
      const loose = (): Entry[] => [["anyOf", translateList(translation, branches, place)]];
      const hasAnyOf = Object.hasOwn(schema, "anyOf");
      entries.push(...attempt(translation, place, exact, hasAnyOf ? undefined : loose));
    } else {
      entries.push([keyword, translateList(translation, branches, place)]);
    }
  }
  if (Object.hasOwn(schema, "not")) {
    entries.push(
      ...attempt(translation, place, () => [
        ["not", translateAt(translation, schema.not, { ...place, exact: true })],
      ]),
    );
  }
  if (Object.hasOwn(schema, "if") && translation.draft >= 7) {
    entries.push(
      ...attempt(translation, place, () => [
        ["if", translateAt(translation, schema.if, { ...place, exact: true })],
        ...translateOne(translation, schema, place, "then"),
        ...translateOne(translation, schema, place, "else"),
      ]),
    );
  }
  return entries;
}

/** Does without the entries, or with looser ones, if they have no exact translation. */
function attempt(
  translation: Translation,
  place: Place,
  exactly: () => Entry[],
  loosely: () => Entry[] = () => [],
): Entry[] {
  const known = new Set(translation.exactNames.keys());
  try {
    return exactly();
  } catch (error) {
    if (!(error instanceof Untranslatable) || place.exact) throw error;
    // Definitions begun in the attempt may be incomplete.
    for (const target of translation.exactNames.keys()) {
      if (!known.has(target)) translation.exactNames.set(target, "");
    }
    loosen(translation, place);
    return loosely();
  }
}

function translateUnevaluated(
  translation: Translation,
  schema: JsonObject,
  place: Place,
  keyword: string,
): Entry[] {
  if (!Object.hasOwn(schema, keyword)) return [];
  translation.hasUnevaluated = true;
  if (!translation.keepsUnevaluated) {
    loosen(translation, place);
    return [];
  }
  return translateOne(translation, schema, place, keyword);
}

function translateOne(
  translation: Translation,
  schema: JsonObject,
  place: Place,
  keyword: string,
  since = 4,
): Entry[] {
  if (!Object.hasOwn(schema, keyword) || translation.draft < since) return [];
  return [[keyword, translateAt(translation, schema[keyword], place)]];
}

function translateAt(translation: Translation, schema: unknown, place: Place): Plain {
  return translate(translation, schema, { ...place, depth: place.depth + 1 });
}

function translateList(translation: Translation, list: readonly unknown[], place: Place): Plain[] {
  return list.map((schema) => translateAt(translation, schema, place));
}

function translateMap(
  translation: Translation,
  members: readonly Entry[],
  place: Place,
): JsonObject {
  return Object.fromEntries(
    members.map(([name, schema]) => [name, translateAt(translation, schema, place)]),
  );
}
