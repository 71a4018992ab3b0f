// Where schemas can stand inside a schema, in draft-04 to 2020-12 alike: a keyword that a dialect
// does not know is read by nobody in it, so one table serves all. Pure, and without recursion: a
// schema may be nested as deep as JSON allows.
import { isObject, type JsonObject } from "../json-rpc.ts";

/**
 * What the value of a keyword holds:
 * - `schema`: one schema
 * - `list`: an array of schemas
 * - `schema-or-list`: one schema or an array of schemas (`items`)
 * - `map`: an object whose member values are schemas, under names that are no keywords; a member
 *   that is an array (`dependencies`) holds no schema
 */
export type Holding = "schema" | "list" | "schema-or-list" | "map";

const HOLDINGS: Readonly<Record<string, Holding | undefined>> = {
  // @ts-expect-error: no prototype, so that a keyword called `constructor` finds nothing
  __proto__: null,
  properties: "map",
  patternProperties: "map",
  dependencies: "map",
  dependentSchemas: "map",
  $defs: "map",
  definitions: "map",
  items: "schema-or-list",
  prefixItems: "list",
  anyOf: "list",
  oneOf: "list",
  allOf: "list",
  additionalProperties: "schema",
  additionalItems: "schema",
  unevaluatedProperties: "schema",
  unevaluatedItems: "schema",
  contains: "schema",
  propertyNames: "schema",
  contentSchema: "schema",
  not: "schema",
  if: "schema",
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name
  then: "schema",
  else: "schema",
};

/** How the keyword holds schemas; undefined for a keyword that holds none, and for unknown ones. */
export function holdingOf(keyword: string): Holding | undefined {
  return HOLDINGS[keyword];
}

/** A schema directly inside another one: below `keyword`, at `entry` when that holds several. */
export interface ChildSchema {
  readonly keyword: string;
  readonly entry: string | number | undefined;
  readonly schema: JsonObject;
}

/** The schemas directly inside `schema`, in their order. Booleans, which hold nothing, are left out. */
export function childSchemas(schema: JsonObject): ChildSchema[] {
  const children: ChildSchema[] = [];
  for (const keyword of Object.keys(schema)) {
    const holding = HOLDINGS[keyword];
    if (holding !== undefined) pushHeld(children, keyword, holding, schema[keyword]);
  }
  return children;
}

function pushHeld(
  children: ChildSchema[],
  keyword: string,
  holding: Holding,
  value: unknown,
): void {
  if (Array.isArray(value)) {
    if (holding !== "list" && holding !== "schema-or-list") return;
    value.forEach((schema: unknown, entry) => {
      if (isObject(schema)) children.push({ keyword, entry, schema });
    });
  } else if (isObject(value)) {
    if (holding === "schema" || holding === "schema-or-list") {
      children.push({ keyword, entry: undefined, schema: value });
    } else if (holding === "map") {
      for (const entry of Object.keys(value)) {
        const schema = value[entry];
        if (isObject(schema)) children.push({ keyword, entry, schema });
      }
    }
  }
}

/** Visits `root` and every schema inside it, outer ones first, siblings in their order. */
export function walkSchemas(
  root: unknown,
  visit: (schema: JsonObject, depth: number) => void,
): void {
  if (!isObject(root)) return;
  const pending: { readonly schema: JsonObject; readonly depth: number }[] = [
    { schema: root, depth: 0 },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    visit(next.schema, next.depth);
    const children = childSchemas(next.schema);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) pending.push({ schema: child.schema, depth: next.depth + 1 });
    }
  }
}
