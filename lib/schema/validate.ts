// Checks arguments against a tool's original input schema before they are sent. Pure but for the
// compiled schemas it keeps. Values are never coerced, defaults never put in, nothing is fetched.
// What cannot be checked (no usable schema, or too many steps) has no problems: the upstream judges.
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { canonicalJson } from "../canonical-json.ts";
import type { Tool } from "../catalog/catalog.ts";
import type { JsonObject } from "../json-rpc.ts";
import { explainErrors } from "./explain.ts";
import { compilePattern } from "./pattern.ts";
import type { ArgumentProblem } from "./problems.ts";
import { STEP_KEYWORD, translateSchema } from "./translate.ts";

export { type ArgumentProblem, renderProblems } from "./problems.ts";

export interface Validator {
  /** Compiles the tool's schema at its first check. No problems means: send it. */
  check(tool: Tool, args: JsonObject): readonly ArgumentProblem[];
}

interface Check {
  /** Stops at the first error. */
  readonly isValid: ValidateFunction;
  /** Finds all errors; compiled when first needed. */
  explain?: ValidateFunction | undefined;
  readonly schema: JsonObject | boolean;
}

/** About a tenth of a second. */
const MAX_STEPS = 2_000_000;
/** Larger arguments get their first error only: there could be one for every value in them. */
const MAX_EXPLAINED_VALUES = 2000;

/** A check takes more steps than any honest schema. */
class Exhausted extends Error {}

export function createValidator(): Validator {
  const checks = new WeakMap<Tool, Check | "unusable">();
  let stepsLeft = 0;
  const spend = (steps: number): void => {
    stepsLeft -= steps;
    if (stepsLeft < 0) throw new Exhausted();
  };
  const quick = createAjv({ allErrors: false, verbose: true }, spend);
  let thorough: Ajv2020 | undefined;

  function requireCheck(tool: Tool): Check | "unusable" {
    let check = checks.get(tool);
    if (check !== undefined) return check;
    const schema = translateSchema(tool.inputSchema);
    const isValid = schema === undefined ? undefined : compile(quick, schema);
    check = schema === undefined || isValid === undefined ? "unusable" : { isValid, schema };
    checks.set(tool, check);
    return check;
  }

  function errorsOf(check: Check, args: JsonObject): readonly ErrorObject[] {
    stepsLeft = MAX_STEPS;
    if (check.isValid(args)) return [];
    const first = check.isValid.errors ?? [];
    if (countValues(args, MAX_EXPLAINED_VALUES) >= MAX_EXPLAINED_VALUES) return first;
    thorough ??= createAjv({ allErrors: true, verbose: true }, spend);
    check.explain ??= compile(thorough, check.schema);
    if (check.explain === undefined) return first;
    stepsLeft = MAX_STEPS;
    return check.explain(args) ? [] : (check.explain.errors ?? first);
  }

  return {
    check(tool, args) {
      const check = requireCheck(tool);
      if (check === "unusable") return [];
      try {
        return explainErrors(check.schema, args, errorsOf(check, args));
      } catch (error) {
        // Too costly, or arguments or references nested deeper than the stack.
        if (error instanceof Exhausted || error instanceof RangeError) return [];
        throw error;
      }
    },
  };
}

function createAjv(options: Options, spend: (steps: number) => void): Ajv2020 {
  const regExp = Object.assign((source: string) => toExpression(source, spend), { code: "" });
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    strictNumbers: false,
    validateSchema: false,
    validateFormats: false,
    meta: false,
    addUsedSchema: false,
    inlineRefs: false,
    ownProperties: true,
    messages: false,
    logger: false,
    // 19.99 is a multiple of 0.01, whatever binary fractions say.
    multipleOfPrecision: 8,
    code: { regExp },
  });
  ajv.addKeyword({
    keyword: STEP_KEYWORD,
    schemaType: "boolean",
    errors: false,
    validate: () => {
      spend(1);
      return true;
    },
  });
  // The original compares every item with every other.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (wanted: boolean, items: readonly unknown[]) => !wanted || areUnique(items),
  });
  return ajv;
}

/** Ajv tells expressions apart by their text. */
function toExpression(source: string, spend: (steps: number) => void) {
  const pattern = compilePattern(source);
  return {
    test: (text: string) => pattern?.test(text, spend) ?? true,
    toString: () => `/${source}/`,
  };
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => canonicalJson(item))).size === items.length;
}

function compile(ajv: Ajv2020, schema: JsonObject | boolean): ValidateFunction | undefined {
  try {
    return ajv.compile(schema);
  } catch (error) {
    // Whatever stops the compiler, the arguments are not to blame: they go unchecked.
    if (error instanceof Error) return undefined;
    throw error;
  } finally {
    // Keeps the compiler from remembering every schema it has seen.
    ajv.removeSchema(schema);
  }
}

/** How many values there are in `value`, counted up to `limit`. */
function countValues(value: unknown, limit: number): number {
  const pending = [value];
  let count = 0;
  while (pending.length > 0 && count < limit) {
    const next = pending.pop();
    count += 1;
    if (typeof next !== "object" || next === null) continue;
    const inner: unknown[] = Object.values(next);
    for (const item of inner.slice(0, limit)) pending.push(item);
  }
  return count;
}
