import { describe, expect, test } from "bun:test";
import { Ajv } from "ajv";
import fc from "fast-check";
import serversSchema from "../../facade.servers.schema.json" with { type: "json" };
import { checkEntry, checkServers } from "../../lib/config/check.ts";
import { conforms, ENTRY_SCHEMA, isServerName, SERVERS_SCHEMA } from "../../lib/config/form.ts";
import { isObject } from "../../lib/json-rpc.ts";

/** What form.ts and check.ts interpret. A keyword that is missing here is missing there as well. */
const INTERPRETED = {
  annotations: ["$schema", "title", "description", "default", "allowComments"],
  assertions: ["$ref", "definitions", "type", "enum", "pattern", "minLength", "minItems", "items"],
  ofObjects: ["properties", "propertyNames", "additionalProperties", "required", "dependencies"],
  others: ["oneOf", "allowTrailingCommas"],
};

const FULL_HTTP = {
  upstream: {
    url: "https://mcp.example.com/mcp",
    transport: "sse",
    headers: { "X-Key": "one", Accept: "two" },
    credentialId: "cred-1",
    tokenCommand: ["cli", "token"],
    renewCommand: null,
  },
  used: ["GetUser"],
  hidden: ["delete_*"],
  ttl: "12h",
  timeout: "5m",
  connectTimeout: "10s",
  metaPrefix: "acme_",
  validate: false,
};
const FULL_STDIO = {
  upstream: {
    command: "server",
    args: ["--flag", ""],
    cwd: "~/work",
    env: { A: "1", B: "2" },
    envFrom: "claude:acme",
  },
  used: [],
};
const SAMPLES = [
  { $schema: "./facade.servers.schema.json", acme: FULL_HTTP, "beta-2": FULL_STDIO },
  { acme: { upstream: { url: "http://localhost" } }, beta: FULL_HTTP },
  { "a.b": { upstream: { command: "server" } } },
];

const VALUES = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1.5,
    "",
    "x",
    "7d",
    "0s",
    "1y",
    "sse",
    "http",
    "ftp",
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [""],
    ["x"],
    [1],
    { a: 1 },
    { a: "b" },
    { "": "x" },
    { "a b": "c" },
  ),
  fc.constantFrom<unknown>(FULL_HTTP, FULL_STDIO, FULL_HTTP.upstream, "a=b", { "A=B": "c" }),
  fc.constantFrom<unknown>("a".repeat(33), "ä", "a\nb", "-", "1000000s", "999999d", "01s", "7d\n"),
  fc.jsonValue({ maxDepth: 1 }),
);
const KEYS = fc.oneof(
  fc.constantFrom(...Object.keys(FULL_HTTP), ...Object.keys(FULL_HTTP.upstream)),
  fc.constantFrom(...Object.keys(FULL_STDIO.upstream), "$schema", "acme", "beta", "__proto__"),
  fc.constantFrom("constructor", ".", "..", "...", ".a", "a/b", "a".repeat(64), "a".repeat(65), ""),
  fc.string({ maxLength: 3 }),
);
const MUTATION = fc.record({
  steps: fc.array(fc.nat(), { maxLength: 5 }),
  key: KEYS,
  value: VALUES,
});
type Mutation = { steps: number[]; key: string; value: unknown };

/** `root` with a member set or taken out somewhere below. */
function mutate(root: unknown, mutation: Mutation): unknown {
  const { steps, key, value } = mutation;
  const [step, ...rest] = steps;
  if (Array.isArray(root)) {
    if (step === undefined || root.length === 0) return [...root, value];
    const at = step % root.length;
    return root.map((item, index) =>
      index === at ? mutate(item, { steps: rest, key, value }) : item,
    );
  }
  if (!isObject(root)) return value;
  const names = Object.keys(root);
  const entries = Object.entries(root);
  if (step === undefined || names.length === 0)
    return Object.fromEntries([...entries, [key, value]]);
  const at = step % (names.length + 1);
  if (at === names.length) return Object.fromEntries(entries.slice(0, -1));
  return Object.fromEntries(
    entries.map(([name, member], index) => [
      name,
      index === at ? mutate(member, { steps: rest, key, value }) : member,
    ]),
  );
}

const CONFIGURATION = fc
  .tuple(fc.constantFrom(...SAMPLES), fc.array(MUTATION, { maxLength: 3 }))
  .map(([sample, mutations]) => mutations.reduce<unknown>(mutate, sample));

const ajv = new Ajv({ strict: false, logger: false });
const acceptsServers = ajv.compile(serversSchema);
const acceptsEntry = ajv.compile({
  $ref: "#/definitions/server",
  definitions: serversSchema.definitions,
});

describe("conforms()", () => {
  test("accepts the samples the mutations start from", () => {
    expect(SAMPLES.map((sample) => conforms(sample, SERVERS_SCHEMA))).toEqual([true, true, true]);
  });

  test("gives ajv's verdict for any configuration, and check.ts has words exactly for a no", () => {
    const verdicts = { yes: 0, no: 0 };
    fc.assert(
      fc.property(CONFIGURATION, (configuration) => {
        const verdict = acceptsServers(configuration);
        verdicts[verdict ? "yes" : "no"] += 1;
        expect(conforms(configuration, SERVERS_SCHEMA)).toBe(verdict);
        expect(checkServers(configuration).length === 0).toBe(verdict);
        for (const entry of Object.values(isObject(configuration) ? configuration : {})) {
          expect(conforms(entry, ENTRY_SCHEMA)).toBe(acceptsEntry(entry));
          expect(checkEntry(entry).length === 0).toBe(conforms(entry, ENTRY_SCHEMA));
        }
      }),
      { numRuns: 2000 },
    );
    // The generator is worth nothing when it only makes configurations of one kind.
    expect(Math.min(verdicts.yes, verdicts.no)).toBeGreaterThan(100);
  });

  test("interprets every keyword of the shipped schema", () => {
    const known = Object.values(INTERPRETED).flat();
    expect([...keywordsOf(serversSchema)].filter((keyword) => !known.includes(keyword))).toEqual(
      [],
    );
  });

  test("the shipped schema is a valid draft-07 schema", () => {
    expect(ajv.validateSchema(serversSchema)).toBe(true);
  });
});

describe("isServerName()", () => {
  test.each([
    ["acme", true],
    ["A.b_c-1", true],
    ["a".repeat(64), true],
    [".hidden", true],
    ["__proto__", true],
    ["a".repeat(65), false],
    ["", false],
    [".", false],
    ["..", false],
    ["....", false],
    ["../x", false],
    ["a/b", false],
    ["a\\b", false],
    ["a b", false],
    ["a\n", false],
    ["ä", false],
    ["$schema", false],
  ])("%j: %p", (name, verdict) => {
    expect(isServerName(name)).toBe(verdict);
  });
});

/** Names used as keywords: those of schemas, not those of properties or definitions. */
function keywordsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) keywordsOf(item, found);
  if (!isObject(schema)) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (keyword === "properties" || keyword === "definitions") {
      for (const member of Object.values(isObject(value) ? value : {})) keywordsOf(member, found);
    } else if (keyword !== "default" && keyword !== "dependencies") {
      keywordsOf(value, found);
    }
  }
  return found;
}
