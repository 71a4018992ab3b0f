import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { createValidator } from "../../lib/schema/validate.ts";

function accepts(inputSchema: unknown, args: JsonObject): boolean {
  return createValidator().check({ name: "t", inputSchema }, args).length === 0;
}

function acceptsValue(schema: unknown, a: unknown, top: object = {}): boolean {
  return accepts({ type: "object", ...top, properties: { a: schema } }, { a });
}

describe("createValidator()", () => {
  describe("is bounded for", () => {
    function nest(depth: number, wrap: (inner: object) => object): object {
      let schema: object = { type: "string" };
      for (let level = 0; level < depth; level += 1) schema = wrap(schema);
      return schema;
    }

    test("schemas nested 10,000 deep", () => {
      const wraps: ((inner: object) => object)[] = [
        (inner) => ({ type: "array", items: inner }),
        (inner) => ({ properties: { a: inner } }),
        (inner) => ({ not: inner }),
        (inner) => ({ oneOf: [inner] }),
        (inner) => ({ allOf: [inner] }),
      ];
      for (const wrap of wraps) expect(acceptsValue(nest(10_000, wrap), [])).toBe(true);
    });

    test("arguments nested 100,000 deep in a recursive schema", () => {
      const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
      expect(accepts({ type: "object", properties: { a: { $ref: "#" } } }, deep)).toBe(true);
    });

    test("references that fan out", () => {
      const $defs: { [name: string]: object } = { d0: { type: "string" } };
      for (let level = 1; level < 60; level += 1) {
        const $ref = `#/$defs/d${level - 1}`;
        $defs[`d${level}`] = { allOf: [{ $ref }, { $ref }] };
      }
      expect(acceptsValue({ $ref: "#/$defs/d59" }, "x", { $defs })).toBe(true);
    });

    test.each(["^(a+)+$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a|a)*b"])(
      "the pattern %s",
      (pattern) => {
        expect(acceptsValue({ pattern }, `${"a".repeat(50_000)}!`)).toBe(false);
      },
    );

    test("a pattern that takes too long by giving up", () => {
      expect(acceptsValue({ pattern: "(a?){500}b" }, "a".repeat(100_000))).toBe(true);
    });

    test("an enum of 100,000 values", () => {
      const values = Array.from({ length: 100_000 }, (_, index) => `value ${index}`);
      expect(acceptsValue({ enum: values }, "value 99999")).toBe(true);
      expect(
        createValidator().check(
          { name: "t", inputSchema: { properties: { a: { enum: values } } } },
          { a: "value x" },
        ),
      ).toHaveLength(1);
    });

    test("100,000 wrong items", () => {
      const tool = { name: "t", inputSchema: { properties: { a: { items: { type: "string" } } } } };
      const args = { a: Array.from({ length: 100_000 }, (_, index) => index) };
      expect(createValidator().check(tool, args)).toEqual([
        { path: "a[0]", found: "0", wanted: "string" },
      ]);
    });

    test("100,000 unique items", () => {
      const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
      expect(acceptsValue({ uniqueItems: true }, items)).toBe(true);
      expect(acceptsValue({ uniqueItems: true }, [...items, { index: 7 }])).toBe(false);
    });
  });
});
