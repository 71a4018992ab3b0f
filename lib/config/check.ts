// Why a configuration has not the form that facade.servers.schema.json wants, in words: where,
// what was found, what is wanted. All problems at once, each once. The verdict itself is form.ts's;
// a test proves that there are words exactly when form.ts says no. Pure.
import { isObject, type JsonObject } from "../json-rpc.ts";
import {
  ENTRY_SCHEMA,
  ownMember,
  resolveReference,
  type Schema,
  SERVERS_SCHEMA,
  typeOf,
} from "./form.ts";
import type { JsonPath } from "./jsonc.ts";
import { findNearest } from "./nearest.ts";

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
  return checkForm(value, ENTRY_SCHEMA);
}

/** What a server name looks like, in words. */
export function describeServerName(): string {
  return describeWanted(SERVERS_SCHEMA.propertyNames ?? {});
}

function checkForm(value: unknown, schema: Schema): FormProblem[] {
  const problems: FormProblem[] = [];
  checkValue({ value, schema: resolveReference(schema), path: [], problems });
  return problems;
}

interface Place<T = unknown> {
  readonly value: T;
  readonly schema: Schema;
  readonly path: JsonPath;
  readonly problems: FormProblem[];
}

function checkValue({ value, schema, path, problems }: Place): void {
  const types = typesOf(schema);
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type)) {
    const quotes = types.includes("string") && (type === "number" || type === "boolean");
    const state = `found ${describeFound(value)}, wanted ${describeWanted(schema)}`;
    problems.push({ path, state: quotes ? `${state} in quotes` : state });
    return;
  }
  if (typeof value === "string") checkString({ value, schema, path, problems });
  else if (Array.isArray(value)) checkArray({ value, schema, path, problems });
  else if (isObject(value)) checkObject({ value, schema, path, problems });
}

function checkString({ value, schema, path, problems }: Place<string>): void {
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

function checkArray({ value, schema, path, problems }: Place<readonly unknown[]>): void {
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    problems.push({ path, state: `found an empty array, wanted ${describeWanted(schema)}` });
  }
  if (schema.items === undefined) return;
  const items = resolveReference(schema.items);
  value.forEach((item, index) => {
    checkValue({ value: item, schema: items, path: [...path, index], problems });
  });
}

function checkObject(place: Place<JsonObject>): void {
  const { value, schema, path, problems } = place;
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const wanted = describeWanted(resolveReference(schema.properties?.[name] ?? {}));
    problems.push({ path: [...path, name], state: `missing, wanted ${wanted}` });
  }
  checkCompanions(place);
  for (const [name, member] of Object.entries(value)) {
    checkMember({ name, value: member, schema, path: [...path, name], problems });
  }
}

/** One member; `schema` is that of its object. */
function checkMember(place: Place & { readonly name: string }): void {
  const { name, value, schema, path, problems } = place;
  const names = schema.propertyNames;
  if (names?.pattern !== undefined && !new RegExp(names.pattern, "u").test(name)) {
    problems.push({ path, state: `found this name, wanted ${describeWanted(names)}` });
    return;
  }
  const known = schema.properties ?? {};
  const own = ownMember(known, name) ?? schema.additionalProperties;
  if (own === false) {
    problems.push({ path, state: `unknown key, wanted ${nearestKey(name, known)}` });
  } else if (typeof own === "object") {
    checkValue({ value, schema: resolveReference(own), path, problems });
  }
}

/** The key that was meant, also one that belongs a level deeper, as in an entry copied from a host. */
function nearestKey(name: string, known: Readonly<Record<string, Schema>>): string {
  for (const [outer, schema] of Object.entries(known)) {
    const inner = resolveReference(schema).properties ?? {};
    if (Object.hasOwn(inner, name)) return `"${outer}": { "${name}": ... }`;
  }
  const nearest = findNearest(name, Object.keys(known));
  return nearest === undefined ? `one of ${Object.keys(known).join(", ")}` : `"${nearest}"`;
}

/** `oneOf` and `dependencies`: which members may stand together. One problem is enough. */
function checkCompanions({ value, schema, path, problems }: Place<JsonObject>): void {
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

function typesOf(schema: Schema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

function describeWanted(schema: Schema): string {
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  }
  return schema.title ?? typesOf(schema).map(describeType).join(" or ");
}

/** The type alone for strings and whole structures: they may hold a secret. */
function describeFound(value: unknown): string {
  return typeof value === "boolean" ? String(value) : describeType(typeOf(value));
}

function describeType(type: string): string {
  if (type === "null") return "null";
  if (type === "boolean") return "true or false";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);
}
