// The parameters of a tool: the properties of its input schema, also those that only branches of a
// top-level union or intersection name. Pure, and never throws for whatever an upstream sent.
import type { Tool } from "../catalog/catalog.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { followReferences } from "./reference.ts";

export interface Parameter {
  readonly name: string;
  readonly schema: unknown;
  /** Whether every valid call names it. */
  readonly required: boolean;
}

const MAX_BRANCHES = 64;
const MAX_DEPTH = 4;

/** In the schema's order, each name once. */
export function listParameters(tool: Tool): readonly Parameter[] {
  const root = tool.inputSchema;
  const { properties, required } = collect(root, root, 0);
  for (const name of required) if (!properties.has(name)) properties.set(name, true);
  return [...properties].map(([name, schema]) => ({
    name,
    schema,
    required: required.has(name) || (isObject(schema) && schema.required === true),
  }));
}

interface Found {
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
}

function collect(root: unknown, schema: unknown, depth: number): Found {
  const found: Found = { properties: new Map(), required: new Set() };
  const target = followReferences(root, schema);
  if (!isObject(target) || depth > MAX_DEPTH) return found;
  if (isObject(target.properties)) {
    for (const [name, value] of Object.entries(target.properties))
      found.properties.set(name, value);
  }
  if (Array.isArray(target.required)) {
    for (const name of target.required) if (typeof name === "string") found.required.add(name);
  }
  for (const branch of branchesOf(target, "allOf")) {
    add(found, [collect(root, branch, depth + 1)]);
  }
  for (const word of ["anyOf", "oneOf"]) {
    add(
      found,
      branchesOf(target, word).map((branch) => collect(root, branch, depth + 1)),
    );
  }
  return found;
}

function branchesOf(schema: JsonObject, word: string): unknown[] {
  const branches = schema[word];
  return Array.isArray(branches) ? branches.slice(0, MAX_BRANCHES) : [];
}

/** A parameter of alternatives is required only if each of them requires it. */
function add(found: Found, alternatives: readonly Found[]): void {
  for (const { properties } of alternatives) {
    for (const [name, schema] of properties) {
      if (!found.properties.has(name)) found.properties.set(name, schema);
    }
  }
  const [first, ...others] = alternatives;
  for (const name of first?.required ?? []) {
    if (others.every((other) => other.required.has(name))) found.required.add(name);
  }
}
