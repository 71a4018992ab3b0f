import { describe, expect, test } from "bun:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { renderProblems } from "../../lib/schema/problems.ts";
import { createValidator } from "../../lib/schema/validate.ts";

const TOOL = {
  name: "create_issue",
  inputSchema: {
    type: "object",
    properties: {
      owner: { type: "string", description: "Owner of the repository." },
      repo: { type: "string", description: "Name of the repository." },
      title: { type: "string", minLength: 1 },
      body: { type: "string" },
      state: { type: "string", enum: ["open", "closed"] },
      labels: { type: "array", items: { type: "string" } },
      milestone: { type: "integer", minimum: 1 },
      priority: { type: "integer", minimum: 1, maximum: 5 },
    },
    required: ["owner", "repo", "title"],
    additionalProperties: false,
  },
};
const SIGNATURE =
  'create_issue(owner: string, repo: string, title: string, body?: string, state?: "open" | "closed", labels?: string[], milestone?: integer, priority?: integer)';

describe("renderProblems()", () => {
  test("writes one line a problem, then the signature", () => {
    const args = { owner: "a", repo: "b", titel: "x", labels: "bug", milestone: "3" };
    const text = renderProblems(TOOL, createValidator().check(TOOL, args));
    expect(text).toBe(
      [
        "title: missing, wanted string",
        "titel: unknown, wanted title",
        'labels: found "bug", wanted string[]',
        'milestone: found "3", wanted integer',
        SIGNATURE,
      ].join("\n"),
    );
    expect(encode(text).length).toBeLessThanOrEqual(150);
  });

  test("counts what is more than eight", () => {
    const problems = Array.from({ length: 20 }, (_, index) => ({
      path: `items[${index}]`,
      found: "1",
      wanted: "string",
    }));
    const lines = renderProblems(TOOL, problems).split("\n");
    expect([lines.length, lines[0], lines[8], lines[9]]).toEqual([
      10,
      "items[0]: found 1, wanted string",
      "and 12 more",
      SIGNATURE,
    ]);
  });

  test("calls the arguments as a whole args", () => {
    const problems = [{ path: "", found: "missing", wanted: "a or b" }];
    expect(renderProblems({ name: "t" }, problems)).toBe("args: missing, wanted a or b\nt()");
  });

  test("keeps values on one line, short and visible", () => {
    const tool = { name: "t", inputSchema: { properties: { n: { type: "integer" } } } };
    const long = `line\n\u202e${"x".repeat(500)}`;
    const text = renderProblems(tool, createValidator().check(tool, { n: long }));
    expect(text).toBe(`n: found "line\\n${"x".repeat(52)}…, wanted integer\nt(n?: integer)`);
  });

  test("names a few of a long list, the nearest first", () => {
    const values = ["AAA", "BBB", "CCC", "DDD", "Euro", "FFF", "GGG", "HHH", "III", "JJJ"];
    const tool = { name: "t", inputSchema: { properties: { c: { enum: values } } } };
    const text = renderProblems(tool, createValidator().check(tool, { c: "euros" }));
    expect(text.split("\n")[0]).toBe('c: found "euros", wanted one of 10 values such as "Euro"');
  });

  test("cuts the signature of a tool with very many parameters", () => {
    const names = Array.from({ length: 200 }, (_, index) => `parameter_${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const tool = { name: "t", inputSchema: { properties, required: ["parameter_7"] } };
    const text = renderProblems(tool, createValidator().check(tool, {}));
    expect(text).toStartWith("parameter_7: missing, wanted string\nt(parameter_7: string, ");
    expect(text).toEndWith(", …)");
    expect(encode(text).length).toBeLessThanOrEqual(150);
  });
});
