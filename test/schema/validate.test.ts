import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { createValidator } from "../../lib/schema/validate.ts";

const DRAFT_04 = "http://json-schema.org/draft-04/schema#";
const DRAFT_06 = "http://json-schema.org/draft-06/schema#";
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

/** Spelled out as a member, it would look like a promise. */
const THEN = "then";

/** Whether arguments pass the schema. */
function accepts(inputSchema: unknown, args: JsonObject): boolean {
  return createValidator().check({ name: "t", inputSchema }, args).length === 0;
}

/** A schema for the argument `a`, and whether a value passes it. */
function acceptsValue(schema: unknown, a: unknown, top: object = {}): boolean {
  return accepts({ type: "object", ...top, properties: { a: schema } }, { a });
}

describe("createValidator()", () => {
  test("names path, what was found and what is wanted", () => {
    const tool = {
      name: "create_issue",
      inputSchema: {
        type: "object",
        properties: {
          title: { type: "string", minLength: 1 },
          state: { type: "string", enum: ["open", "closed"] },
          labels: { type: "array", items: { type: "string" }, maxItems: 2 },
          count: { type: "integer", minimum: 1, multipleOf: 2 },
          code: { type: "string", pattern: "^[A-Z]+$" },
          kind: { const: "issue" },
          at: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
        },
        required: ["title", "repo"],
        additionalProperties: false,
        dependentRequired: { kind: ["state"] },
      },
    };
    const { check } = createValidator();
    expect(check(tool, { title: "a", repo: "b" })).toEqual([
      {
        path: "repo",
        found: "unknown",
        wanted: "one of title, state, labels, count, code, kind, at",
      },
    ]);
    expect(
      check(tool, {
        titel: "x",
        state: "opened",
        labels: ["a", 3, "c"],
        count: -1,
        code: "abc",
        kind: "pull",
        at: {},
      }),
    ).toEqual([
      { path: "title", found: "missing", wanted: "string" },
      { path: "repo", found: "missing", wanted: "any" },
      { path: "titel", found: "unknown", wanted: "title" },
      { path: "state", found: '"opened"', wanted: '"open" | "closed"' },
      { path: "labels", found: "3 items", wanted: "at most 2 items" },
      { path: "labels[1]", found: "3", wanted: "string" },
      { path: "count", found: "-1", wanted: "at least 1" },
      { path: "count", found: "-1", wanted: "a multiple of 2" },
      { path: "code", found: '"abc"', wanted: "text matching /^[A-Z]+$/" },
      { path: "kind", found: '"pull"', wanted: '"issue"' },
      { path: "at.x", found: "missing", wanted: "number" },
    ]);
  });

  describe("folds unions", () => {
    const tagged = {
      oneOf: ["a", "b"].map((kind) => ({
        type: "object",
        properties: { kind: { const: kind }, [kind]: { type: "string" } },
        required: ["kind", kind],
      })),
    };
    const point = { type: "object", properties: { x: { type: "number" } }, required: ["x"] };
    const table: [string, unknown, unknown, { path: string; found: string; wanted: string }[]][] = [
      [
        "into their types",
        { anyOf: [{ type: "string" }, { type: "number" }] },
        true,
        [{ path: "a", found: "true", wanted: "string | number" }],
      ],
      [
        "into the only branch that can be meant",
        { anyOf: [{ type: "null" }, point] },
        {},
        [{ path: "a.x", found: "missing", wanted: "number" }],
      ],
      [
        "by their tag",
        tagged,
        { kind: "a" },
        [{ path: "a.a", found: "missing", wanted: "string" }],
      ],
      [
        "into the tags there are",
        tagged,
        { kind: "c" },
        [{ path: "a.kind", found: '"c"', wanted: '"a" | "b"' }],
      ],
      [
        "into the members one of which is required",
        { type: "object", anyOf: [{ required: ["x"] }, { required: ["y"] }] },
        {},
        [{ path: "a", found: "missing", wanted: "x or y" }],
      ],
      [
        "inside arrays",
        { type: "array", items: { anyOf: [{ type: "integer" }, { type: "null" }] } },
        [1, "2", null],
        [{ path: "a[1]", found: '"2"', wanted: "integer | null" }],
      ],
      [
        "inside unions",
        { anyOf: [{ anyOf: [{ type: "string" }, point] }, { type: "null" }] },
        { x: "1" },
        [{ path: "a.x", found: '"1"', wanted: "number" }],
      ],
      [
        "of references",
        { anyOf: [{ $ref: "#/$defs/point" }, { type: "null" }] },
        { x: "1" },
        [{ path: "a.x", found: '"1"', wanted: "number" }],
      ],
      [
        "of which too many fit",
        { oneOf: [{ type: "integer" }, { minimum: 2 }] },
        3,
        [{ path: "a", found: "3", wanted: "what fits one form only" }],
      ],
    ];
    test.each(table)("%s", (_, schema, value, expected) => {
      const tool = { name: "t", inputSchema: { properties: { a: schema }, $defs: { point } } };
      expect(createValidator().check(tool, { a: value })).toEqual(expected);
    });
  });

  describe("reads each dialect", () => {
    const table: [string, unknown, unknown, unknown, object][] = [
      ["draft-04 bounds", { minimum: 0, exclusiveMinimum: true }, 1, 0, { $schema: DRAFT_04 }],
      ["draft-06 bounds", { exclusiveMinimum: 0 }, 1, 0, { $schema: DRAFT_06 }],
      ["draft-07 tuples", { items: [{ type: "string" }] }, ["a"], [1], { $schema: DRAFT_07 }],
      [
        "draft-07 additionalItems",
        { items: [{}], additionalItems: false },
        [1],
        [1, 2],
        { $schema: DRAFT_07 },
      ],
      [
        "draft-07 dependencies",
        { dependencies: { x: ["y"], z: { required: ["y"] } } },
        { x: 1, y: 2 },
        { z: 1 },
        { $schema: DRAFT_07 },
      ],
      [
        "draft-07 definitions",
        { $ref: "#/definitions/S" },
        "x",
        5,
        { $schema: DRAFT_07, definitions: { S: { type: "string" } } },
      ],
      ["draft-07 conditions", { if: { const: 1 }, [THEN]: false }, 2, 1, { $schema: DRAFT_07 }],
      [
        "2019-09 dependentRequired",
        { dependentRequired: { x: ["y"] } },
        {},
        { x: 1 },
        { $schema: DRAFT_2019 },
      ],
      [
        "2020-12 prefixItems",
        { prefixItems: [{ type: "string" }] },
        ["a"],
        [1],
        { $schema: DRAFT_2020 },
      ],
      ["2020-12 without $schema", { prefixItems: [{}], items: false }, [1], [1, 2], {}],
      [
        "unevaluatedProperties",
        { allOf: [{ properties: { x: {} } }], unevaluatedProperties: false },
        { x: 1 },
        { y: 1 },
        {},
      ],
      ["tuples of old in no dialect", { items: [{ type: "string" }] }, ["a"], [1], {}],
    ];
    test.each(table)("%s", (_, schema, good, bad, top) => {
      expect([acceptsValue(schema, good, top), acceptsValue(schema, bad, top)]).toEqual([
        true,
        false,
      ]);
    });

    test("and leaves out what a dialect does not know", () => {
      expect(acceptsValue({ prefixItems: [{ type: "string" }] }, [1], { $schema: DRAFT_07 })).toBe(
        true,
      );
      expect(acceptsValue({ const: 1 }, 2, { $schema: DRAFT_04 })).toBe(true);
      expect(acceptsValue({ if: {}, [THEN]: false }, 2, { $schema: DRAFT_06 })).toBe(true);
      const top = { $schema: DRAFT_07, definitions: { S: { type: "string" } } };
      expect(acceptsValue({ $ref: "#/definitions/S", maxLength: 1 }, "ab", top)).toBe(true);
      expect(
        acceptsValue({ $ref: "#/definitions/S", maxLength: 1 }, "ab", {
          ...top,
          $schema: DRAFT_2020,
        }),
      ).toBe(false);
    });
  });

  describe("does not refuse for", () => {
    const table: [string, unknown, unknown][] = [
      ["an unknown format", { type: "string", format: "color-hex" }, "x"],
      ["a known format", { type: "string", format: "email" }, "x"],
      ["an unknown keyword", { type: "integer", "x-order": 1, optional: true }, 1],
      ["an invalid pattern", { type: "string", pattern: "(?<y>\\p{L}+" }, "x"],
      ["a pattern that is valid without the u flag only", { pattern: "^\\-$" }, "-"],
      ["an enum that is none", { enum: null }, "x"],
      ["an empty enum", { enum: [] }, "x"],
      ["a type that is none", { type: "any" }, 1],
      ["required: true on a property", { type: "integer", required: true }, 1],
      ["properties that are an array", { properties: [], additionalProperties: false }, { x: 1 }],
      ["required that is a string", { required: "x" }, {}],
      ["a bound that is text", { minimum: "5" }, 1],
      ["a multiple of zero", { multipleOf: 0 }, 1],
      ["a negative length", { maxLength: -1 }, "x"],
      ["hundredths", { multipleOf: 0.01 }, 19.99],
      ["a number too large for a double", { type: "number" }, Number.POSITIVE_INFINITY],
      ["an OpenAPI nullable", { type: "string", nullable: true }, null],
      ["a reference over the network", { $ref: "http://127.0.0.1:9/schema.json" }, 1],
      ["a reference to nowhere", { $ref: "#/$defs/none" }, 1],
      ["a reference that is no text", { $ref: 5 }, 1],
      ["a circle of references", { $ref: "#/properties/a" }, 1],
      ["a null schema", null, 1],
      ["a list as schema", [], 1],
      ["not of an unknown reference", { not: { $ref: "http://x/y" } }, 1],
      ["not of a malformed schema", { not: { enum: null } }, 1],
      ["one of malformed schemas", { oneOf: [{ enum: null }, { type: "integer" }] }, 1],
      ["a condition on a malformed schema", { if: { enum: null }, [THEN]: false }, 1],
      ["not of a pattern that cannot be run", { not: { pattern: "(?<=a)b" } }, "x"],
      [
        "property patterns that cannot be run",
        { patternProperties: { "(a)\\1": { type: "string" } }, additionalProperties: false },
        { aa: "x" },
      ],
      [
        "unevaluated members of what was left out",
        { anyOf: [{ $ref: "http://x/y" }], unevaluatedProperties: false },
        { x: 1 },
      ],
      ["a boolean bound of another dialect", { minimum: 0, exclusiveMinimum: true }, 0],
      ["$async", { $async: true, type: "integer" }, 1],
    ];
    test.each(table)("%s", (_, schema, value) => {
      expect(acceptsValue(schema, value)).toBe(true);
    });

    test("what is no schema", () => {
      for (const schema of [undefined, null, true, [], "object", {}, { type: "object" }]) {
        expect(accepts(schema, { a: 1 })).toBe(true);
      }
    });
  });

  test("still checks the rest of a schema with something malformed", () => {
    const inputSchema = {
      properties: { a: { enum: null }, b: { type: "integer" }, c: { pattern: "(" } },
      required: ["b"],
    };
    expect(createValidator().check({ name: "t", inputSchema }, { a: 1, c: "x" })).toEqual([
      { path: "b", found: "missing", wanted: "integer" },
    ]);
    expect(acceptsValue({ oneOf: [{ enum: null }, { type: "integer" }] }, 1)).toBe(true);
  });

  test("keeps schemas with the same $id apart", () => {
    const { check } = createValidator();
    const toolFor = (type: string) => ({
      name: type,
      inputSchema: { $id: "https://example.com/same", properties: { a: { type } } },
    });
    const [text, number] = [toolFor("string"), toolFor("integer")];
    expect(check(text, { a: "x" })).toEqual([]);
    expect(check(number, { a: 1 })).toEqual([]);
    expect(check(number, { a: "x" })).toEqual([{ path: "a", found: '"x"', wanted: "integer" }]);
  });

  test("follows references inside embedded resources, anchors and recursion", () => {
    const inner = {
      $id: "https://example.com/inner",
      $defs: { S: { type: "string" } },
      properties: { x: { $ref: "#/$defs/S" } },
    };
    expect(acceptsValue(inner, { x: "a" }, { $defs: { S: { type: "integer" } } })).toBe(true);
    expect(acceptsValue(inner, { x: 1 }, { $defs: { S: { type: "integer" } } })).toBe(false);
    const anchored = { $defs: { S: { $anchor: "s", type: "string" } } };
    expect(acceptsValue({ $ref: "#s" }, 1, anchored)).toBe(false);
    const tree = { type: "object", properties: { kids: { items: { $ref: "#/properties/a" } } } };
    expect(acceptsValue(tree, { kids: [{ kids: [] }] })).toBe(true);
    expect(acceptsValue(tree, { kids: [{ kids: [5] }] })).toBe(false);
  });

  test("treats names of Object.prototype as ordinary names", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    expect(accepts({ properties }, {})).toBe(true);
    expect(accepts({ properties, required: ["toString"] }, {})).toBe(false);
    expect(accepts({ properties, additionalProperties: false }, { valueOf: "x" })).toBe(true);
    const text = '{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}';
    expect(accepts(JSON.parse(text), JSON.parse('{"__proto__":"x"}'))).toBe(true);
    expect(accepts(JSON.parse(text), {})).toBe(false);
    expect(Object.hasOwn(Object.prototype, "type")).toBe(false);
  });

  test("changes neither arguments nor schema", () => {
    const inputSchema = {
      properties: {
        a: { type: "integer", default: 5 },
        b: { type: "array", items: { type: "boolean", default: true } },
        c: { type: "object", properties: { d: { default: 1 } }, default: {} },
      },
    };
    const args = { a: "5", b: ["true", 1], c: {}, e: null };
    const before = JSON.stringify([inputSchema, args]);
    expect(createValidator().check({ name: "t", inputSchema }, args)).toHaveLength(3);
    expect(JSON.stringify([inputSchema, args])).toBe(before);
  });
});
