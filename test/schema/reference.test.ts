import { describe, expect, test } from "bun:test";
import { followReferences, resolveReference } from "../../lib/schema/reference.ts";

const ROOT = JSON.parse(`{
  "$id": "https://example.com/root",
  "$defs": {
    "a/b": { "type": "string" },
    "c~d": { "$ref": "#/$defs/a~1b" },
    "%": { "type": "null" },
    "anchored": { "$anchor": "here", "type": "integer" },
    "circle": { "$ref": "#/$defs/circle" }
  },
  "allOf": [true, { "type": "boolean" }],
  "__proto__": { "type": "number" }
}`);

describe("resolveReference()", () => {
  const table: [string, unknown][] = [
    ["#", ROOT],
    ["#/$defs/a~1b", { type: "string" }],
    ["#/%24defs/a~1b", { type: "string" }],
    ["#/$defs/%", { type: "null" }],
    ["#/allOf/1", { type: "boolean" }],
    ["#/allOf/0", true],
    ["#here", { $anchor: "here", type: "integer" }],
    ["https://example.com/root#/allOf/0", true],
    ["#/__proto__", { type: "number" }],
    ["#/constructor", undefined],
    ["#/allOf/length/x", undefined],
    ["#/allOf/9", undefined],
    ["#nowhere", undefined],
    ["http://127.0.0.1/schema.json", undefined],
    ["other.json#/allOf/0", undefined],
  ];
  test.each(table)("%s", (reference, expected) => {
    expect(resolveReference(ROOT, reference)).toEqual(expected);
  });
});

describe("followReferences()", () => {
  test("goes on until there is no reference", () => {
    expect(followReferences(ROOT, { $ref: "#/$defs/c~0d" })).toEqual({ type: "string" });
  });

  test("gives nothing for a circle", () => {
    expect(followReferences(ROOT, { $ref: "#/$defs/circle" })).toBeUndefined();
  });

  test("gives what is no reference as it is", () => {
    expect(followReferences(ROOT, { $ref: 5 })).toEqual({ $ref: 5 });
    expect(followReferences(ROOT, false)).toBe(false);
  });
});
