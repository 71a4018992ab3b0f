// Whether a configuration has the form that facade.servers.schema.json wants: yes or no.
// An interpreter of exactly the JSON Schema keywords that file uses. The file stays the single
// truth, for editors and for us, and a start does not pay for loading ajv (about 25 ms, five times
// the budget of everything else). Tests prove the verdict equal to ajv's on mutated configurations,
// and that the file uses no keyword that is not interpreted here. Only after a "no" is check.ts
// loaded, which says why. Pure. Every start but a quick one runs through here once, cold: plain
// loops, as each built-in that takes a callback costs 0.1 ms then.
import serversSchema from "../../facade.servers.schema.json" with { type: "json" };

/** A JSON Schema of the keywords that are interpreted. `title` says what is wanted, in words. */
export interface Schema {
  readonly title?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  /** Of strings. */
  readonly enum?: readonly string[];
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

export const SERVERS_SCHEMA: Schema = serversSchema;
export const ENTRY_SCHEMA: Schema = { $ref: "#/definitions/server" };

/** Whether `value` conforms to a schema of facade.servers.schema.json. */
export function conforms(value: unknown, reference: Schema): boolean {
  const schema = resolveReference(reference);
  const type = typeOf(value);
  if (schema.type !== undefined && schema.type !== type && !schema.type.includes(type))
    return false;
  if (typeof value === "string") return conformsString(value, schema);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (value.length < (schema.minItems ?? 0)) return false;
    if (items === undefined) return true;
    for (const item of value) if (!conforms(item, items)) return false;
    return true;
  }
  return type !== "object" || conformsObject(value as object, schema);
}

function conformsString(value: string, schema: Schema): boolean {
  if (value.length < (schema.minLength ?? 0)) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  return schema.pattern === undefined || new RegExp(schema.pattern, "u").test(value);
}

function conformsObject(value: object, schema: Schema): boolean {
  const { required, oneOf, propertyNames, properties, dependencies } = schema;
  if (required !== undefined && !hasAll(value, required)) return false;
  if (oneOf !== undefined) {
    let matches = 0;
    for (const branch of oneOf) if (hasAll(value, branch.required)) matches += 1;
    if (matches !== 1) return false;
  }
  for (const [name, member] of Object.entries(value)) {
    if (propertyNames !== undefined && !conformsString(name, propertyNames)) return false;
    const companions = ownMember(dependencies, name);
    if (companions !== undefined && !hasAll(value, companions)) return false;
    const own = ownMember(properties, name) ?? schema.additionalProperties ?? true;
    if (own === false || (own !== true && !conforms(member, own))) return false;
  }
  return true;
}

function hasAll(value: object, names: readonly string[]): boolean {
  for (const name of names) if (!Object.hasOwn(value, name)) return false;
  return true;
}

export function isServerName(name: string): boolean {
  return name !== "$schema" && conforms(name, SERVERS_SCHEMA.propertyNames ?? {});
}

export function resolveReference(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return SERVERS_SCHEMA.definitions?.[schema.$ref.slice("#/definitions/".length)] ?? {};
}

/** The JSON Schema name of the type. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export function ownMember<T>(
  object: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
