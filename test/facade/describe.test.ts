import { describe, expect, test } from "bun:test";
import type { Tool } from "../../lib/catalog/catalog.ts";
import {
  parseDescribeArguments,
  renderDefinition,
  renderDescription,
} from "../../lib/facade/describe.ts";

const CREATE_ISSUE: Tool = {
  name: "create_issue",
  title: "Create issue",
  description: "Creates an issue. Needs permission.\n\n## Notes\n- second line\n",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      repo: { type: "string", description: "Where to. Owner/name.", pattern: "^[^/]+/[^/]+$" },
      title: { type: "string", minLength: 1, maxLength: 255 },
      state: { type: "string", enum: ["open", "closed"], default: "open", description: "Which." },
      labels: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
      due: { type: ["string", "null"], format: "date" },
      weight: { type: "integer", minimum: 1, maximum: 100, examples: [5, 10], "x-unit": "points" },
      at: {
        type: "object",
        properties: { x: { type: "number", exclusiveMinimum: 0 }, y: { type: "number" } },
        required: ["x"],
        additionalProperties: false,
        description: "Place.",
      },
      env: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["repo", "title"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { id: { type: "string", description: "New id." } },
    required: ["id"],
  },
  annotations: { title: "Create issue", readOnlyHint: false, idempotentHint: true, group: "x" },
};

describe("renderDescription()", () => {
  test("says everything, one line a parameter", () => {
    expect(renderDescription(CREATE_ISSUE)).toBe(
      [
        "create_issue - Create issue",
        "Creates an issue. Needs permission.",
        "",
        "## Notes",
        "- second line",
        "Only parameters:",
        "repo: string (/^[^/]+/[^/]+$/) - Where to. Owner/name.",
        "title: string (1..255 chars)",
        'state?: "open"|"closed" = "open" - Which.',
        "labels?: string[] (>=1 items, unique)",
        "due?: string|null (format date)",
        'weight?: integer (1..100, e.g. 5,10, x-unit: "points")',
        "at?: closed object - Place.",
        " x: number (>0)",
        " y?: number",
        "env?: {[key]: string}",
        "Returns:",
        "id: string - New id.",
        'Annotations: not readOnlyHint, idempotentHint, group: "x"',
      ].join("\n"),
    );
  });

  test("says what definitions, unions, conditions and unknown keywords say", () => {
    const tool: Tool = {
      name: "draw",
      inputSchema: {
        type: "object",
        $defs: {
          Point: {
            type: "object",
            properties: { x: { type: "number" }, next: { $ref: "#/$defs/Point" } },
          },
        },
        properties: {
          from: { $ref: "#/$defs/Point" },
          to: { $ref: "#/properties/from", description: "End." },
          style: {
            anyOf: [
              { type: "string", description: "A name." },
              { type: "object", properties: { width: { type: "number" } } },
              { const: 5 },
            ],
          },
          fill: { oneOf: [{ type: "string" }, { type: "null" }] },
          edge: {
            anyOf: [{ type: "object", properties: { w: { type: "number" } } }, { type: "null" }],
          },
          both: { allOf: [{ $ref: "#/$defs/Point" }, { required: ["x"] }] },
          pair: { prefixItems: [{ type: "string" }, { type: "number" }], items: false },
          odd: { not: { type: "string" }, minProperties: 1 },
          rows: {
            type: "array",
            items: { type: "object", properties: { n: { type: "integer" } } },
          },
        },
        patternProperties: { "^x-": { type: "string" } },
        if: { required: ["from"] },
        dependentRequired: { from: ["to"] },
        required: ["from", "unlisted"],
      },
    };
    expect(renderDescription(tool)).toBe(
      [
        "draw",
        'Parameters: (required: unlisted, if: {"required":["from"]}, dependentRequired: {"from":["to"]})',
        "from: Point",
        "to?: same as from - End.",
        "style?: any of",
        " | string - A name.",
        " | object",
        "  width?: number",
        " | 5",
        "fill?: string|null",
        "edge?: object|null",
        " w?: number",
        "both?: all of",
        " & Point",
        ' & any (required: ["x"])',
        "pair?: array",
        " [0]: string",
        " [1]: number",
        " […]: never",
        'odd?: any (>=1 properties, not: {"type":"string"})',
        "rows?: object[]",
        " n?: integer",
        "[/^x-/]: string",
        "Definitions:",
        "Point: object",
        " x?: number",
        " next?: Point",
      ].join("\n"),
    );
  });

  test("writes a structure once and then says where it stands", () => {
    const address = {
      type: "object",
      properties: {
        street: { type: "string", description: "Street and number." },
        city: { type: "string", description: "City or town." },
        zip: { type: "string", description: "Postal code." },
      },
    };
    const tool = {
      name: "ship",
      inputSchema: {
        properties: {
          stops: { type: "array", items: address },
          from: { ...address, description: "Sender." },
          to: { ...address, default: {}, description: "Receiver." },
        },
      },
    };
    expect(renderDescription(tool)).toBe(
      [
        "ship",
        "Parameters:",
        "stops?: object[]",
        " street?: string - Street and number.",
        " city?: string - City or town.",
        " zip?: string - Postal code.",
        "from?: object - Sender.",
        " street?: string - Street and number.",
        " city?: string - City or town.",
        " zip?: string - Postal code.",
        "to?: object as in from = {} - Receiver.",
      ].join("\n"),
    );
  });

  test("writes long lists of values with commas", () => {
    const schema = {
      properties: { n: { type: "array", items: { enum: ["a", "b", "c", "d", "e"] } } },
    };
    expect(renderDescription({ name: "t", inputSchema: schema })).toBe(
      't\nParameters:\nn?: (one of "a","b","c","d","e")[]',
    );
  });

  const bare: [string, unknown, string][] = [
    ["no schema", undefined, '{"name":"t"}'],
    ["null", null, "t\nParameters: null"],
    ["an empty object schema", { type: "object" }, "t\nNo parameters"],
    ["a closed one", { type: "object", additionalProperties: false }, "t\nNo parameters"],
    ["a list", [1], "t\nParameters: [1]"],
    [
      "odd members",
      { properties: [], required: "x" },
      't\nParameters: any (properties: [], required: "x")',
    ],
    ["enum: null", { properties: { a: { enum: null } } }, "t\nParameters:\na?: any (enum: null)"],
    ["no values", { properties: { a: { enum: [] } } }, "t\nParameters:\na?: any (enum: [])"],
    [
      "names like keywords",
      { properties: { default: { type: "boolean", default: true }, $comment: { $comment: "x" } } },
      't\nParameters:\ndefault?: boolean = true\n$comment?: any ($comment: "x")',
    ],
    [
      "values of another type than declared",
      { properties: { a: { type: "string", enum: ["1", 2] } } },
      't\nParameters:\na?: "1"|2 (type: "string")',
    ],
    [
      "required on a property",
      { properties: { a: { type: "integer", required: true } } },
      "t\nParameters:\na: integer (required)",
    ],
  ];
  test.each(bare)("makes something of %s", (_, inputSchema, expected) => {
    expect(renderDescription({ name: "t", inputSchema })).toBe(expected);
  });

  test("survives schemas nested 10,000 deep and circles", () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 10_000; level += 1) deep = { properties: { a: deep } };
    const tool = { name: "t", inputSchema: deep };
    expect(renderDescription(tool) === JSON.stringify(tool)).toBe(true);
    const circle = {
      $defs: { A: { $ref: "#/$defs/A" } },
      properties: { a: { $ref: "#/$defs/A" } },
    };
    expect(renderDescription({ name: "t", inputSchema: circle })).toBe(
      "t\nParameters:\na?: A\nDefinitions:\nA: A",
    );
  });

  test("shows no invisible characters and no escapes", () => {
    const tool = {
      name: "t",
      title: "\u001b[31mRed",
      description: "Say\u200b hello\u202e.",
      inputSchema: { properties: { a: { enum: ["x\u{e0041}", "y"], default: "x\u{e0041}" } } },
    };
    expect(renderDescription(tool)).toBe('t - Red\nSay hello.\nParameters:\na?: "x"|"y" = "x"');
  });
});

describe("renderDefinition()", () => {
  test("gives the definition as JSON, unknown members too", () => {
    const tool = { ...CREATE_ISSUE, _meta: { a: 1 }, execution: { taskSupport: "optional" } };
    expect(JSON.parse(renderDefinition(tool))).toEqual(tool);
  });
});

describe("parseDescribeArguments()", () => {
  const table: [unknown, readonly string[]][] = [
    [{ tool: "a" }, ["a"]],
    [{ tool: ["a", "b", "a"] }, ["a", "b"]],
    [{ tool: '["a","b"]' }, ["a", "b"]],
    [{ tool: "a, b\nc" }, ["a", "b", "c"]],
    [{ tool: { name: "a" } }, ["a"]],
    [{ tools: ["a"] }, ["a"]],
    [{ name: "a" }, ["a"]],
    [{ names: ["a", { name: "b" }] }, ["a", "b"]],
    [{ tool: "", name: "a" }, ["a"]],
    [{ args: { tool: "a" } }, ["a"]],
    [{ arguments: '{"tool":"a"}' }, ["a"]],
    ["a", ["a"]],
    ['{"tool":["a"]}', ["a"]],
    [
      ["a", "b"],
      ["a", "b"],
    ],
  ];
  test.each(table)("reads %j", (value, tools) => {
    expect(parseDescribeArguments(value)).toEqual({ tools, detail: "compact" });
  });

  const details: [unknown, "compact" | "full"][] = [
    ["full", "full"],
    [" FULL ", "full"],
    ["compact", "compact"],
    [null, "compact"],
    [true, "compact"],
  ];
  test.each(details)("reads detail %j", (detail, expected) => {
    expect(parseDescribeArguments({ tool: "a", detail })).toEqual({
      tools: ["a"],
      detail: expected,
    });
  });

  test("refuses what names no tool", () => {
    const refusal =
      'Cannot describe a tool: its name is missing. Send {"tool": "NAME"} or {"tool": ["NAME", "NAME"]}';
    const values = [undefined, null, {}, { tool: "" }, { tool: [] }, { tool: 5 }, [], 5, "", " "];
    expect(values.map(parseDescribeArguments)).toEqual(values.map(() => ({ refusal })));
  });
});
