// A glance that spares most schemas the survey: whether anything stands in a schema that has to be
// seen together with the rest of it. Pure.
import { exactDraftOf } from "./dialect.ts";
import { settledIn } from "./dialect-difference.ts";

const MAX_PLAIN_DEPTH = 60;

/** Keywords whose meaning depends on other places, or that give one to other places. */
const ENTANGLED: Readonly<Record<string, boolean | undefined>> = {
  // @ts-expect-error: no prototype, so that a keyword called `constructor` finds nothing
  __proto__: null,
  $ref: true,
  $dynamicRef: true,
  $recursiveRef: true,
  $id: true,
  $anchor: true,
  $dynamicAnchor: true,
  $recursiveAnchor: true,
  unevaluatedProperties: true,
  unevaluatedItems: true,
};

/**
 * Whether no reference, base URI, anchor, and nothing that the schema's dialect takes otherwise than
 * the default one occurs anywhere, not even in data or as a property's name. False says no more than
 * that one has to look closely.
 */
export function isPlain(schema: { readonly $schema?: unknown }): boolean {
  return isPlainBelow(schema, exactDraftOf(schema.$schema), 0);
}

function isPlainBelow(value: object, draft: number, depth: number): boolean {
  if (depth > MAX_PLAIN_DEPTH) return false;
  const members = value as { readonly [member: string]: unknown };
  for (const member of Object.keys(value)) {
    if (ENTANGLED[member] === true || settledIn(member) > draft) return false;
    const inner = members[member];
    if (typeof inner === "object" && inner !== null) {
      if (member === "items" && Array.isArray(inner)) return false;
      if (!isPlainBelow(inner, draft, depth + 1)) return false;
    } else if (
      (member === "id" && typeof inner === "string") ||
      (member === "required" && typeof inner === "boolean")
    ) {
      return false;
    }
  }
  return true;
}
