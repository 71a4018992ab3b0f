import { describe, expect, test } from "bun:test";
import { refusesArguments } from "../../lib/facade/refusal.ts";
import type { JsonObject } from "../../lib/json-rpc.ts";

function result(text: string, isError = true): boolean {
  return refusesArguments({
    jsonrpc: "2.0",
    id: 1,
    result: { content: [{ type: "text", text }], isError },
  });
}

function error(code: number, message: string): boolean {
  return refusesArguments({ jsonrpc: "2.0", id: 1, error: { code, message } });
}

const REFUSALS = [
  'MCP error -32602: Input validation error: Invalid arguments for tool create_issue: [\n  {\n    "code": "invalid_type",\n    "expected": "string",\n    "received": "undefined",\n    "path": [\n      "title"\n    ],\n    "message": "Required"\n  }\n]',
  'Invalid arguments for tool "search": [{"code":"unrecognized_keys","keys":["q"]}]',
  "Invalid arguments: title: Required",
  "Invalid arguments for get_user: id is required",
  "Error: Invalid parameters: repo must be a string",
  "Invalid params: missing field `path`",
  "Invalid input parameters provided",
  "Input validation error: 'query' is a required property",
  "Input validation error: 5 is not of type 'string'",
  "Input validation error: Additional properties are not allowed ('foo' was unexpected)",
  "1 validation error for call[get_weather]\ncity\n  Missing required argument [type=missing_argument, input_value={}, input_type=dict]",
  "Error executing tool add: 2 validation errors for addArguments\na\n  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='x', input_type=str]",
  "1 validation error for SearchInput\nlimit\n  Input should be less than or equal to 50 [type=less_than_equal, input_value=100, input_type=int]",
  "get_forecast() missing 1 required positional argument: 'latitude'",
  "search() got an unexpected keyword argument 'q'",
  "data must have required property 'url'",
  "data/limit must be integer",
  "Parameter validation failed: data.limit must be number",
  "Validation failed: must have required property 'name'",
  "Missing required parameter: owner",
  "Missing required parameters: owner, repo",
  'missing required argument "path"',
  "Missing required field 'title'",
  "Error: missing required parameter 'channel'",
  "Required parameter 'owner' is missing",
  "Required argument: id was not provided. Required parameter id not provided",
  "required parameter `id` not specified is missing required parameters",
  "The parameter 'limit' must be between 1 and 100",
  "parameter 'state' is required",
  'Argument "path" is required',
  "Unknown parameter: foo",
  "Unexpected argument 'colour'",
  "Unrecognized key(s) in object: 'foo'",
  "Invalid value for parameter 'sort'",
  "Invalid type for argument limit",
  "Expected string, received number",
  'Expected number, received undefined at "id"',
  "Arguments do not match the schema",
  "Arguments did not match the tool's input schema",
  "Input data failed schema validation",
  "Tool arguments failed validation",
  "parameter validation error",
  "json: cannot unmarshal string into Go struct field ListParams.page of type int",
  'failed to parse arguments: json: unknown field "foo"',
  '[{"code": "too_big", "maximum": 100, "path": ["limit"]}]',
  "Tool call requires the following required parameters: a, b",
];

const OTHERS = [
  "Unknown tool: get_usr",
  "Tool get_usr not found",
  "MCP error -32602: Unknown tool: get_usr",
  "MCP error -32602: Tool foo not found",
  "Issue 401 not found",
  "id 401 not found",
  "Backend said 401 Unauthorized",
  "Invalid API key: missing required parameter api_key",
  "403 Forbidden: Resource not accessible by integration",
  "Permission denied: argument list too long",
  "Invalid token",
  "Rate limit exceeded, missing required header",
  "Request timed out after 30000 ms: parameters must be smaller",
  "ENOENT: no such file or directory, open '/tmp/arguments.json'",
  "Insufficient funds",
  "Cannot merge: the branch has conflicts that must be resolved",
  "The order must be paid before it can be shipped",
  "Validation Failed: a pull request already exists for octo:patch-1",
  "SyntaxError: invalid syntax near 'SELEC'",
  "Repository has no such label",
  "Invalid credentials",
  "connect ECONNREFUSED 127.0.0.1:5432",
  'relation "users" does not exist',
  "Failed to compile: error TS2345: Type 'string' is not assignable to type 'number'",
  "The document you asked for discusses parameters and arguments at length",
  "Something went wrong",
  "",
];

describe("refusesArguments()", () => {
  test.each(REFUSALS)("says yes to %j", (text) => {
    expect(result(text)).toBe(true);
  });

  test.each(OTHERS)("says no to %j", (text) => {
    expect(result(text)).toBe(false);
  });

  test("never says yes to a success", () => {
    expect(REFUSALS.filter((text) => result(text, false))).toEqual([]);
    const noFlag = { content: [{ type: "text", text: REFUSALS[0] }] };
    expect(refusesArguments({ jsonrpc: "2.0", id: 1, result: noFlag })).toBe(false);
  });

  const errors: [number, string, boolean][] = [
    [-32602, "Invalid params", true],
    [-32602, "Invalid arguments for tool x: title: Required", true],
    [-32602, "MCP error -32602: Input validation error", true],
    [-32602, "Unknown tool: x", false],
    [-32602, "Tool x not found", false],
    [-32602, "id 401 not found", false],
    [-32602, "Resource does not exist", false],
    [-32603, "Invalid arguments for tool x", false],
    [-32001, "Unauthorized: access token expired", false],
    [-32601, "Method not found", false],
  ];
  test.each(errors)("%d %s", (code, message, expected) => {
    expect(error(code, message)).toBe(expected);
  });

  test("survives odd results", () => {
    const odd: JsonObject[] = [
      { isError: true },
      { isError: true, content: null },
      { isError: true, content: [null, 5, { type: "text" }, { type: "text", text: 5 }] },
      { isError: true, content: "Invalid arguments" },
      { isError: "true", content: [{ type: "text", text: "Invalid arguments" }] },
    ];
    expect(odd.map((one) => refusesArguments({ jsonrpc: "2.0", id: 1, result: one }))).toEqual(
      odd.map(() => false),
    );
  });

  test("reads the beginning of a long text only", () => {
    expect(result(`${"x ".repeat(10_000)}Invalid arguments`)).toBe(false);
  });
});
