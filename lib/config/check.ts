// Whether a configuration has the form that facade.servers.schema.json wants, told in words.
// An interpreter of exactly the JSON Schema keywords that file uses: the file stays the single
// truth for editors and for us, and a start does not pay for loading ajv (about 25 ms, five times
// the budget of everything else). A test proves the verdict equal to ajv's on mutated
// configurations; another one that the file uses no keyword that is not interpreted here. Pure.
import serversSchema from "../../facade.servers.schema.json" with { type: "json" };
import { isObject, type JsonObject } from "../json-rpc.ts";
import type { JsonPath } from "./jsonc.ts";
import { findNearest } from "./nearest.ts";

/** A JSON Schema of the keywords that are interpreted. `title` says what is wanted, in words. */
export interface Schema {
  readonly title?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  /** Member name to the names that must stand beside it. */
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
  /** Only of the form "exactly one of these members". */
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** Keywords that never change a verdict. */
export const ANNOTATIONS = [
  "$schema",
  "title",
  "description",
  "default",
  "allowComments",
  "allowTrailingCommas",
];

/** Keywords that are interpreted. */
export const ASSERTIONS = [
  "$ref",
  "definitions",
  "type",
  "enum",
  "pattern",
  "minLength",
  "minItems",
  "items",
  "properties",
  "propertyNames",
  "additionalProperties",
  "required",
  "dependencies",
  "oneOf",
];

export const SERVERS_SCHEMA: Schema = serversSchema;

/** One thing wrong, and where below the checked value. Never shows a value that may be a secret. */
export interface FormProblem {
  readonly path: JsonPath;
  readonly state: string;
}

/** All that is wrong with a whole configuration. */
export function checkServers(value: unknown): FormProblem[] {
  return checkForm(value, SERVERS_SCHEMA);
}

/** All that is wrong with one server's entry; paths start at the entry. */
export function checkEntry(value: unknown): FormProblem[] {
  return checkForm(value, { $ref: "#/definitions/server" });
}

/** Undefined when `name` can be a server name, else what is wanted. */
export function checkServerName(name: string): string | undefined {
  const names = SERVERS_SCHEMA.propertyNames ?? {};
  return name !== "$schema" && new RegExp(names.pattern ?? "", "u").test(name)
    ? undefined
    : describeWanted(names);
}

function checkForm(value: unknown, schema: Schema): FormProblem[] {
  const problems: FormProblem[] = [];
  checkValue({ value, schema: resolveRef(schema), path: [], problems });
  return problems;
}

interface Place {
  readonly value: unknown;
  readonly schema: Schema;
  readonly path: JsonPath;
  readonly problems: FormProblem[];
}

function checkValue(place: Place): void {
  const { value, schema, path, problems } = place;
  const wanted = describeWanted(schema);
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes(typeName(value))) {
    const quotes = types.includes("string") && SCALARS.includes(typeName(value));
    const state = `found ${describeFound(value)}, wanted ${wanted}${quotes ? " in quotes" : ""}`;
    problems.push({ path, state });
    return;
  }
  if (typeof value === "string") checkString({ value, schema, path, problems });
  else if (Array.isArray(value)) checkArray({ value, schema, path, problems });
  else if (isObject(value)) checkObject({ value, schema, path, problems });
}

function checkString(place: Place & { readonly value: string }): void {
  const { value, schema, path, problems } = place;
  const wanted = describeWanted(schema);
  if (schema.minLength !== undefined && value.length < schema.minLength) {
    problems.push({ path, state: `found an empty string, wanted ${wanted}` });
  } else if (
    (schema.enum !== undefined && !schema.enum.includes(value)) ||
    (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
  ) {
    problems.push({ path, state: `found ${quote(value)}, wanted ${wanted}` });
  }
}

function checkArray(place: Place & { readonly value: readonly unknown[] }): void {
  const { value, schema, path, problems } = place;
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    problems.push({ path, state: `found an empty array, wanted ${describeWanted(schema)}` });
  }
  if (schema.items === undefined) return;
  const items = resolveRef(schema.items);
  value.forEach((item, index) => {
    checkValue({ value: item, schema: items, path: [...path, index], problems });
  });
}

function checkObject(place: Place & { readonly value: JsonObject }): void {
  const { value, schema, path, problems } = place;
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const wanted = describeWanted(resolveRef(schema.properties?.[name] ?? {}));
    problems.push({ path: [...path, name], state: `missing, wanted ${wanted}` });
  }
  checkCompanions(place);
  for (const [name, member] of Object.entries(value)) {
    checkMember({ ...place, name, member });
  }
}

function checkMember(
  place: Place & { readonly name: string; readonly member: unknown; readonly value: JsonObject },
): void {
  const { name, member, schema, path, problems } = place;
  const names = schema.propertyNames;
  if (names?.pattern !== undefined && !new RegExp(names.pattern, "u").test(name)) {
    problems.push({ path: [...path, name], state: `wanted ${describeWanted(names)}` });
    return;
  }
  const known = schema.properties ?? {};
  const own = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
  if (own === false) {
    const nearest = findNearest(name, Object.keys(known));
    const wanted =
      nearest === undefined ? `one of ${Object.keys(known).join(", ")}` : `"${nearest}"`;
    problems.push({ path: [...path, name], state: `unknown key, wanted ${wanted}` });
  } else if (typeof own === "object") {
    checkValue({ value: member, schema: resolveRef(own), path: [...path, name], problems });
  }
}

/** `oneOf` and `dependencies`: which members may stand together. One problem is enough. */
function checkCompanions(place: Place & { readonly value: JsonObject }): void {
  const { value, schema, path, problems } = place;
  if (schema.oneOf !== undefined) {
    const names = schema.oneOf.flatMap((branch) => branch.required);
    const present = names.filter((name) => Object.hasOwn(value, name));
    if (present.length !== 1) {
      const found = present.length === 0 ? `neither ${names.join(" nor ")}` : present.join(" and ");
      problems.push({
        path,
        state: `found ${found}, wanted exactly one of ${names.join(" and ")}`,
      });
      return;
    }
  }
  for (const [name, companions] of Object.entries(schema.dependencies ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    const absent = companions.filter((companion) => !Object.hasOwn(value, companion));
    if (absent.length > 0) {
      const list = absent.join(" and ");
      const state = `found without ${list}, wanted only together with ${list}`;
      problems.push({ path: [...path, name], state });
    }
  }
}

function resolveRef(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return SERVERS_SCHEMA.definitions?.[schema.$ref.slice("#/definitions/".length)] ?? {};
}

const SCALARS = ["number", "boolean"];

function typesOf(schema: Schema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function describeWanted(schema: Schema): string {
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  }
  return schema.title ?? typesOf(schema).map(describeType).join(" or ");
}

/** The type alone for strings and whole structures: they may hold a secret. */
function describeFound(value: unknown): string {
  return typeof value === "boolean" ? String(value) : describeType(typeName(value));
}

function describeType(type: string): string {
  if (type === "null") return "null";
  if (type === "boolean") return "true or false";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);
}
