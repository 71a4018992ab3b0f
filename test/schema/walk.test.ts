import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { childSchemas, holdingOf, walkSchemas } from "../../lib/schema/walk.ts";

const leaf = (name: string): JsonObject => ({ name });

describe("childSchemas()", () => {
  test("finds a schema under every keyword that holds one, in order", () => {
    const schema: JsonObject = {
      properties: { a: leaf("property"), default: leaf("property default") },
      items: [leaf("first item"), true],
      allOf: [leaf("all of")],
      not: leaf("not"),
      dependencies: { a: ["b"], c: leaf("dependency") },
      additionalProperties: false,
      $defs: { d: leaf("definition") },
    };
    expect(childSchemas(schema)).toEqual([
      { keyword: "properties", entry: "a", schema: leaf("property") },
      { keyword: "properties", entry: "default", schema: leaf("property default") },
      { keyword: "items", entry: 0, schema: leaf("first item") },
      { keyword: "allOf", entry: 0, schema: leaf("all of") },
      { keyword: "not", entry: undefined, schema: leaf("not") },
      { keyword: "dependencies", entry: "c", schema: leaf("dependency") },
      { keyword: "$defs", entry: "d", schema: leaf("definition") },
    ]);
  });

  test("finds none in data, in unknown keywords and in values of the wrong shape", () => {
    const schema: JsonObject = {
      const: { properties: { a: {} } },
      enum: [{ not: {} }],
      default: { items: {} },
      components: { schemas: { a: {} } },
      constructor: { a: {} },
      properties: [{}],
      anyOf: { a: {} },
      not: [{}],
      items: "text",
    };
    expect(childSchemas(schema)).toEqual([]);
  });
});

describe("holdingOf()", () => {
  test("knows no keyword of an object's prototype", () => {
    expect(["constructor", "__proto__", "toString", "hasOwnProperty"].map(holdingOf)).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe("walkSchemas()", () => {
  test("visits outer schemas first and siblings in order", () => {
    const schema = { anyOf: [{ not: leaf("a") }, leaf("b")], items: leaf("c") };
    const seen: unknown[] = [];
    walkSchemas(schema, (inner, depth) => seen.push([depth, inner]));
    expect(seen).toEqual([
      [0, schema],
      [1, { not: leaf("a") }],
      [2, leaf("a")],
      [1, leaf("b")],
      [1, leaf("c")],
    ]);
  });

  test("reaches the bottom of any depth", () => {
    let schema = leaf("bottom");
    for (let depth = 0; depth < 10_000; depth++) schema = { items: schema };
    let deepest = 0;
    walkSchemas(schema, (_inner, depth) => {
      deepest = Math.max(deepest, depth);
    });
    expect(deepest).toBe(10_000);
  });
});
