// What model APIs insist on, since one tool they refuse makes them refuse the whole request: names of
// few characters, and input schemas that are plain objects at the top. Pure; DESIGN.md section 6.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { mergeTopLevel } from "./top-level.ts";

/** The longest tool name that every model API takes. */
const NAME_LIMIT = 64;

/**
 * The name under which the host sees a tool: lower case, `[a-z0-9_-]`, at most 64 long, not in
 * `taken`. Undefined when no character of the name is left.
 */
export function exposedName(name: string, taken: ReadonlySet<string>): string | undefined {
  const safe = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "_");
  if (!/[a-z0-9]/.test(safe)) return undefined;
  const base = safe.slice(0, NAME_LIMIT);
  if (!taken.has(base)) return base;
  for (let count = 2; ; count++) {
    const suffix = `_${count}`;
    const candidate = base.slice(0, NAME_LIMIT - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

export interface RepairedInput {
  readonly schema: JsonObject;
  /** What the tool's description has to say because the schema no longer does; may be empty. */
  readonly note: string;
  /** What was repaired, each in a few words that follow "input schema". */
  readonly reasons: readonly string[];
}

/** An input schema that is an object with `type: "object"` and a plain top. */
export function repairInputSchema(schema: unknown): RepairedInput {
  if (!isObject(schema)) {
    const state = schema === undefined ? "is missing" : "is not an object";
    return emptyInput(state);
  }
  const reasons: string[] = [];
  const merged = mergeTopLevel(schema);
  if (merged !== undefined) {
    reasons.push(`has ${merged.keywords.join(", ")} at the top: served as a list of properties`);
  }
  const plain = merged?.schema ?? schema;
  const { type, ...rest } = plain;
  if (type === "object") return { schema: plain, note: merged?.note ?? "", reasons };
  const isObjectType = type === undefined || (Array.isArray(type) && type.includes("object"));
  if (!isObjectType) return emptyInput(`has type ${JSON.stringify(type)}`);
  reasons.push(
    `${type === undefined ? "has no type" : "allows other types"}: served with type "object"`,
  );
  return { schema: { type: "object", ...rest }, note: merged?.note ?? "", reasons };
}

function emptyInput(state: string): RepairedInput {
  const reason = `${state}: served as an empty object`;
  return { schema: { type: "object" }, note: "", reasons: [reason] };
}

export interface RepairedOutput {
  /** Undefined: served without output schema. */
  readonly schema: JsonObject | undefined;
  readonly reasons: readonly string[];
}

/**
 * An output schema that hosts can read: they refuse the whole list for one that is not of type
 * "object" (protocol 2025-11-25), and need none to pass results on.
 */
export function repairOutputSchema(schema: unknown): RepairedOutput {
  if (schema === undefined) return { schema: undefined, reasons: [] };
  if (!isObject(schema)) return withoutOutput("is not an object");
  if (schema.type === "object") return { schema, reasons: [] };
  if (schema.type !== undefined) return withoutOutput(`has type ${JSON.stringify(schema.type)}`);
  const reasons = ['has no type: served with type "object"'];
  return { schema: { type: "object", ...schema }, reasons };
}

function withoutOutput(state: string): RepairedOutput {
  return { schema: undefined, reasons: [`${state}: served without one`] };
}
