// Keywords whose value is of a shape that no dialect gives it, such as `enum: null`. A validator does
// not compile them, so they decide nothing, and model APIs refuse a request for them. Pure.
import { isObject } from "../json-rpc.ts";
import { isNames, isTypeName } from "./dialect.ts";
import { holdingOf } from "./walk.ts";

type Shape = "type" | "enum" | "names" | "number" | "count" | "text" | "flag" | "object";

const SHAPES: Readonly<Record<string, Shape | undefined>> = {
  // @ts-expect-error: no prototype, so that a keyword called `constructor` finds nothing
  __proto__: null,
  type: "type",
  enum: "enum",
  required: "names",
  dependentRequired: "object",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minLength: "count",
  maxLength: "count",
  minItems: "count",
  maxItems: "count",
  minProperties: "count",
  maxProperties: "count",
  minContains: "count",
  maxContains: "count",
  uniqueItems: "flag",
  pattern: "text",
  format: "text",
  $ref: "text",
};

/** Whether the keyword cannot have this value. Unknown keywords may have any. */
export function isMalformed(keyword: string, value: unknown): boolean {
  const shape = SHAPES[keyword];
  if (shape !== undefined) return !hasShape(shape, value);
  switch (holdingOf(keyword)) {
    case "schema":
      return !isSchema(value);
    case "list":
      return !Array.isArray(value) || value.length === 0 || !value.every(isSchema);
    case "schema-or-list":
      return Array.isArray(value) ? !value.every(isSchema) : !isSchema(value);
    case "map":
      return !isObject(value);
    default:
      return false;
  }
}

/** Whether the value can stand where a schema stands. */
export function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === "boolean";
}

function hasShape(shape: Shape, value: unknown): boolean {
  switch (shape) {
    case "type":
      return Array.isArray(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value);
    case "enum":
      return Array.isArray(value) && value.length > 0;
    case "names":
      return isNames(value);
    case "number":
      return typeof value === "number";
    case "count":
      return Number.isInteger(value) && Number(value) >= 0;
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "object":
      return isObject(value);
  }
}
