// What has to be known about a whole schema before any part of it may go: where its references
// lead, and which definitions they keep alive. Pure, without recursion.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { isPlain } from "./plain.ts";
import { pointerSteps } from "./reference.ts";
import { childSchemas, holdingOf } from "./walk.ts";

/** Schemas nested deeper than this are not taken apart. Real ones stay below 20. */
const MAX_SCHEMA_DEPTH = 200;

export interface Survey {
  /** Every schema that takes part in validation, the root first. */
  readonly live: ReadonlySet<JsonObject>;
  /** Every keyword that stands in them. */
  readonly keywords: ReadonlySet<string>;
  /** Whether a live reference leads to or through this member; it has to stay where it is. */
  isPinned(holder: object, member: string): boolean;
  /** Whether a live reference leads to or through any member of this object. */
  hasPins(holder: object): boolean;
  /** The live references that lead exactly to this schema. */
  referencesTo(schema: object): References;
  /** Whether a live reference leads to this schema as a member of `$defs` or `definitions`. */
  isDefinition(schema: JsonObject): boolean;
  /** What the `$ref` of a live schema leads to, if that is a schema inside this one. */
  targetOf(schema: JsonObject): JsonObject | undefined;
  /** Live schemas with a `$ref` that leads nowhere: not into this schema, not to a meta-schema. */
  readonly dangling: ReadonlySet<JsonObject>;
  /** Every live reference is a pointer into this schema, so what nothing points at is unused. */
  readonly isSelfContained: boolean;
}

export interface References {
  /** How many there are in all. */
  readonly count: number;
  /** The schemas that hold them as `$ref`. */
  readonly sites: readonly JsonObject[];
}

const REFERENCES: readonly string[] = ["$ref", "$dynamicRef", "$recursiveRef"];
const DEFINITIONS: readonly string[] = ["$defs", "definitions"];
/** Keywords whose value is data: what looks like a reference in it is none. */
const DATA_KEYWORDS: readonly string[] = [
  "const",
  "enum",
  "default",
  "examples",
  "example",
  "type",
  "required",
  "dependentRequired",
];
/** The standard meta-schemas are known to validators without a network. */
const META_SCHEMA = /^https?:\/\/json-schema\.org\//;

const NO_REFERENCES: References = { count: 0, sites: [] };

interface Findings {
  readonly root: JsonObject;
  readonly live: Set<JsonObject>;
  readonly keywords: Set<string>;
  readonly pins: Map<object, Set<string>>;
  readonly references: Map<object, { count: number; readonly sites: JsonObject[] }>;
  readonly targets: Map<JsonObject, JsonObject>;
  readonly definitions: Set<JsonObject>;
  readonly dangling: Set<JsonObject>;
  readonly pending: { readonly schema: JsonObject; readonly depth: number }[];
  readonly unusedDefinitions: { readonly schema: JsonObject; readonly depth: number }[];
  isSelfContained: boolean;
  hasEmbeddedBase: boolean;
  isTooDeep: boolean;
}

/** What is known of a schema in which no reference and no base URI stands. */
const WITHOUT_REFERENCES: Survey = {
  live: new Set(),
  keywords: new Set(),
  dangling: new Set(),
  isSelfContained: true,
  isPinned: () => false,
  hasPins: () => false,
  referencesTo: () => NO_REFERENCES,
  isDefinition: () => false,
  targetOf: () => undefined,
};

/** A few words on why, when nothing in the schema can be told for sure. */
export function surveySchema(root: JsonObject): Survey | string {
  // Most schemas are plain, and a glance at them is much cheaper than the survey.
  return isPlain(root) ? WITHOUT_REFERENCES : surveyClosely(root);
}

function surveyClosely(root: JsonObject): Survey | string {
  const findings: Findings = {
    root,
    live: new Set(),
    keywords: new Set(),
    pins: new Map(),
    references: new Map(),
    targets: new Map(),
    definitions: new Set(),
    dangling: new Set(),
    pending: [{ schema: root, depth: 0 }],
    unusedDefinitions: [],
    isSelfContained: true,
    hasEmbeddedBase: false,
    isTooDeep: false,
  };
  visitPending(findings);
  if (!findings.isSelfContained) {
    // Something may be meant by name: every definition counts as used.
    findings.pending.push(...findings.unusedDefinitions);
    visitPending(findings);
  }
  const hasReferences = REFERENCES.some((keyword) => findings.keywords.has(keyword));
  if (findings.isTooDeep) return `is nested more than ${MAX_SCHEMA_DEPTH} deep`;
  // A pointer may be meant from another place than the root.
  if (findings.hasEmbeddedBase && (hasReferences || findings.pins.size > 0)) {
    return "has references below an $id of their own";
  }
  return {
    live: findings.live,
    keywords: findings.keywords,
    dangling: findings.dangling,
    isSelfContained: findings.isSelfContained,
    isPinned: (holder, member) => findings.pins.get(holder)?.has(member) ?? false,
    hasPins: (holder) => findings.pins.has(holder),
    referencesTo: (schema) => findings.references.get(schema) ?? NO_REFERENCES,
    isDefinition: (schema) => findings.definitions.has(schema),
    targetOf: (schema) => findings.targets.get(schema),
  };
}

function visitPending(findings: Findings): void {
  for (let next = findings.pending.pop(); next !== undefined; next = findings.pending.pop()) {
    if (findings.live.has(next.schema)) continue;
    if (next.depth > MAX_SCHEMA_DEPTH) {
      findings.isTooDeep = true;
      return;
    }
    findings.live.add(next.schema);
    visitSchema(findings, next.schema, next.depth);
  }
}

function visitSchema(findings: Findings, schema: JsonObject, depth: number): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    findings.keywords.add(keyword);
    if (typeof value === "string") {
      if (REFERENCES.includes(keyword)) followReference(findings, schema, keyword);
      else if ((keyword === "$id" || keyword === "id") && schema !== findings.root) {
        findings.hasEmbeddedBase = true;
      }
    } else if (
      isNested(value) &&
      holdingOf(keyword) === undefined &&
      !DATA_KEYWORDS.includes(keyword)
    ) {
      scanUnknown(findings, value);
    }
  }
  for (const child of childSchemas(schema)) {
    const target = DEFINITIONS.includes(child.keyword)
      ? findings.unusedDefinitions
      : findings.pending;
    target.push({ schema: child.schema, depth: depth + 1 });
  }
}

function followReference(findings: Findings, schema: JsonObject, keyword: string): void {
  const { root } = findings;
  const reference = String(schema[keyword]);
  const hash = reference.indexOf("#");
  const base = hash === -1 ? reference : reference.slice(0, hash);
  const isLocal = base === "" || base === root.$id || base === root.id;
  const pointer = hash === -1 ? "" : reference.slice(hash + 1);
  if (!isLocal || (pointer !== "" && !pointer.startsWith("/"))) {
    findings.isSelfContained = false;
    if (!isLocal && !META_SCHEMA.test(reference)) findings.dangling.add(schema);
    return;
  }
  const target = pinPath(findings, pointerSteps(pointer));
  if (target === undefined) findings.dangling.add(schema);
  if (!isObject(target) || keyword !== "$ref") return;
  findings.references.get(target)?.sites.push(schema);
  findings.targets.set(schema, target);
}

/** Pins every step of a pointer, and gives what it leads to. */
function pinPath(findings: Findings, steps: readonly string[]): unknown {
  let at: unknown = findings.root;
  let isDefinition = false;
  let isNextDefinition = false;
  for (const [index, step] of steps.entries()) {
    if (!isNested(at) || !Object.hasOwn(at, step)) return undefined;
    const members = findings.pins.get(at);
    if (members === undefined) findings.pins.set(at, new Set([step]));
    else members.add(step);
    at = at[step];
    isDefinition = isNextDefinition;
    // A definition that is only passed through stays whole, with whatever it refers to.
    if (isDefinition && isObject(at)) findings.pending.push({ schema: at, depth: index + 1 });
    isNextDefinition = DEFINITIONS.includes(step);
  }
  if (isObject(at)) {
    if (isDefinition) findings.definitions.add(at);
    const references = findings.references.get(at);
    if (references === undefined) findings.references.set(at, { count: 1, sites: [] });
    else references.count++;
    findings.pending.push({ schema: at, depth: steps.length });
  }
  return at;
}

/** References inside the value of a keyword that nobody knows: they keep alive what they lead to. */
function scanUnknown(findings: Findings, value: Nested): void {
  const pending: Nested[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const member of Object.keys(next)) {
      const inner = next[member];
      if (isNested(inner)) pending.push(inner);
      else if (REFERENCES.includes(member) && typeof inner === "string") {
        if (inner.startsWith("#/")) pinPath(findings, pointerSteps(inner.slice(1)));
        else if (inner !== "#") findings.isSelfContained = false;
      }
    }
  }
}

/** An object or array, read by member name. */
type Nested = { readonly [member: string]: unknown };

function isNested(value: unknown): value is Nested {
  return typeof value === "object" && value !== null;
}
