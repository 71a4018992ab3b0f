// Schemas in the manner of real tools, with what compression has to be careful about: references into
// any place, properties called like keywords, data that looks like a schema, unions, every dialect.
import fc from "fast-check";
import type { JsonObject } from "../../lib/json-rpc.ts";

const NAMES = [
  "id",
  "mode",
  "default",
  "examples",
  "title",
  "$ref",
  "properties",
  "x-a",
  "a/b",
  "ü%",
];
const LOOKALIKE = { default: 1, description: "Long. Text.", $ref: "#/nowhere", title: "T" };

const DIALECTS: readonly (string | undefined)[] = [
  undefined,
  "http://json-schema.org/draft-04/schema#",
  "http://json-schema.org/draft-06/schema#",
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://json-schema.org/draft/2020-12/schema",
];

const annotations: fc.Arbitrary<JsonObject> = fc.record(
  {
    title: fc.constantFrom("Title", "id"),
    description: fc.constantFrom(
      "First. Second.",
      "Mode",
      "ID",
      "",
      "A \u200bb.\nMore.",
      "其一。其二。",
    ),
    default: fc.constantFrom<unknown>(null, "text", LOOKALIKE),
    examples: fc.constant([LOOKALIKE]),
    $comment: fc.constant("internal"),
    "x-order": fc.constantFrom<unknown>(1, [1], { $ref: "#" }),
    deprecated: fc.boolean(),
  },
  { requiredKeys: [] },
);

const scalars: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record(
    {
      type: fc.constant("string"),
      minLength: fc.constantFrom(0, 2),
      maxLength: fc.constantFrom(3, 9),
      pattern: fc.constantFrom("^[a-z]+$", "x"),
      format: fc.constant("email"),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom<unknown>("integer", "number", ["integer", "null"]),
      minimum: fc.constantFrom(0, 3),
      exclusiveMaximum: fc.constantFrom(9, 12.5),
      multipleOf: fc.constantFrom(1, 0.5),
    },
    { requiredKeys: ["type"] },
  ),
  fc.constant({ type: "boolean" }),
  fc.constant({ enum: ["a", 2, null, LOOKALIKE] }),
  fc.constant({ const: LOOKALIKE }),
  fc.constant({ type: "string", enum: ["title", "default"] }),
);

const references = fc
  .constantFrom(
    "#",
    "#/$defs/One",
    "#/$defs/Two",
    "#/definitions/Three",
    "#/$defs/Two/properties/default",
    "#/properties/default",
    "#/properties/id/default",
    "#/properties/id/title",
    "#/properties/a~1b",
    "#/properties/%C3%BC%25",
    "#/properties/mode/additionalProperties",
    "#/properties/x-a/anyOf/0",
    "#/x-order",
  )
  .chain(($ref) =>
    fc.constantFrom<JsonObject>({ $ref }, { $ref }, { $ref, minLength: 2, minProperties: 1 }),
  );

const nested = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc
    .tuple(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 4, arbitrary: scalars },
        { weight: 2, arbitrary: references },
        { weight: 3, arbitrary: tie("object") },
        {
          weight: 1,
          arbitrary: fc.record(
            {
              type: fc.constant("array"),
              items: fc.oneof(tie("schema"), fc.constant({}), fc.boolean()),
              minItems: fc.constantFrom(0, 1),
              maxItems: fc.constant(3),
              uniqueItems: fc.boolean(),
              contains: scalars,
            },
            { requiredKeys: ["type"] },
          ),
        },
        {
          weight: 2,
          arbitrary: fc
            .tuple(
              fc.constantFrom("anyOf", "oneOf", "allOf"),
              fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
            )
            .map(([union, branches]) => ({ [union]: branches })),
        },
        { weight: 1, arbitrary: scalars.map((not) => ({ not })) },
        {
          weight: 1,
          // biome-ignore lint/suspicious/noThenProperty: the keyword's name
          arbitrary: fc.record({ if: scalars, then: tie("schema"), else: scalars }),
        },
      ),
      annotations,
    )
    .map(([schema, beside]) => ({ ...beside, ...schema })),
  object: fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie("schema"), { maxKeys: 3 }),
      required: fc.subarray(NAMES, { maxLength: 2 }),
      additionalProperties: fc.oneof(
        fc.boolean(),
        fc.constant({}),
        fc.constant({ title: "Anything" }),
        scalars,
      ),
      patternProperties: fc.dictionary(fc.constantFrom("^x-", "d"), scalars, { maxKeys: 1 }),
      propertyNames: fc.constantFrom<unknown>({ type: "string" }, true, { maxLength: 7 }),
      dependentRequired: fc.constant({ id: ["mode"] }),
      dependencies: fc.constantFrom<unknown>({ id: ["mode"] }, { mode: { required: ["id"] } }),
      unevaluatedProperties: fc.constantFrom<unknown>(false, { type: "string" }),
      minProperties: fc.constantFrom(0, 1),
    },
    { requiredKeys: ["type"] },
  ),
}));

/** A subschema of any kind. */
const anySchema: fc.Arbitrary<JsonObject> = nested.schema;

/** An input schema: an object with a plain top, definitions (used or not) and a dialect. */
export const inputSchemas: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      $schema: fc.constantFrom(...DIALECTS),
      top: nested.object,
      beside: annotations,
      properties: fc.dictionary(fc.constantFrom(...NAMES), anySchema, { maxKeys: 5 }),
      $defs: fc.record(
        { One: anySchema, Two: nested.object, Unused: anySchema },
        { requiredKeys: [] },
      ),
      definitions: fc.record({ Three: anySchema }, { requiredKeys: [] }),
    },
    { requiredKeys: ["top", "beside"] },
  )
  .map(({ top, beside, ...rest }) => {
    const schema: JsonObject = { ...beside, ...top, ...rest };
    if (schema.$schema === undefined) delete schema.$schema;
    return schema;
  });
