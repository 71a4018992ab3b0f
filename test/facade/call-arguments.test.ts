import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findPlainCall, parseCallArguments } from "../../lib/facade/call-arguments.ts";
import { memberText } from "../../lib/json-text.ts";

const OWN: { readonly [tool: string]: readonly string[] } = {
  GetUser: ["id"],
  run: ["command", "args"],
  transform: ["input", "mode"],
  rename: ["name", "to"],
  describe_tool: ["tool", "detail"],
  ping: [],
};
const context = {
  parametersOf: (tool: string) => (Object.hasOwn(OWN, tool) ? OWN[tool] : undefined),
};

function read(text: string | undefined): unknown {
  const parsed = parseCallArguments(text, context);
  if ("refusal" in parsed) return parsed.refusal;
  expect(JSON.parse(parsed.argsText)).toEqual(parsed.args);
  return [parsed.tool, parsed.argsText];
}

const FORM = 'Send {"tool": "GetUser", "args": {"PARAMETER": VALUE}}';
const NAMELESS = 'Send {"tool": "NAME", "args": {"PARAMETER": VALUE}}';

describe("parseCallArguments()", () => {
  const accepted: [string, string, [string, string]][] = [
    ["takes the plain form", '{"tool":"GetUser","args":{"id":5}}', ["GetUser", '{"id":5}']],
    [
      "keeps the text of the arguments",
      '{"args": { "id" : 9007199254740993, "id":1.50, "n":1e400 }, "tool":"GetUser"}',
      ["GetUser", '{ "id" : 9007199254740993, "id":1.50, "n":1e400 }'],
    ],
    [
      "leaves strings inside the arguments alone",
      '{"tool":"Echo","args":{"value":{"zip":"00713","json":"{\\"a\\":1}","nul":null,"e":""}}}',
      ["Echo", '{"value":{"zip":"00713","json":"{\\"a\\":1}","nul":null,"e":""}}'],
    ],
    [
      "parses args in a string",
      '{"tool":"GetUser","args":"{\\"id\\":5}"}',
      ["GetUser", '{"id":5}'],
    ],
    [
      "parses args encoded twice",
      JSON.stringify({ tool: "GetUser", args: JSON.stringify('{"id":90071992547409931}') }),
      ["GetUser", '{"id":90071992547409931}'],
    ],
    [
      "parses args in a code fence",
      JSON.stringify({ tool: "GetUser", args: '```json\n{"id":5}\n```' }),
      ["GetUser", '{"id":5}'],
    ],
    ["reads missing args as {}", '{"tool":"ping"}', ["ping", "{}"]],
    ["reads null as {}", '{"tool":"ping","args":null}', ["ping", "{}"]],
    ["reads an empty string as {}", '{"tool":"ping","args":" "}', ["ping", "{}"]],
    ['reads "{}" as {}', '{"tool":"ping","args":"{}"}', ["ping", "{}"]],
    ['reads "null" as {}', '{"tool":"ping","args":"null"}', ["ping", "{}"]],
    ["reads arguments: null as {}", '{"tool":"ping","arguments":null}', ["ping", "{}"]],
    ["takes arguments beside the tool", '{"tool":"GetUser","id":5}', ["GetUser", '{"id":5}']],
    [
      "takes arguments beside empty args",
      '{"id":5.0,"tool":"GetUser","args":{},"x":"y"}',
      ["GetUser", '{"id":5.0,"x":"y"}'],
    ],
    [
      "lets an argument stand in both places if it is the same",
      '{"tool":"GetUser","args":{"id":5},"id":5}',
      ["GetUser", '{"id":5}'],
    ],
    ["takes arguments: {}", '{"tool":"GetUser","arguments":{"id":5}}', ["GetUser", '{"id":5}']],
    ["takes input", '{"tool":"GetUser","input":"{\\"id\\":5}"}', ["GetUser", '{"id":5}']],
    ["takes parameters", '{"tool":"GetUser","parameters":{"id":5}}', ["GetUser", '{"id":5}']],
    ["takes params of an unknown tool", '{"tool":"x","params":{"id":5}}', ["x", '{"id":5}']],
    [
      "takes name and arguments",
      '{"name":"GetUser","arguments":{"id":5}}',
      ["GetUser", '{"id":5}'],
    ],
    ["takes tool_name", '{"tool_name":"GetUser","args":{"id":5}}', ["GetUser", '{"id":5}']],
    [
      "ignores the tool's name said twice",
      '{"tool":"GetUser","name":"GetUser","args":{"id":5}}',
      ["GetUser", '{"id":5}'],
    ],
    ["trims the name", '{"tool":" GetUser ","args":{"id":5}}', ["GetUser", '{"id":5}']],
    ["reads the whole from a string", JSON.stringify('{"tool":"ping"}'), ["ping", "{}"]],
    [
      "takes a call under tool",
      '{"tool":{"name":"GetUser","arguments":{"id":5}}}',
      ["GetUser", '{"id":5}'],
    ],
    [
      "takes a call under one other member",
      '{"call":{"tool":"GetUser","args":{"id":5}}}',
      ["GetUser", '{"id":5}'],
    ],
    [
      "takes a call in a string under args",
      JSON.stringify({ args: '{"tool":"GetUser","args":{"id":5}}' }),
      ["GetUser", '{"id":5}'],
    ],
    [
      "takes a second wrapper off",
      '{"tool":"GetUser","args":{"args":{"id":5}}}',
      ["GetUser", '{"id":5}'],
    ],
    [
      "takes a repeated wrapper off",
      '{"tool":"GetUser","args":{"tool":"GetUser","args":{"id":5}}}',
      ["GetUser", '{"id":5}'],
    ],
    [
      "gives a meta-tool back like any tool",
      '{"tool":"call","args":{"tool":"GetUser","args":{"id":5}}}',
      ["call", '{"tool":"GetUser","args":{"id":5}}'],
    ],
    [
      "gives a meta-tool back with arguments beside it",
      '{"tool":"discover","query":"user"}',
      ["discover", '{"query":"user"}'],
    ],
    [
      "keeps a parameter called args",
      '{"tool":"run","command":"ls","args":["-l"]}',
      ["run", '{"command":"ls","args":["-l"]}'],
    ],
    [
      "keeps a lone parameter called args that is no object",
      '{"tool":"run","args":["-l"]}',
      ["run", '{"args":["-l"]}'],
    ],
    [
      "takes args of a tool with a parameter called args",
      '{"tool":"run","args":{"command":"ls","args":["-l"]}}',
      ["run", '{"command":"ls","args":["-l"]}'],
    ],
    [
      "keeps a parameter called input",
      '{"tool":"transform","input":{"a":1}}',
      ["transform", '{"input":{"a":1}}'],
    ],
    [
      "keeps a parameter called name",
      '{"tool":"rename","name":"rename","to":"b"}',
      ["rename", '{"name":"rename","to":"b"}'],
    ],
    [
      "keeps a parameter called tool",
      '{"tool":"describe_tool","args":{"tool":"describe_tool"}}',
      ["describe_tool", '{"tool":"describe_tool"}'],
    ],
    [
      "keeps __proto__ as an ordinary name",
      '{"tool":"x","__proto__":{"a":1}}',
      ["x", '{"__proto__":{"a":1}}'],
    ],
    ["takes the last of repeated members", '{"tool":"a","tool":"ping"}', ["ping", "{}"]],
  ];
  test.each(accepted)("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  const refused: [string, string | undefined, string][] = [
    [
      "text that is no JSON",
      '{"tool":"GetUser","args":"not json"}',
      `Cannot call "GetUser": args must be an object, found "not json". ${FORM}`,
    ],
    [
      "an array",
      '{"tool":"GetUser","args":[5]}',
      `Cannot call "GetUser": args must be an object, found [5]. ${FORM}`,
    ],
    [
      "an empty array",
      '{"tool":"GetUser","args":[]}',
      `Cannot call "GetUser": args must be an object, found []. ${FORM}`,
    ],
    [
      "an array in a string",
      '{"tool":"GetUser","args":"[5]"}',
      `Cannot call "GetUser": args must be an object, found "[5]". ${FORM}`,
    ],
    [
      "a number",
      '{"tool":"GetUser","args":5}',
      `Cannot call "GetUser": args must be an object, found 5. ${FORM}`,
    ],
    [
      "half of an object in a string",
      '{"tool":"GetUser","args":"{\\"id\\":5"}',
      `Cannot call "GetUser": args must be an object, found "{\\"id\\":5". ${FORM}`,
    ],
    [
      "something beside filled args",
      '{"tool":"GetUser","args":{"id":5},"reason":"why","id":6}',
      `Cannot call "GetUser": "reason", "id" beside args, all arguments must be in one object. ${FORM}`,
    ],
    [
      "something beside filled arguments",
      '{"tool":"GetUser","arguments":{"id":5},"reason":"why"}',
      `Cannot call "GetUser": "reason" beside arguments, all arguments must be in one object. ${FORM}`,
    ],
    [
      "no arguments at all",
      undefined,
      `Cannot call a tool: an object with the tool's name is wanted. ${NAMELESS}`,
    ],
    ["no tool", "{}", `Cannot call a tool: the name of the tool is missing. ${NAMELESS}`],
    [
      "no tool but args",
      '{"args":{"id":5}}',
      `Cannot call a tool: the name of the tool is missing. ${NAMELESS}`,
    ],
    [
      "a tool that is no name",
      '{"tool":5,"args":{}}',
      `Cannot call a tool: tool must be a name, found 5. ${NAMELESS}`,
    ],
    [
      "an empty name",
      '{"tool":" "}',
      `Cannot call a tool: tool must be a name, found " ". ${NAMELESS}`,
    ],
    [
      "an array instead of the whole",
      '["GetUser"]',
      `Cannot call a tool: an object with the tool's name is wanted. ${NAMELESS}`,
    ],
    [
      "endless wrapping",
      `${'{"call":'.repeat(9)}{"tool":"ping"}${"}".repeat(9)}`,
      `Cannot call a tool: the name of the tool is missing. ${NAMELESS}`,
    ],
  ];
  test.each(refused)("refuses %s", (_, text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("gives every object back as it was written, whichever shape carries it", () => {
    const argument = fc.dictionary(
      fc.string().filter((key) => !["args", "tool", "name", "__proto__"].includes(key)),
      fc.jsonValue(),
      { minKeys: 1 },
    );
    const shapes: ((text: string) => string)[] = [
      (text) => `{"tool":"Echo","args":${text}}`,
      (text) => `{"args":${JSON.stringify(text)},"tool":"Echo"}`,
      (text) => `{"name":"Echo","arguments":${text}}`,
      (text) => `{"tool":{"name":"Echo","arguments":${JSON.stringify(text)}}}`,
    ];
    fc.assert(
      fc.property(argument, fc.constantFrom(...shapes), (args, shape) => {
        const text = JSON.stringify(args);
        expect(parseCallArguments(shape(text))).toEqual({
          tool: "Echo",
          argsText: text,
          args: JSON.parse(text),
        });
      }),
    );
  });

  test("never turns something into nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom("args", "arguments", "id"), fc.jsonValue(), (key, value) => {
        const parsed = parseCallArguments(JSON.stringify({ tool: "Echo", [key]: value }));
        if ("refusal" in parsed || Object.keys(parsed.args).length > 0) return;
        const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
        expect(["", "null", "{}", '""']).toContain(text);
      }),
    );
  });
});

describe("findPlainCall()", () => {
  test("says the same as parseCallArguments, or nothing", () => {
    const key = fc.constantFrom("id", "args", "tool", "name", "input", "arguments", "command", "x");
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(key, fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.dictionary(key, fc.integer()))),
    );
    const tool = fc.oneof(fc.constantFrom(...Object.keys(OWN), " GetUser ", "Other", ""), value);
    const given = fc.oneof(
      fc.record({ tool, args: value }, { requiredKeys: ["tool", "args"] }),
      fc.dictionary(key, value),
      value,
    );
    let found = 0;
    fc.assert(
      fc.property(given, (args) => {
        const text = JSON.stringify(args);
        const plain = findPlainCall(JSON.parse(text));
        if (plain === undefined) return;
        found += 1;
        const argsText = memberText(text, ["args"]) ?? "";
        expect(parseCallArguments(text, context)).toEqual({ ...plain, argsText });
      }),
      { numRuns: 1000 },
    );
    expect(found).toBeGreaterThan(20);
  });
});
