import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Tool } from "../../lib/catalog/catalog.ts";
import { renderSignature } from "../../lib/schema/signature.ts";

function toolWith(inputSchema: unknown, name = "t"): Tool {
  return { name, inputSchema };
}

function nested(depth: number, wrap: (inner: object) => object): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = wrap(schema);
  return schema;
}

describe("renderSignature()", () => {
  const string = { type: "string" };
  const table: [string, unknown, string][] = [
    [
      "puts required parameters first and keeps the order otherwise",
      {
        type: "object",
        properties: { labels: { type: "array", items: string }, title: string, repo: string },
        required: ["repo", "title"],
      },
      "t(title: string, repo: string, labels?: string[])",
    ],
    ["has no parameters", { type: "object" }, "t()"],
    [
      "writes enums and constants out",
      {
        properties: {
          state: { type: "string", enum: ["open", "closed"] },
          kind: { const: "a" },
          level: { enum: [1, null] },
        },
      },
      't(state?: "open" | "closed", kind?: "a", level?: 1 | null)',
    ],
    [
      "shortens a long enum",
      { properties: { n: { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } } },
      "t(n?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | …)",
    ],
    [
      "writes nested objects out",
      {
        properties: {
          at: {
            type: "object",
            properties: { x: { type: "number" }, y: { type: "number" } },
            required: ["x"],
          },
          env: { type: "object", additionalProperties: string },
          any: { type: "object" },
        },
      },
      "t(at?: {x: number, y?: number}, env?: {[key]: string}, any?: object)",
    ],
    [
      "writes unions, lists of types and arrays of unions",
      {
        properties: {
          a: { anyOf: [string, { type: "null" }] },
          b: { type: ["integer", "string"] },
          c: { type: "array", items: { oneOf: [string, { type: "number" }] } },
          d: { type: "array" },
          e: { prefixItems: [string, { type: "number" }] },
        },
      },
      "t(a?: string | null, b?: integer | string, c?: (string | number)[], d?: any[], e?: [string, number])",
    ],
    [
      "reads a union that only refines as the type it refines",
      {
        properties: {
          a: { type: "object", anyOf: [{ required: ["x"] }, { required: ["y"] }] },
          b: { type: "string", allOf: [{ pattern: "^a" }] },
        },
      },
      "t(a?: object, b?: string)",
    ],
    [
      "follows references",
      {
        $defs: { Point: { type: "object", properties: { x: { type: "number" } } } },
        properties: {
          from: { $ref: "#/$defs/Point" },
          to: { $ref: "#/properties/from" },
          lost: { $ref: "#/$defs/None" },
          net: { $ref: "http://127.0.0.1/x" },
          loop: { $ref: "#/properties/loop" },
        },
      },
      "t(from?: {x?: number}, to?: {x?: number}, lost?: any, net?: any, loop?: any)",
    ],
    [
      "ends a recursive schema",
      {
        $defs: {
          Node: {
            type: "object",
            properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } },
          },
        },
        properties: { tree: { $ref: "#/$defs/Node" } },
      },
      "t(tree?: {kids?: object[]})",
    ],
    [
      "takes parameters from branches at the top",
      {
        properties: { id: string },
        anyOf: [
          { properties: { a: string, c: string }, required: ["a", "c"] },
          { properties: { b: string }, required: ["c"] },
        ],
        allOf: [{ properties: { d: string }, required: ["d"] }],
      },
      "t(d: string, c: string, id?: string, a?: string, b?: string)",
    ],
    [
      "names a required parameter without a schema",
      { type: "object", required: ["q"] },
      "t(q: any)",
    ],
    [
      "quotes only names that could be misread",
      { properties: { "If-Match": string, $and: string, "a b": string, "x:y": string } },
      't(If-Match?: string, $and?: string, "a b"?: string, "x:y"?: string)',
    ],
    [
      "is not misled by properties named like keywords",
      { properties: { type: string, properties: string, required: { type: "boolean" } } },
      "t(type?: string, properties?: string, required?: boolean)",
    ],
    [
      "makes something of odd schemas",
      {
        properties: {
          a: true,
          b: false,
          c: null,
          d: [],
          e: { enum: null },
          f: { type: "any" },
          g: { anyOf: [] },
          h: { type: [] },
          i: "string",
          j: { type: "integer", required: true },
          k: { properties: [] },
          l: { type: "array", items: 5 },
        },
        required: "a",
      },
      "t(j: integer, a?: any, b?: never, c?: any, d?: any, e?: any, f?: any, g?: any, h?: any, i?: any, k?: any, l?: any[])",
    ],
  ];
  test.each(table)("%s", (_, inputSchema, expected) => {
    expect(renderSignature(toolWith(inputSchema))).toBe(expected);
  });

  test("gives only the name for what is no schema", () => {
    for (const schema of [undefined, null, true, [], "x", { properties: [] }, { required: 3 }]) {
      expect(renderSignature(toolWith(schema, "GetUser"))).toBe("GetUser()");
    }
  });

  test("survives schemas nested 10,000 deep", () => {
    const wraps: ((inner: object) => object)[] = [
      (inner) => ({ type: "array", items: inner }),
      (inner) => ({ type: "object", properties: { a: inner } }),
      (inner) => ({ anyOf: [inner] }),
      (inner) => ({ allOf: [inner, {}] }),
    ];
    for (const wrap of wraps) {
      const deep = nested(10_000, wrap);
      expect(renderSignature(toolWith({ properties: { deep } }))).toStartWith("t(deep?: ");
      expect(renderSignature(toolWith(deep))).toStartWith("t(");
    }
  });

  test("is bounded for references that fan out", () => {
    const $defs: { [name: string]: object } = { d0: { type: "string" } };
    for (let level = 1; level < 40; level += 1) {
      const $ref = `#/$defs/d${level - 1}`;
      $defs[`d${level}`] = { anyOf: [{ $ref }, { type: "array", items: { $ref } }] };
    }
    const text = renderSignature(toolWith({ $defs, properties: { x: { $ref: "#/$defs/d39" } } }));
    expect(text.length).toBeLessThan(10_000);
  });

  describe("with maxLength", () => {
    const tool = toolWith({
      properties: {
        title: { type: "string" },
        filter: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
        state: { enum: ["open", "closed", "merged", "draft"] },
      },
      required: ["title"],
    });
    const full =
      't(title: string, filter?: {a?: string, b?: string}, state?: "open" | "closed" | "merged" | "draft")';
    const shorter: [number, string][] = [
      [200, full],
      [full.length, full],
      [90, 't(title: string, filter?: object, state?: "open" | "closed" | "merged" | "draft")'],
      [75, 't(title: string, filter?: object, state?: "open" | "closed" | "merged" | …)'],
      [50, "t(title: string, filter?: object, …)"],
      [30, "t(title: string, …)"],
      [12, "t(title, …)"],
      [8, "t(…)"],
      [4, "t(…)"],
      [3, "t"],
    ];
    test.each(shorter)("%d", (maxLength, expected) => {
      expect(renderSignature(tool, { maxLength })).toBe(expected);
    });

    test("is never longer for any schema", () => {
      fc.assert(
        fc.property(
          fc.string({ minLength: 1, unit: "grapheme" }),
          fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant({ type: "string" }))),
          fc.array(fc.string()),
          fc.integer({ min: 1, max: 120 }),
          (name, properties, required, maxLength) => {
            const text = renderSignature(toolWith({ properties, required }, name), { maxLength });
            expect(text.length).toBeLessThanOrEqual(maxLength);
          },
        ),
      );
    });
  });

  test("shows no invisible or control characters", () => {
    const properties = { "a\u202eb": { enum: ["x\u200by", "\u001b[31m"] } };
    expect(renderSignature(toolWith({ properties }, "get\u200buser"))).not.toMatch(
      /[\u0000-\u001f\u200b\u202e]/u,
    );
  });
});
