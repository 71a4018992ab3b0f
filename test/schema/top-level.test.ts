import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRandom } from "../../bench/support/random.ts";
import { sampleValue } from "../../bench/support/samples.ts";
import { createVerdictCompiler } from "../../bench/support/validator.ts";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { compressDocument } from "../../lib/schema/compress-schema.ts";
import { repairInputSchema } from "../../lib/schema/provider-safe.ts";
import { mergeTopLevel } from "../../lib/schema/top-level.ts";
import { inputSchemas } from "../support/schemas.ts";

const STRING = { type: "string" };
const GENERAL = "Full rules: see describe.";

/** `[what, original, merged, note]` */
const CASES: readonly (readonly [string, JsonObject, JsonObject, string])[] = [
  [
    "one of two arguments is needed",
    {
      type: "object",
      properties: { id: STRING, url: STRING },
      anyOf: [{ required: ["id"] }, { required: ["url"] }],
    },
    { type: "object", properties: { id: STRING, url: STRING } },
    "Needs id or url.",
  ],
  [
    "exactly one of two sets is needed",
    {
      type: "object",
      properties: { id: STRING, a: STRING, b: STRING },
      required: ["id"],
      oneOf: [{ required: ["a", "b"] }, { required: ["id"] }],
    },
    { type: "object", properties: { id: STRING, a: STRING, b: STRING }, required: ["id"] },
    "Needs exactly one of a and b, id.",
  ],
  [
    "a union of forms told apart by a constant",
    {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "a", title: "A" }, x: STRING },
          required: ["kind", "x"],
        },
        {
          type: "object",
          properties: { kind: { enum: ["b"] }, x: { type: "null" } },
          required: ["kind"],
        },
        { type: "string" },
      ],
      description: "Both.",
    },
    {
      description: "Both.",
      properties: {
        kind: { title: "A", enum: ["a", "b"] },
        x: { anyOf: [STRING, { type: "null" }] },
      },
      required: ["kind"],
    },
    GENERAL,
  ],
  [
    "an intersection, of references too",
    {
      type: "object",
      allOf: [{ $ref: "#/$defs/Page" }, { properties: { a: STRING }, required: ["a"] }],
      properties: { page: { type: "integer" } },
      $defs: { Page: { properties: { page: {}, size: { type: "integer" } }, required: ["size"] } },
    },
    {
      type: "object",
      properties: { page: { type: "integer" }, size: { type: "integer" }, a: STRING },
      $defs: { Page: { properties: { page: {}, size: { type: "integer" } }, required: ["size"] } },
      required: ["size", "a"],
    },
    GENERAL,
  ],
  [
    "a top that is a reference",
    {
      $schema: "s",
      $ref: "#/definitions/In",
      definitions: { In: { type: "object", properties: { a: {} } } },
    },
    {
      type: "object",
      properties: { a: {} },
      $schema: "s",
      definitions: { In: { type: "object", properties: { a: {} } } },
    },
    "",
  ],
  [
    "what an object may not be",
    { type: "object", properties: { a: STRING }, not: { required: ["a"] } },
    { type: "object", properties: { a: STRING } },
    GENERAL,
  ],
];

describe("mergeTopLevel()", () => {
  test("gives nothing for a plain top", () => {
    expect(mergeTopLevel({ type: "object", properties: { anyOf: {} } })).toBeUndefined();
  });

  test.each(CASES)("%s", (_what, original, schema, note) => {
    const merged = mergeTopLevel(original);
    expect(JSON.stringify(merged?.schema)).toBe(JSON.stringify(schema));
    expect(merged?.note).toBe(note);
  });

  test("ends for a union of itself and for one that doubles at every level", () => {
    expect(mergeTopLevel({ anyOf: [{ $ref: "#" }] })?.schema).toEqual({ properties: {} });
    let wide: JsonObject = { properties: { a: STRING } };
    for (let level = 0; level < 30; level++) wide = { anyOf: [wide, wide] };
    expect(mergeTopLevel(wide)?.keywords).toEqual(["anyOf"]);
  });

  test("accepts what is made for one branch and accepted by the original", () => {
    const compiler = createVerdictCompiler();
    // What the top requires without describing it is shown as the branches describe it.
    const bases = inputSchemas.map(({ required: _required, ...base }) => base);
    const tops = fc.tuple(
      bases,
      fc.constantFrom("anyOf", "oneOf", "allOf"),
      fc.array(inputSchemas, { minLength: 1, maxLength: 3 }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(tops, fc.nat(), ([base, union, branches], seed) => {
        const parts = branches.map(({ $schema: _schema, $defs: _defs, ...part }) => part);
        const schema: JsonObject = { ...base, [union]: parts };
        const { schema: served } = compressDocument(repairInputSchema(schema).schema, {
          dropsFlaws: true,
        });
        const after = compiler.compile(served);
        if (compiler.compile(schema) === undefined || after === undefined) return;
        for (const [branch, part] of parts.entries()) {
          const before = compiler.compile({ ...base, [union]: union === "allOf" ? parts : [part] });
          for (const value of valuesFor(schema, { branch, seed })) {
            if (!isObject(value) || before?.(value) !== true) continue;
            accepted++;
            expect({ value, verdict: after(value) }).toEqual({ value, verdict: true });
          }
        }
      }),
      { numRuns: 100, seed: 20261130 },
    );
    expect(accepted).toBeGreaterThan(20);
  }, 60_000);
});

/** Made for one branch: with all of its properties, and with those it requires. */
function valuesFor(
  schema: JsonObject,
  { branch, seed }: { readonly branch: number; readonly seed: number },
): readonly unknown[] {
  const random = createRandom(seed);
  return (["all", "required"] as const).map((fill) =>
    sampleValue(schema, { root: schema, random, fill, branch }),
  );
}
