// Ajv's errors as problems a model can act on. Pure. The errors of a union's branches come before
// the error of the union itself and are folded into it: a model needs to know what to write, not
// how each alternative failed.
import type { ErrorObject } from "ajv/dist/2020.js";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { nearestNames } from "../search/nearest.ts";
import { type ArgumentProblem, MISSING, UNKNOWN } from "./problems.ts";
import { pointerSteps, resolveReference } from "./reference.ts";
import { renderName, renderType, renderTypeWithin, renderValue } from "./type-text.ts";
import { childSchemas } from "./walk.ts";

/** One error, or several folded into one, and what it says. */
interface Finding {
  readonly error: ErrorObject;
  readonly problems: readonly ArgumentProblem[];
}

interface Context {
  /** The schema that was compiled; references in it lead into it. */
  readonly root: unknown;
  readonly args: JsonObject;
}

const MAX_NAMES = 8;
const MAX_TYPE_LENGTH = 100;
const MAX_BRANCH_SCHEMAS = 500;

/** `errors` come from a verbose Ajv that compiled `root`. */
export function explainErrors(
  root: unknown,
  args: JsonObject,
  errors: readonly ErrorObject[],
): readonly ArgumentProblem[] {
  const context: Context = { root, args };
  const findings: Finding[] = [];
  for (const error of errors) {
    const inner = takeInner(findings, error);
    // The errors of `then` or `else` stand by themselves.
    if (error.keyword === "if") findings.push(...inner);
    else findings.push({ error, problems: explain(context, error, inner) });
  }
  const listed = new Set(
    findings.filter(({ error }) => isList(error)).map(({ error }) => error.instancePath),
  );
  const all = findings
    // Where values are listed, their type goes without saying.
    .filter(({ error }) => error.keyword !== "type" || !listed.has(error.instancePath))
    .flatMap((finding) => finding.problems);
  return [...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()];
}

function isList(error: ErrorObject): boolean {
  return error.keyword === "enum" || error.keyword === "const";
}

/** Takes off the end of `findings` what `error` sums up. */
function takeInner(findings: Finding[], error: ErrorObject): Finding[] {
  const sums = ["anyOf", "oneOf", "contains", "propertyNames", "if", "not"];
  if (!sums.includes(error.keyword)) return [];
  let start = findings.length;
  while (start > 0) {
    const path = findings[start - 1]?.error.instancePath ?? "";
    if (path !== error.instancePath && !path.startsWith(`${error.instancePath}/`)) break;
    start -= 1;
  }
  return findings.splice(start);
}

function explain(
  context: Context,
  error: ErrorObject,
  inner: readonly Finding[],
): readonly ArgumentProblem[] {
  const { keyword, params } = error;
  const schema: JsonObject = isObject(error.parentSchema) ? error.parentSchema : {};
  const path = renderPath(context.args, error.instancePath);
  const missing: unknown = params.missingProperty;
  if (typeof missing === "string") {
    const { properties } = schema;
    const known = isObject(properties) && Object.hasOwn(properties, missing);
    const type = known ? typeOf(context.root, properties[missing]) : "any";
    const wanted = keyword === "required" ? type : `${type}, since ${params.property} is given`;
    return [{ path: join(path, missing), found: MISSING, wanted }];
  }
  const unknown: unknown = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof unknown === "string") {
    return [{ path: join(path, unknown), found: UNKNOWN, wanted: renderKnown(schema, unknown) }];
  }
  if (keyword === "anyOf" || keyword === "oneOf") return explainUnion(context, error, path, inner);
  if (keyword === "propertyNames" && typeof params.propertyName === "string") {
    const [rule] = inner.flatMap((finding) => finding.problems);
    const found = `the name ${renderValue(params.propertyName)}`;
    return [{ path, found, wanted: rule?.wanted ?? "another name" }];
  }
  const found = renderFound(keyword, error.data);
  return [{ path, found, wanted: renderWanted(context.root, keyword, schema, error) }];
}

function explainUnion(
  context: Context,
  error: ErrorObject,
  path: string,
  inner: readonly Finding[],
): readonly ArgumentProblem[] {
  const schema: JsonObject = isObject(error.parentSchema) ? error.parentSchema : {};
  const branches: unknown[] = Array.isArray(schema[error.keyword])
    ? (schema[error.keyword] as unknown[])
    : [];
  const type = typeOf(context.root, { [error.keyword]: branches });
  const found = renderValue(error.data);
  if (Array.isArray(error.params.passingSchemas)) {
    return [{ path, found, wanted: "what fits one form only" }];
  }
  const byBranch = sortByBranch(context.root, branches, inner);
  const plausible = byBranch.filter(
    (findings) => findings.length > 0 && !findings.some((one) => rulesOut(one.error, error)),
  );
  const [only, ...others] = plausible;
  if (only !== undefined && others.length === 0) return only.flatMap(({ problems }) => problems);
  const missing = byBranch.map((findings) =>
    findings.map(({ error: one }) => one.params.missingProperty),
  );
  if (missing.every((names) => names.length === 1 && typeof names[0] === "string")) {
    const names = [...new Set(missing.flat())].map((name) => renderName(String(name)));
    return [{ path, found: MISSING, wanted: names.join(" or ") }];
  }
  const tags = plausible.length === 0 ? explainTag(byBranch) : undefined;
  if (tags !== undefined) return [tags];
  return [{ path, found, wanted: type === "any" ? "another form" : type }];
}

/** The branch cannot be meant: the value is of another type, or has another tag. */
function rulesOut(error: ErrorObject, union: ErrorObject): boolean {
  const isTag = isList(error);
  if (error.instancePath === union.instancePath) return isTag || error.keyword === "type";
  const below = error.instancePath.slice(union.instancePath.length + 1);
  return isTag && !below.includes("/");
}

/** All branches are told apart by one member, and its value is none of theirs. */
function explainTag(byBranch: readonly (readonly Finding[])[]): ArgumentProblem | undefined {
  const tags = byBranch.map((findings) => findings.find(({ error }) => isList(error)));
  const problems = tags.flatMap((finding) => finding?.problems ?? []);
  const [first] = problems;
  if (first === undefined || problems.length !== byBranch.length) return undefined;
  if (problems.some((problem) => problem.path !== first.path)) return undefined;
  const wanted = [...new Set(problems.map((problem) => problem.wanted))].join(" | ");
  return { ...first, wanted };
}

/** Which of the findings each branch caused. */
function sortByBranch(
  root: unknown,
  branches: readonly unknown[],
  findings: readonly Finding[],
): readonly (readonly Finding[])[] {
  const left = new Set(findings);
  return branches.map((branch) => {
    const schemas = schemasOf(root, branch);
    const own = [...left].filter(({ error }) => schemas.has(error.parentSchema));
    for (const finding of own) left.delete(finding);
    return own;
  });
}

/** The schema and all inside it or referred to. */
function schemasOf(root: unknown, schema: unknown): Set<unknown> {
  const schemas = new Set<unknown>();
  const pending = [schema];
  while (pending.length > 0 && schemas.size < MAX_BRANCH_SCHEMAS) {
    const next = pending.shift();
    if (!isObject(next) || schemas.has(next)) continue;
    schemas.add(next);
    if (typeof next.$ref === "string") pending.push(resolveReference(root, next.$ref));
    for (const child of childSchemas(next)) pending.push(child.schema);
  }
  return schemas;
}

function typeOf(root: unknown, schema: unknown): string {
  return renderTypeWithin(root, schema, MAX_TYPE_LENGTH);
}

function renderFound(keyword: string, value: unknown): string {
  const shown = renderValue(value);
  if (/Length$/.test(keyword)) return `${shown} (${[...String(value)].length} characters)`;
  if (/Items$/.test(keyword) && Array.isArray(value)) return `${value.length} items`;
  if (/Properties$/.test(keyword) && isObject(value)) return `${Object.keys(value).length} members`;
  return shown;
}

const LIMITS: { readonly [keyword: string]: readonly [before: string, after: string] } = {
  minimum: ["at least ", ""],
  maximum: ["at most ", ""],
  exclusiveMinimum: ["more than ", ""],
  exclusiveMaximum: ["less than ", ""],
  multipleOf: ["a multiple of ", ""],
  minLength: ["at least ", " characters"],
  maxLength: ["at most ", " characters"],
  minItems: ["at least ", " items"],
  maxItems: ["at most ", " items"],
  minProperties: ["at least ", " members"],
  maxProperties: ["at most ", " members"],
};

function renderWanted(
  root: unknown,
  keyword: string,
  schema: JsonObject,
  error: ErrorObject,
): string {
  const limit = LIMITS[keyword];
  if (limit !== undefined) return `${limit[0]}${String(schema[keyword])}${limit[1]}`;
  switch (keyword) {
    case "enum":
      return renderChoices(Array.isArray(schema.enum) ? schema.enum : [], error.data);
    case "const":
      return renderValue(schema.const);
    case "pattern":
      return `text matching /${String(schema.pattern)}/`;
    case "uniqueItems":
      return "no repeated items";
    case "items":
    case "unevaluatedItems":
      return `at most ${String(error.params.limit ?? error.params.len)} items`;
    case "contains":
      return `an item that is ${typeOf(root, schema.contains)}`;
    case "not":
      return `anything but ${typeOf(root, schema.not)}`;
    case "false schema":
      return "nothing";
    default:
      return typeOf(root, schema);
  }
}

/** Of a long list the values most like the one found. */
function renderChoices(values: readonly unknown[], found: unknown): string {
  if (values.length <= MAX_NAMES) return renderType({}, { enum: values }, { values: MAX_NAMES });
  const texts = values.filter((value) => typeof value === "string");
  const near = typeof found === "string" ? nearestNames(found, texts, 3) : [];
  const shown = near.length > 0 ? near : values.slice(0, MAX_NAMES);
  return `one of ${values.length} values such as ${shown.map((value) => renderValue(value)).join(", ")}`;
}

function renderKnown(schema: JsonObject, unknown: string): string {
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  if (names.length === 0) return "no such argument";
  const near = nearestNames(unknown, names, 1);
  if (near.length > 0) return near.map(renderName).join(", ");
  const shown = names.slice(0, MAX_NAMES).map(renderName);
  return `one of ${shown.join(", ")}${names.length > MAX_NAMES ? ", …" : ""}`;
}

/** `/filter/items/2` as `filter.items[2]`. */
function renderPath(args: JsonObject, pointer: string): string {
  let path = "";
  let at: unknown = args;
  for (const step of pointerSteps(pointer)) {
    path = Array.isArray(at) ? `${path}[${step}]` : join(path, step);
    at = typeof at === "object" && at !== null ? (at as JsonObject)[step] : undefined;
  }
  return path;
}

function join(path: string, name: string): string {
  return path === "" ? renderName(name) : `${path}.${renderName(name)}`;
}
