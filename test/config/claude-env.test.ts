// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts as a configuration holds them
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type ClaudeEnv, EnvFromError, loadClaudeEnv } from "../../lib/config/claude-env.ts";
import { createWorkspace } from "../support/workspace.ts";

const ENVIRONMENT = { REGION: "eu", EMPTY: "" };

/** What is loaded with this text in ~/.claude.json, or the refusal. */
function load(settings: unknown, source = "claude:acme"): ClaudeEnv | string {
  using workspace = createWorkspace();
  if (settings !== undefined) {
    workspace.write(".claude.json", typeof settings === "string" ? settings : Object(settings));
  }
  return loadOrMessage(source, workspace.folder);
}

function loadOrMessage(source: string, home: string): ClaudeEnv | string {
  try {
    return loadClaudeEnv({ source, home, environment: ENVIRONMENT });
  } catch (error) {
    if (!(error instanceof EnvFromError)) throw error;
    return error.message;
  }
}

const withEnv = (env: unknown) => ({ mcpServers: { acme: { command: "x", env } } });

describe("loadClaudeEnv()", () => {
  test("gives the variables of the entry, expanded", () => {
    const env = { A: "claude-a", B: "${REGION}-1", C: "${NO:-d}", D: "${EMPTY}", E: "" };
    expect(load(withEnv(env))).toEqual({
      env: { A: "claude-a", B: "eu-1", C: "d", D: "", E: "" },
      warnings: [],
    });
  });

  test("leaves out what cannot be passed on, and says so without the value", () => {
    const env = {
      A: "planted ${GONE} ${GONE_TOO}",
      B: 5,
      C: "x\0y",
      "D=E": "planted",
      "": "z",
      F: "f",
    };
    expect(load(withEnv(env))).toEqual({
      env: { F: "f" },
      warnings: [
        'envFrom "claude:acme": A is left out, as GONE, GONE_TOO is not set',
        'envFrom "claude:acme": B is left out, as its value is not a string',
        'envFrom "claude:acme": C is left out, as its value holds a NUL character',
        'envFrom "claude:acme": D=E is left out, as it is no name of a variable',
        'envFrom "claude:acme":  is left out, as it is no name of a variable',
      ],
    });
  });

  test("an entry without env has no variables", () => {
    expect(load({ mcpServers: { acme: { command: "x" } } })).toEqual({ env: {}, warnings: [] });
  });

  test("accepts a byte-order mark", () => {
    expect(load(`\ufeff${JSON.stringify(withEnv({ A: "1" }))}`)).toEqual({
      env: { A: "1" },
      warnings: [],
    });
  });

  test("takes names of members of every object for what they are", () => {
    const text = '{"mcpServers": {"__proto__": {"env": {"__proto__": "p", "constructor": "c"}}}}';
    const loaded = load(text, "claude:__proto__");
    expect(loaded).toEqual({
      env: JSON.parse('{"__proto__": "p", "constructor": "c"}'),
      warnings: [],
    });
    expect(load(text, "claude:constructor")).toBe(
      'Cannot follow envFrom "claude:constructor": ~/.claude.json has no mcpServers.constructor, wanted one of its entries: __proto__',
    );
    expect(Reflect.get({}, "p")).toBeUndefined();
  });

  test.each<[string, unknown, string, string]>([
    [
      "an entry that is missing",
      withEnv({}),
      "claude:nope",
      '"claude:nope": ~/.claude.json has no mcpServers.nope, wanted one of its entries: acme',
    ],
    [
      "an entry that is nearly there",
      withEnv({}),
      "claude:acmee",
      '"claude:acmee": ~/.claude.json has no mcpServers.acmee, wanted one of its entries: "acme"',
    ],
    ["no entries", {}, "claude:acme", '"claude:acme": ~/.claude.json has no mcpServers.acme'],
    [
      "an unknown prefix",
      withEnv({}),
      "vault:acme",
      '"vault:acme": unknown prefix "vault", wanted claude:NAME',
    ],
    ["no prefix", withEnv({}), "acme", '"acme": no prefix, wanted claude:NAME'],
    ["no name", withEnv({}), "claude:", '"claude:": no name after the prefix, wanted claude:NAME'],
    ["no file", undefined, "claude:acme", '"claude:acme": there is no ~/.claude.json'],
    [
      "a file cut off",
      '{"mcpServers": {"acme": {"env": {"SEC": "planted',
      "claude:acme",
      '"claude:acme": ~/.claude.json is not valid JSON, it may be cut off',
    ],
    [
      "a file that is no object",
      "[]",
      "claude:acme",
      '"claude:acme": ~/.claude.json holds no object of mcpServers',
    ],
    [
      "servers that are no object",
      { mcpServers: [] },
      "claude:acme",
      '"claude:acme": ~/.claude.json holds no object of mcpServers',
    ],
    [
      "an entry that is no object",
      { mcpServers: { acme: "x" } },
      "claude:acme",
      '"claude:acme": mcpServers.acme.env in ~/.claude.json is not an object',
    ],
    [
      "an env that is no object",
      withEnv(["A=planted"]),
      "claude:acme",
      '"claude:acme": mcpServers.acme.env in ~/.claude.json is not an object',
    ],
  ])("refuses %s", (_case, settings, source, message) => {
    expect(load(settings, source)).toBe(`Cannot follow envFrom ${message}`);
  });

  test("names a file that cannot be read", () => {
    using workspace = createWorkspace();
    mkdirSync(join(workspace.folder, ".claude.json"));
    expect(loadOrMessage("claude:acme", workspace.folder)).toBe(
      'Cannot follow envFrom "claude:acme": ~/.claude.json is unreadable (EISDIR)',
    );
  });

  test("names a file that is not for us to read", () => {
    using workspace = createWorkspace();
    chmodSync(workspace.write(".claude.json", withEnv({ A: "1" })), 0o000);
    const isRoot = process.getuid?.() === 0;
    const refused = 'Cannot follow envFrom "claude:acme": ~/.claude.json is unreadable (EACCES)';
    expect(loadOrMessage("claude:acme", workspace.folder)).toEqual(
      isRoot ? { env: { A: "1" }, warnings: [] } : refused,
    );
  });
});
