// Following `$ref` inside one schema document. Pure, and never beyond the document: a reference to
// anywhere else resolves to nothing.
import { isObject } from "../json-rpc.ts";

const MAX_CHAIN = 16;

/** What a `$ref` points at in `root`: a JSON pointer, or undefined when it leads out or nowhere. */
export function resolveReference(root: unknown, reference: string): unknown {
  const hash = reference.indexOf("#");
  const base = hash === -1 ? reference : reference.slice(0, hash);
  if (base !== "" && !(isObject(root) && (base === root.$id || base === root.id))) return undefined;
  const pointer = hash === -1 ? "" : reference.slice(hash + 1);
  if (pointer === "") return root;
  if (!pointer.startsWith("/")) return findAnchor(root, pointer);
  let at: unknown = root;
  for (const step of pointerSteps(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as { [key: string]: unknown })[step];
  }
  return at;
}

/** The schema itself, or what it refers to after any number of `$ref` steps that do not circle. */
export function followReferences(root: unknown, schema: unknown): unknown {
  let at = schema;
  for (let steps = 0; isObject(at) && typeof at.$ref === "string"; steps += 1) {
    if (steps === MAX_CHAIN) return undefined;
    at = resolveReference(root, at.$ref);
  }
  return at;
}

/** `/properties/a~1b` as `["properties", "a/b"]`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => decode(step).replace(/~1/g, "/").replace(/~0/g, "~"));
}

function decode(step: string): string {
  if (!step.includes("%")) return step;
  try {
    return decodeURIComponent(step);
  } catch (error) {
    // A stray percent sign: the step is meant as it stands.
    if (error instanceof URIError) return step;
    throw error;
  }
}

/** Anchors stand in definitions in practice; nothing deeper is searched. */
function findAnchor(root: unknown, anchor: string): unknown {
  if (!isObject(root)) return undefined;
  for (const definitions of [root.$defs, root.definitions]) {
    if (!isObject(definitions)) continue;
    for (const schema of Object.values(definitions)) {
      if (!isObject(schema)) continue;
      if (schema.$anchor === anchor || schema.$id === `#${anchor}` || schema.id === `#${anchor}`) {
        return schema;
      }
    }
  }
  return undefined;
}
