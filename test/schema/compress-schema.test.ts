import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { boundariesOf, mutantsOf } from "../../bench/support/mutants.ts";
import { createRandom } from "../../bench/support/random.ts";
import { sampleValue } from "../../bench/support/samples.ts";
import { createVerdictCompiler } from "../../bench/support/validator.ts";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { compressDocument, compressSchema } from "../../lib/schema/compress-schema.ts";
import { followReferences, resolveReference } from "../../lib/schema/reference.ts";
import { walkSchemas } from "../../lib/schema/walk.ts";
import { inputSchemas } from "../support/schemas.ts";

/** `[what, original, compressed]` */
const CASES: readonly (readonly [string, unknown, unknown])[] = [
  ["a boolean", true, true],
  ["what is no schema", "text", "text"],
  [
    "annotations in every place where a schema stands",
    {
      title: "T",
      $comment: "c",
      default: {},
      examples: [{}],
      properties: { a: { title: "T", type: "string" } },
      patternProperties: { "^b": { default: 1 } },
      additionalProperties: { type: "string", examples: ["a"] },
      items: { title: "T" },
      prefixItems: [{ title: "T", type: "null" }, false],
      anyOf: [{ title: "T" }],
      oneOf: [{ title: "T" }],
      allOf: [{ title: "T" }],
      not: { title: "T", type: "null" },
      if: { title: "T", type: "null" },
      // biome-ignore lint/suspicious/noThenProperty: the keyword's name
      then: { title: "T" },
      else: { title: "T" },
      contains: { title: "T" },
      propertyNames: { title: "T", maxLength: 3 },
      dependentSchemas: { a: { title: "T" } },
      dependencies: { a: { title: "T" }, title: ["default"] },
      unevaluatedItems: { title: "T" },
      contentSchema: { title: "T" },
      additionalItems: { title: "T" },
    },
    {
      properties: { a: { type: "string" } },
      patternProperties: { "^b": {} },
      additionalProperties: { type: "string" },
      items: {},
      prefixItems: [{ type: "null" }, false],
      anyOf: [{}],
      oneOf: [{}],
      allOf: [{}],
      not: { type: "null" },
      if: { type: "null" },
      // biome-ignore lint/suspicious/noThenProperty: the keyword's name
      then: {},
      else: {},
      contains: {},
      propertyNames: { maxLength: 3 },
      dependentSchemas: { a: {} },
      dependencies: { a: {}, title: ["default"] },
      unevaluatedItems: {},
      contentSchema: {},
      additionalItems: {},
    },
  ],
  [
    "properties called like keywords, and data that looks like a schema",
    {
      properties: {
        default: { type: "string", default: "a" },
        title: { type: "string" },
        examples: { enum: [{ title: "T", default: 1 }] },
        $comment: { const: { description: "Long. Text." } },
        description: { type: "object", properties: { title: true }, required: ["title"] },
      },
      required: ["default", "title"],
    },
    {
      properties: {
        default: { type: "string" },
        title: { type: "string" },
        examples: { enum: [{ title: "T", default: 1 }] },
        $comment: { const: { description: "Long. Text." } },
        description: { type: "object", properties: { title: true }, required: ["title"] },
      },
      required: ["default", "title"],
    },
  ],
  [
    "descriptions: first sentence, invisible characters, empty, not a text",
    {
      description: "One.\u200b Two.",
      properties: { a: { description: "" }, b: { description: " \n" }, c: { description: 5 } },
    },
    { description: "One.", properties: { a: {}, b: {}, c: {} } },
  ],
  [
    "descriptions that repeat the property's name or what was said around them",
    {
      properties: {
        fileId: { type: "string", description: "File ID" },
        tags: {
          type: "array",
          description: "Tags to set.",
          items: { type: "string", description: "Tags to set" },
        },
        title: { type: "string", description: "Title. Shown on top." },
      },
    },
    {
      properties: {
        fileId: { type: "string" },
        tags: { type: "array", description: "Tags to set.", items: { type: "string" } },
        title: { type: "string", description: "Title." },
      },
    },
  ],
  [
    "statements without effect",
    {
      required: [],
      properties: {
        a: { required: [], additionalProperties: {}, propertyNames: { type: "string" } },
      },
      additionalProperties: true,
    },
    { properties: { a: {} } },
  ],
  [
    "additionalProperties: true where it matters what was looked at",
    {
      allOf: [{ additionalProperties: true }],
      properties: { a: { additionalProperties: {} } },
      unevaluatedProperties: false,
    },
    {
      allOf: [{ additionalProperties: true }],
      properties: { a: { additionalProperties: {} } },
      unevaluatedProperties: false,
    },
  ],
  [
    "vendor keywords",
    {
      "x-mcp-header": "A",
      properties: {
        a: { "x-widget": "spin", "x-ui": { order: 1 }, "x-list": [1], "x-mcp-header": "B" },
      },
    },
    {
      "x-mcp-header": "A",
      properties: { a: { "x-widget": "spin", "x-mcp-header": "B" } },
    },
  ],
  [
    "unused definitions, also those that only use each other",
    {
      properties: { a: { $ref: "#/$defs/Used" }, b: { $ref: "#/$defs/Used" } },
      $defs: {
        Used: { type: "object", properties: { next: { $ref: "#/$defs/Next" } } },
        Next: { type: "object", properties: { used: { $ref: "#/$defs/Used" } } },
        A: { items: { $ref: "#/$defs/B" } },
        B: { items: { $ref: "#/$defs/A" } },
      },
      definitions: { C: {} },
    },
    {
      properties: { a: { $ref: "#/$defs/Used" }, b: { $ref: "#/$defs/Used" } },
      $defs: {
        Used: {
          type: "object",
          properties: { next: { type: "object", properties: { used: { $ref: "#/$defs/Used" } } } },
        },
      },
    },
  ],
  [
    "definitions reached by a pointer through them, encoded, or from a keyword nobody knows",
    {
      properties: { a: { $ref: "#/$defs/A/properties/b" }, c: { $ref: "#/definitions/c~1d%25" } },
      $defs: {
        A: { properties: { b: { $ref: "#/$defs/B" } } },
        B: { items: {} },
        E: { type: "null" },
      },
      definitions: {
        "c/d%": { type: "object", properties: { c: { $ref: "#/definitions/c~1d%25" } } },
      },
      components: { e: { $ref: "#/$defs/E" } },
    },
    {
      properties: { a: { $ref: "#/$defs/A/properties/b" }, c: { $ref: "#/definitions/c~1d%25" } },
      $defs: { A: { properties: { b: { items: {} } } }, E: { type: "null" } },
      definitions: {
        "c/d%": { type: "object", properties: { c: { $ref: "#/definitions/c~1d%25" } } },
      },
      components: { e: { $ref: "#/$defs/E" } },
    },
  ],
  [
    "every definition, when one may be meant by an anchor",
    { properties: { a: { $ref: "#here" } }, $defs: { A: { $anchor: "here" }, B: { title: "T" } } },
    { properties: { a: { $ref: "#here" } }, $defs: { A: { $anchor: "here" }, B: {} } },
  ],
  [
    "annotations that a reference leads to",
    {
      properties: {
        a: { default: { type: "string", minLength: 1, maxLength: 20, title: "T" }, title: "T" },
        b: { $ref: "#/properties/a/default", default: "x" },
        c: { anyOf: [{ $ref: "#/x-shared/One" }, { $ref: "#/additionalProperties" }] },
      },
      additionalProperties: { type: "object", properties: { d: { type: "string", title: "T" } } },
      "x-shared": { One: { type: "object", properties: { e: { type: "string" } } } },
    },
    {
      properties: {
        a: { default: { type: "string", minLength: 1, maxLength: 20, title: "T" } },
        b: { $ref: "#/properties/a/default" },
        c: { anyOf: [{ $ref: "#/x-shared/One" }, { $ref: "#/additionalProperties" }] },
      },
      additionalProperties: { type: "object", properties: { d: { type: "string" } } },
      "x-shared": { One: { type: "object", properties: { e: { type: "string" } } } },
    },
  ],
  [
    "references that are longer than what they lead to",
    {
      properties: {
        "first-day": { type: "string", format: "date", description: "First day." },
        end: { $ref: "#/properties/first-day", description: "Last day." },
      },
    },
    {
      properties: {
        "first-day": { type: "string", format: "date", description: "First day." },
        end: { description: "Last day.", type: "string", format: "date" },
      },
    },
  ],
  [
    "a reference with something beside it that counts",
    {
      properties: { a: { $ref: "#/$defs/A", minLength: 2 } },
      $defs: { A: { type: "string", title: "T" } },
    },
    { properties: { a: { $ref: "#/$defs/A", minLength: 2 } }, $defs: { A: { type: "string" } } },
  ],
  [
    "exclusive bounds of draft-04",
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      properties: {
        a: { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      },
    },
    { properties: { a: { exclusiveMinimum: 0, maximum: 9 } } },
  ],
  [
    "texts of unknown keywords, but no constants",
    { properties: { a: { note: "a\u200bb", const: "a\u200bb", pattern: "a\u200bb" } } },
    { properties: { a: { note: "ab", const: "a\u200bb", pattern: "a\u200bb" } } },
  ],
];

/** `[dialect, a schema, whether the dialect has to stay]` */
const DIALECT_CASES: readonly (readonly [string, JsonObject, boolean])[] = [
  ["https://json-schema.org/draft/2020-12/schema", { prefixItems: [{}] }, false],
  ["http://json-schema.org/draft-07/schema#", { properties: { a: { const: 1 } } }, false],
  ["http://json-schema.org/draft-07/schema", { if: {}, contains: {} }, false],
  ["http://json-schema.org/draft-07/schema#", { properties: { a: { items: [{}] } } }, true],
  ["http://json-schema.org/draft-07/schema#", { dependencies: { a: ["b"] } }, true],
  ["http://json-schema.org/draft-07/schema#", { unevaluatedProperties: false }, true],
  [
    "http://json-schema.org/draft-07/schema#",
    { properties: { a: { $ref: "#", minLength: 1 } } },
    true,
  ],
  ["http://json-schema.org/draft-07/schema#", { properties: { items: { type: "null" } } }, false],
  ["http://json-schema.org/draft-06/schema#", { if: {} }, true],
  ["http://json-schema.org/draft-06/schema#", { contains: {} }, false],
  ["http://json-schema.org/draft-04/schema#", { const: 1 }, true],
  ["http://json-schema.org/draft-04/schema#", { minLength: 1 }, false],
  ["https://json-schema.org/draft/2019-09/schema", { unevaluatedProperties: false }, false],
  ["https://json-schema.org/draft/2019-09/schema", { items: [{}] }, true],
  ["https://json-schema.org/draft/2019-09/schema", { $recursiveRef: "#" }, true],
  ["https://example.com/my-dialect", {}, true],
];

describe("compressSchema()", () => {
  test.each(CASES)("%s", (_what, original, compressed) => {
    const before = structuredClone(original);
    expect(JSON.stringify(compressSchema(original))).toBe(JSON.stringify(compressed));
    expect(original).toEqual(before);
  });

  test.each(DIALECT_CASES)("$schema %s with %j stays: %p", ($schema, schema, stays) => {
    expect(Object.hasOwn(compressSchema({ $schema, ...schema }) as object, "$schema")).toBe(stays);
  });

  test("accepts exactly what the original accepts, for generated schemas and values", () => {
    const compiler = createVerdictCompiler();
    const verdicts = { compared: 0, accepted: 0 };
    fc.assert(
      fc.property(inputSchemas, fc.nat(), (schema, seed) => {
        const before = compiler.compile(schema);
        if (before === undefined || hasEndlessReference(schema)) return;
        const after = compiler.compile(compressSchema(schema));
        for (const value of valuesFor(schema, seed)) {
          const verdict = before(value);
          expect({ value, verdict: after?.(value) }).toEqual({ value, verdict });
          verdicts.compared++;
          if (verdict) verdicts.accepted++;
        }
      }),
      { numRuns: 250, seed: 20261130 },
    );
    // Generated values that everything refuses would prove nothing.
    expect(verdicts.accepted).toBeGreaterThan(verdicts.compared / 20);
  }, 60_000);
});

/** A chain of references that comes back to itself: JSON Schema gives it no meaning. */
function hasEndlessReference(schema: JsonObject): boolean {
  let isFound = false;
  walkSchemas(schema, (inner) => {
    if (typeof inner.$ref !== "string" || resolveReference(schema, inner.$ref) === undefined)
      return;
    isFound ||= followReferences(schema, inner) === undefined;
  });
  return isFound;
}

function valuesFor(schema: JsonObject, seed: number): readonly unknown[] {
  const random = createRandom(seed);
  const boundaries = boundariesOf(schema);
  const bases = [0, 1, 2].flatMap((branch) =>
    (["all", "required", "some"] as const).map((fill) =>
      sampleValue(schema, { root: schema, random, fill, branch }),
    ),
  );
  const mutants = bases.flatMap((value) => mutantsOf(value, boundaries));
  const chosen = Array.from({ length: 40 }, () => mutants[random.below(mutants.length)]?.make());
  return [...bases, ...chosen];
}

describe("compressDocument()", () => {
  test("tells why it leaves a schema alone", () => {
    let deep: JsonObject = { type: "string", title: "T" };
    for (let depth = 0; depth < 10_000; depth++) deep = { items: deep };
    expect(compressDocument(deep)).toEqual({
      schema: deep,
      untouched: "is nested more than 200 deep",
      flaws: 0,
    });
    const based = {
      title: "T",
      properties: { a: { $id: "https://a.example/b", $ref: "#/$defs/C" } },
    };
    expect(compressDocument(based)).toEqual({
      schema: based,
      untouched: "has references below an $id of their own",
      flaws: 0,
    });
  });

  const flawed = {
    type: "object",
    properties: {
      a: { type: "any", enum: null },
      b: { type: "integer", required: true, minimum: "0" },
      c: { $ref: "#/$defs/missing", description: "Third." },
      d: { $ref: "http://127.0.0.1:9/schema.json" },
      e: "string",
      f: { anyOf: [] },
      g: { $ref: "http://json-schema.org/draft-07/schema#" },
    },
    required: "a",
  };

  test("leaves out what makes a schema impossible to compile", () => {
    expect(compressDocument(flawed, { dropsFlaws: true })).toEqual({
      schema: {
        type: "object",
        properties: {
          a: {},
          b: { type: "integer" },
          c: { description: "Third." },
          d: {},
          e: {},
          f: {},
          g: { $ref: "http://json-schema.org/draft-07/schema#" },
        },
      },
      untouched: undefined,
      flaws: 9,
    });
  });

  test("only counts it when not told to leave it out", () => {
    const { schema, flaws } = compressDocument(flawed);
    expect(flaws).toBe(9);
    expect(schema).toEqual(flawed);
  });
});
