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

export interface Validator {
  /** Compiles the tool's schema at its first check. No problems means: send it. */
  check(tool: Tool, args: JsonObject): readonly ArgumentProblem[];
}

interface Check {
  readonly schema: JsonObject | boolean;
  /** Says yes or no. */
  readonly isValid: ValidateFunction;
  /** Tells what is wrong; compiled when first needed. */
  readonly explaining: Map<"all" | "first", ValidateFunction>;
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

  function requireCheck(tool: Tool): Check | "unusable" {
    let check = checks.get(tool);
    if (check !== undefined) return check;
    const schema = translateSchema(tool.inputSchema);
    const isValid = schema === undefined ? undefined : compile(schema, {}, spend);
    check =
      schema === undefined || isValid === undefined
        ? "unusable"
        : { schema, isValid, explaining: new Map() };
    checks.set(tool, check);
    return check;
  }

  function errorsOf(check: Check, args: JsonObject): readonly ErrorObject[] {
    stepsLeft = MAX_STEPS;
    if (check.isValid(args)) return [];
    const extent = countValues(args) < MAX_EXPLAINED_VALUES ? "all" : "first";
    const allErrors = extent === "all";
    const explain =
      check.explaining.get(extent) ??
      compile(check.schema, { allErrors, verbose: true, messages: false }, spend);
    if (explain === undefined) return [];
    check.explaining.set(extent, explain);
    stepsLeft = MAX_STEPS;
    return explain(args) ? [] : (explain.errors ?? []);
  }

  return {
    check(tool, args) {
      const check = requireCheck(tool);
      if (check === "unusable") return [];
      try {
        const errors = errorsOf(check, args);
        return errors.length === 0 ? [] : explainErrors(check.schema, args, errors);
      } catch (error) {
        // Too costly, or arguments or references nested deeper than the stack.
        if (error instanceof Exhausted || error instanceof RangeError) return [];
        throw error;
      }
    },
  };
}

/** An Ajv for one schema: nothing of it can meet another one, and all goes with the tool. */
function createAjv(options: Options, spend: (steps: number) => void): Ajv2020 {
  const regExp = Object.assign((source: string) => toExpression(source, spend), { code: "" });
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    strictNumbers: false,
    validateSchema: false,
    validateFormats: false,
    meta: false,
    inlineRefs: false,
    ownProperties: true,
    logger: false,
    // 19.99 is a multiple of 0.01, whatever binary fractions say.
    multipleOfPrecision: 8,
    // Optimizing takes longer than it saves on the few calls a schema is used for.
    code: { regExp, optimize: false },
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

function compile(
  schema: JsonObject | boolean,
  options: Options,
  spend: (steps: number) => void,
): ValidateFunction | undefined {
  try {
    return createAjv(options, spend).compile(schema);
  } catch (error) {
    // Whatever stops the compiler, the arguments are not to blame: they go unchecked.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** How many values there are in `value`, as far as it matters. */
function countValues(value: unknown): number {
  const pending = [value];
  let count = 0;
  while (pending.length > 0 && count < MAX_EXPLAINED_VALUES) {
    const next = pending.pop();
    count += 1;
    if (typeof next !== "object" || next === null) continue;
    pending.push(...Object.values(next).slice(0, MAX_EXPLAINED_VALUES));
  }
  return count;
}
