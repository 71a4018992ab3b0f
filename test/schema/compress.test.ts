import { describe, expect, test } from "bun:test";
import type { Tool } from "../../lib/catalog/catalog.ts";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { compressTool } from "../../lib/schema/compress.ts";

const OBJECT = { type: "object" };

function compressed(tool: Tool): Tool {
  return compressTool(tool, tool.name.toLowerCase()).tool;
}

describe("compressTool()", () => {
  test("changes name, description and schemas, and keeps every other member and its place", () => {
    const tool: Tool = {
      title: "Get a user",
      name: "GetUser",
      annotations: { title: "Get user", readOnlyHint: true, "x-vendor": { a: 1 } },
      description: "Gets a user.\n\nNeeds permission.",
      icons: [{ src: "https://example.com/i.png" }],
      inputSchema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        title: "GetUserArguments",
        type: "object",
        properties: { id: { type: "integer", title: "Id", "x-widget": "spin" } },
        required: ["id"],
        additionalProperties: false,
      },
      outputSchema: { type: "object", properties: { name: { type: "string", default: "" } } },
      _meta: { "example.com/tag": ["a"] },
      execution: { taskSupport: "optional" },
      "x-tool": { k: 1 },
    };
    const before = structuredClone(tool);
    const { tool: shown, repairs } = compressTool(tool, "getuser");
    expect(repairs).toEqual([]);
    expect(JSON.stringify(shown)).toBe(
      JSON.stringify({
        title: "Get a user",
        name: "getuser",
        annotations: { title: "Get user", readOnlyHint: true, "x-vendor": { a: 1 } },
        description: "Gets a user.",
        icons: [{ src: "https://example.com/i.png" }],
        inputSchema: {
          type: "object",
          properties: { id: { type: "integer", "x-widget": "spin" } },
          required: ["id"],
          additionalProperties: false,
        },
        outputSchema: { type: "object", properties: { name: { type: "string" } } },
        _meta: { "example.com/tag": ["a"] },
        execution: { taskSupport: "optional" },
        "x-tool": { k: 1 },
      }),
    );
    expect(tool).toEqual(before);
  });

  test.each([undefined, "", "  \n", null, 5, "\u200b"])(
    "has no description for %j",
    (description) => {
      const tool: Tool = { name: "a", description, inputSchema: OBJECT };
      expect(compressed(tool)).toEqual({ name: "a", inputSchema: OBJECT });
    },
  );

  test("removes what cannot be seen from description and titles", () => {
    const tool: Tool = {
      name: "a",
      title: "A\u202eb",
      annotations: { readOnlyHint: true, title: "A\u200bb" },
      description: "\u001b[31mAdds.\u001b[0m\u{e0041} More.",
      inputSchema: OBJECT,
    };
    expect(compressed(tool)).toEqual({
      name: "a",
      title: "Ab",
      annotations: { readOnlyHint: true, title: "Ab" },
      description: "Adds.",
      inputSchema: OBJECT,
    });
  });

  test("does not say the tool's description again in its input schema", () => {
    const tool: Tool = {
      name: "a",
      description: "Adds a row. More.",
      inputSchema: { type: "object", description: "Adds a row." },
    };
    expect(compressed(tool)).toEqual({
      name: "a",
      description: "Adds a row.",
      inputSchema: OBJECT,
    });
  });

  test("notes in the description what a merged top cannot say, within the limit", () => {
    const inputSchema = {
      type: "object",
      properties: { id: { type: "string" }, url: { type: "string" } },
      anyOf: [{ required: ["id"] }, { required: ["url"] }],
    };
    const merged = { type: "object", properties: inputSchema.properties };
    const reason = "input schema has anyOf at the top: served as a list of properties";
    expect(compressTool({ name: "a", description: "Gets it. More.", inputSchema }, "a")).toEqual({
      tool: { name: "a", description: "Gets it. Needs id or url.", inputSchema: merged },
      repairs: [reason],
    });
    expect(compressTool({ name: "a", inputSchema }, "a").tool.description).toBe("Needs id or url.");
    const long = compressTool(
      { name: "a", description: "word ".repeat(60), inputSchema },
      "a",
    ).tool;
    expect(String(long.description)).toMatch(/^word .* word Needs id or url\.$/);
    expect(String(long.description).length).toBeLessThanOrEqual(140);
  });

  test("tells each repair in one line", () => {
    const tool: Tool = {
      name: "a",
      inputSchema: { properties: { b: { enum: null }, c: { $ref: "#/$defs/missing" } } },
      outputSchema: { type: "object", properties: { x: { $ref: "#/$defs/missing" } } },
    };
    expect(compressTool(tool, "a")).toEqual({
      tool: { name: "a", inputSchema: { type: "object", properties: { b: {}, c: {} } } },
      repairs: [
        'input schema has no type: served with type "object"',
        "input schema has 2 keywords that cannot be followed: served without",
        "output schema cannot be compiled: served without one",
      ],
    });
  });

  test("serves a schema as it is that is nested too deep, and tells so", () => {
    let inner: JsonObject = { title: "T" };
    for (let depth = 0; depth < 10_000; depth++) inner = { properties: { a: inner } };
    const inputSchema = { ...inner, type: "object" };
    const { tool, repairs } = compressTool(
      { name: "a", inputSchema, outputSchema: inputSchema },
      "a",
    );
    expect(tool.inputSchema).toBe(inputSchema);
    expect(repairs).toEqual([
      "input schema is nested more than 200 deep: served as it is",
      "output schema is nested more than 200 deep: served without one",
    ]);
    expect(JSON.stringify(tool).length).toBeGreaterThan(100_000);
  });

  test("keeps an enum of a megabyte", () => {
    const values = Array.from({ length: 50_000 }, (_, index) => `value number ${index}`);
    const inputSchema = { type: "object", properties: { a: { enum: values, title: "T" } } };
    expect(compressed({ name: "a", inputSchema })).toEqual({
      name: "a",
      inputSchema: { type: "object", properties: { a: { enum: values } } },
    });
  });

  test("takes names of an object's prototype for names", () => {
    const text = `{"name":"a","inputSchema":{"type":"object","properties":{
      "__proto__":{"type":"string","title":"T","polluted":true},
      "constructor":{"type":"string","default":"T"},
      "toString":{"$ref":"#/definitions/__proto__"},
      "hasOwnProperty":{"$ref":"#/definitions/constructor"}},
      "definitions":{"__proto__":{"type":"object","properties":{"a":{"title":"T"}}},"valueOf":{}},
      "required":["__proto__","constructor"]},"__proto__":{"polluted":true}}`;
    const { tool, repairs } = compressTool(JSON.parse(text), "a");
    expect(JSON.stringify(tool)).toBe(
      JSON.stringify(
        JSON.parse(`{"name":"a","inputSchema":{"type":"object","properties":{
          "__proto__":{"type":"string","polluted":true},
          "constructor":{"type":"string"},
          "toString":{"type":"object","properties":{"a":{}}},
          "hasOwnProperty":{}},
          "required":["__proto__","constructor"]},"__proto__":{"polluted":true}}`),
      ),
    );
    expect(repairs).toEqual([
      "input schema has one keyword that cannot be followed: served without",
    ]);
    expect(({} as JsonObject).polluted).toBeUndefined();
  });

  test("ends for references that go in circles", () => {
    const inputSchema = {
      type: "object",
      properties: {
        self: { $ref: "#" },
        a: { $ref: "#/$defs/A" },
        same: { $ref: "#/properties/same" },
      },
      $defs: { A: { items: { $ref: "#/$defs/B" } }, B: { items: { $ref: "#/$defs/A" } } },
    };
    expect(compressed({ name: "a", inputSchema })).toEqual({
      name: "a",
      inputSchema: {
        type: "object",
        properties: {
          self: { $ref: "#" },
          a: { $ref: "#/$defs/A" },
          same: { $ref: "#/properties/same" },
        },
        $defs: { A: { items: { items: { $ref: "#/$defs/A" } } } },
      },
    });
  });
});
