// A schema as its own dialect's validator reads it. Independent of the program's own validation, so
// that a mistake there cannot hide one in compression.
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { walkSchemas } from "../../lib/schema/walk.ts";

/** Formats are annotations, unknown keywords are ignored, and nothing is ever fetched. */
const OPTIONS = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
  unicodeRegExp: true,
} as const;

/** Undefined when there is no end to it: a schema that refers to itself in the same place. */
export type Verdict = (value: unknown) => boolean | undefined;

export interface VerdictCompiler {
  /** Undefined when the validator of the schema's dialect refuses to compile it. */
  compile(schema: unknown): Verdict | undefined;
}

export function createVerdictCompiler(): VerdictCompiler {
  const draft07 = new Ajv(OPTIONS).addMetaSchema(draft06);
  const draft2019 = new Ajv2019(OPTIONS);
  const draft2020 = new Ajv2020(OPTIONS);

  function validatorOf(dialect: string) {
    if (dialect.includes("2019-09")) return draft2019;
    return /draft-0[467]/.test(dialect) ? draft07 : draft2020;
  }

  return {
    compile(schema) {
      if (!isObject(schema)) return undefined;
      const dialect = String(schema.$schema ?? "");
      const validator = validatorOf(dialect);
      const readable = dialect.includes("draft-04") ? fromDraft04(schema) : schema;
      let validate: ValidateFunction;
      try {
        validate = validator.compile(readable);
      } catch {
        // Whatever the reason, there is no verdict to compare.
        return undefined;
      } finally {
        validator.removeSchema(readable);
      }
      return (value) => judge(validate, value);
    },
  };
}

function judge(validate: ValidateFunction, value: unknown): boolean | undefined {
  try {
    return validate(value) === true;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The few forms in which draft-04 differs from draft-07, as draft-07 has them. */
function fromDraft04(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  walkSchemas(copy, (inner) => {
    for (const [exclusive, bound] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      if (typeof inner[exclusive] !== "boolean") continue;
      if (inner[exclusive] && Object.hasOwn(inner, bound)) {
        inner[exclusive] = inner[bound];
        delete inner[bound];
      } else {
        delete inner[exclusive];
      }
    }
    if (typeof inner.id === "string") {
      inner.$id = inner.id;
      delete inner.id;
    }
    for (const later of ["const", "contains", "propertyNames", "if", "then", "else"]) {
      delete inner[later];
    }
  });
  delete copy.$schema;
  return copy;
}
