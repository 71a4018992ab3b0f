import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  exposedName,
  repairInputSchema,
  repairOutputSchema,
} from "../../lib/schema/provider-safe.ts";

const NAMES: readonly (readonly [name: string, taken: readonly string[], exposed: unknown])[] = [
  ["echo", [], "echo"],
  ["GetUser", [], "getuser"],
  ["get_user-2", [], "get_user-2"],
  ["issues.list", [], "issues_list"],
  ["Größe messen", [], "große_messen".replace("ß", "_")],
  ["getuser", ["getuser"], "getuser_2"],
  ["getuser", ["getuser", "getuser_2"], "getuser_3"],
  ["天气 weather", [], "_weather"],
  ["天气", [], undefined],
  ["", [], undefined],
  ["__", [], undefined],
  ["a".repeat(70), [], "a".repeat(64)],
  ["a".repeat(70), ["a".repeat(64)], `${"a".repeat(62)}_2`],
];

describe("exposedName()", () => {
  test.each(NAMES)("%s beside %j is %p", (name, taken, exposed) => {
    expect(exposedName(name, new Set(taken))).toBe(exposed as string | undefined);
  });

  test("is legal and unique, for any names", () => {
    const names = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("a", "A", "á")));
    fc.assert(
      fc.property(names, (given) => {
        const taken = new Set<string>();
        for (const name of given) {
          const exposed = exposedName(name, taken);
          if (exposed === undefined) continue;
          expect(exposed).toMatch(/^[a-z0-9_-]{1,64}$/);
          expect(taken.has(exposed)).toBe(false);
          taken.add(exposed);
        }
      }),
    );
  });
});

const EMPTY = { type: "object" };

describe("repairInputSchema()", () => {
  test("leaves a plain object schema as it is", () => {
    const schema = { type: "object", properties: { a: { anyOf: [{}] } } };
    const repaired = repairInputSchema(schema);
    expect(repaired).toEqual({ schema, note: "", reasons: [] });
    expect(repaired.schema).toBe(schema);
  });

  test.each([
    [undefined, "is missing: served as an empty object"],
    [null, "is not an object: served as an empty object"],
    [[], "is not an object: served as an empty object"],
    ["object", "is not an object: served as an empty object"],
    [true, "is not an object: served as an empty object"],
    [{ type: "string", minLength: 1 }, 'has type "string": served as an empty object'],
    [{ type: null }, "has type null: served as an empty object"],
  ])("%j is served as an empty object", (schema, reason) => {
    expect(repairInputSchema(schema)).toEqual({ schema: EMPTY, note: "", reasons: [reason] });
  });

  test("gives a schema without type the type of all arguments", () => {
    expect(repairInputSchema({ properties: { a: {} } })).toEqual({
      schema: { type: "object", properties: { a: {} } },
      note: "",
      reasons: ['has no type: served with type "object"'],
    });
    expect(repairInputSchema({ properties: {}, type: ["object", "null"] })).toEqual({
      schema: { type: "object", properties: {} },
      note: "",
      reasons: ['allows other types: served with type "object"'],
    });
  });

  test("does not take a property called __proto__ for a prototype", () => {
    const schema = JSON.parse('{"__proto__":{"polluted":true},"properties":{"__proto__":{}}}');
    const { schema: repaired } = repairInputSchema(schema);
    expect(JSON.stringify(repaired)).toBe(
      '{"type":"object","__proto__":{"polluted":true},"properties":{"__proto__":{}}}',
    );
    expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype);
  });
});

describe("repairOutputSchema()", () => {
  test.each([
    [undefined, undefined, []],
    [{ type: "object" }, { type: "object" }, []],
    [
      { properties: {} },
      { type: "object", properties: {} },
      ['has no type: served with type "object"'],
    ],
    [{ type: "array" }, undefined, ['has type "array": served without one']],
    [null, undefined, ["is not an object: served without one"]],
  ])("%j is served as %j", (schema, served, reasons) => {
    expect(repairOutputSchema(schema)).toEqual({ schema: served, reasons });
  });
});
