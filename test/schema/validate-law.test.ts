import { describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { createValidator } from "../../lib/schema/validate.ts";

/** Spelled out as a member, it would look like a promise. */
const THEN = "then";

describe("createValidator()", () => {
  test("agrees with a plain Ajv on schemas without oddities", () => {
    const leaf = fc.constantFrom(
      { type: "string", minLength: 2 },
      { type: "integer", minimum: 1 },
      { enum: ["a", 1, null] },
      { const: { x: [1] } },
      { type: ["boolean", "null"] },
      { pattern: "^a+b?$" },
      {},
      true,
      false,
    );
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.constant(2) }),
        fc.record({
          properties: fc.record({ a: tie("schema"), b: tie("schema") }),
          required: fc.subarray(["a", "b"]),
          additionalProperties: fc.constantFrom(true, false),
        }),
        fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
        fc.record({ not: tie("schema") }),
        fc.record({ if: tie("schema"), [THEN]: tie("schema"), else: tie("schema") }),
        fc.record({ $ref: fc.constantFrom("#/$defs/x", "#/$defs/y") }),
      ),
    }));
    const value = fc.oneof(
      fc.constantFrom(
        "a",
        "aab",
        1,
        0,
        null,
        true,
        [],
        {},
        { x: [1] },
        { a: 1 },
        { a: "aa", b: [] },
      ),
      fc.jsonValue({ maxDepth: 2 }),
    );
    fc.assert(
      fc.property(schema, leaf, leaf, value, (a, x, y, arg) => {
        const inputSchema = { properties: { a }, $defs: { x, y } };
        const plain = new Ajv2020({
          strict: false,
          meta: false,
          validateSchema: false,
          logger: false,
          ownProperties: true,
        });
        const tool = { name: "t", inputSchema };
        expect(createValidator().check(tool, { a: arg }).length === 0).toBe(
          plain.validate(inputSchema, { a: arg }),
        );
      }),
      { numRuns: 100 },
    );
  });
});
