// Bounds as draft-06 and later write them. In draft-04 an exclusive bound is a boolean beside the
// bound, which later dialects and model APIs refuse. Pure.
import type { JsonObject } from "../json-rpc.ts";

/** The value of a bound keyword, if the boolean forms were never used; undefined: it goes. */
export function modernBound(schema: JsonObject, keyword: string): unknown {
  switch (keyword) {
    case "minimum":
      return schema.exclusiveMinimum === true ? undefined : schema.minimum;
    case "maximum":
      return schema.exclusiveMaximum === true ? undefined : schema.maximum;
    case "exclusiveMinimum":
      return exclusive(schema.exclusiveMinimum, schema.minimum);
    case "exclusiveMaximum":
      return exclusive(schema.exclusiveMaximum, schema.maximum);
    default:
      return schema[keyword];
  }
}

function exclusive(flag: unknown, bound: unknown): unknown {
  if (flag === true) return bound;
  return flag === false ? undefined : flag;
}
