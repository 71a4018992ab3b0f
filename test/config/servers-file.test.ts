// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts as a configuration holds them
import { describe, expect, test } from "bun:test";
import type { ServerEntry } from "../../lib/config/server-entry.ts";
import { parseAllServers, parseServersFile } from "../../lib/config/servers-file.ts";
import { ConfigError } from "../../lib/errors.ts";

const FILE = "/etc/facade/facade.servers.json";
const ENVIRONMENT = { HOST: "mcp.example.com", DB_PASS: "hunter2-planted", EMPTY: "", DIR: "~/x" };

function parse(config: unknown, server = "acme"): Promise<ServerEntry> {
  const text = typeof config === "string" ? config : JSON.stringify(config);
  return parseServersFile({
    text,
    file: FILE,
    server,
    environment: ENVIRONMENT,
    home: "/home/ann",
  });
}

/** The lines of the refusal, without the name of the file. */
async function refusal(config: unknown, server = "acme"): Promise<string[]> {
  try {
    await parse(config, server);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.exitCode).toBe(2);
    for (const line of error.message.split("\n")) expect(line).toStartWith(`${FILE}: `);
    return error.message.split("\n").map((line) => line.slice(FILE.length + 2));
  }
  return ["accepted"];
}

/** The refusal of an entry called acme, without its name. */
async function entryRefusal(entry: unknown): Promise<string[]> {
  const lines = await refusal({ acme: entry });
  return lines.map((line) => line.replace('server "acme": ', ""));
}

const upstreamRefusal = (upstream: unknown) => entryRefusal({ upstream });

describe("parseServersFile()", () => {
  test("fills in the defaults of a stdio upstream", async () => {
    expect(await parse({ acme: { upstream: { command: "server" } } })).toEqual({
      name: "acme",
      upstream: {
        kind: "stdio",
        command: "server",
        args: [],
        cwd: undefined,
        env: {},
        envFrom: undefined,
      },
      used: [],
      hidden: [],
      ttlMs: 604_800_000,
      timeoutMs: 600_000,
      connectTimeoutMs: 30_000,
      metaPrefix: "",
      validate: true,
      identity: expect.any(String),
      secrets: [],
    });
  });

  test("resolves every field of an HTTP upstream", async () => {
    const entry = await parse({
      acme: {
        upstream: {
          url: "https://${HOST}/${PATH_OF:-mcp}",
          transport: "sse",
          headers: { Authorization: "Bearer ${DB_PASS}", Accept: "*/*" },
          credentialId: "cred-$&-1",
          tokenCommand: ["cli", "--id={credentialId}", "{credentialId}"],
          renewCommand: ["cli", "renew", "{credentialId}"],
        },
        used: ["B", "a"],
        hidden: ["x*"],
        ttl: "90s",
        timeout: "250ms",
        connectTimeout: "2h",
        metaPrefix: "p_",
        validate: false,
      },
    });
    expect(entry).toEqual({
      name: "acme",
      upstream: {
        kind: "sse",
        url: "https://mcp.example.com/mcp",
        headers: { Authorization: "Bearer hunter2-planted", Accept: "*/*" },
        credential: {
          id: "cred-$&-1",
          tokenCommand: ["cli", "--id=cred-$&-1", "cred-$&-1"],
          renewCommand: ["cli", "renew", "cred-$&-1"],
        },
      },
      used: ["B", "a"],
      hidden: ["x*"],
      ttlMs: 90_000,
      timeoutMs: 250,
      connectTimeoutMs: 7_200_000,
      metaPrefix: "p_",
      validate: false,
      identity: expect.any(String),
      secrets: ["hunter2-planted", "Bearer hunter2-planted"],
    });
  });

  test("asks omp when no token command is named, and nothing is forced with renewCommand null", async () => {
    const url = "https://example.com";
    const withDefaults = await parse({ acme: { upstream: { url, credentialId: "c" } } });
    const unforced = await parse({
      acme: { upstream: { url, credentialId: "c", renewCommand: null } },
    });
    expect([withDefaults.upstream, unforced.upstream]).toEqual([
      {
        kind: "http",
        url,
        headers: {},
        credential: {
          id: "c",
          tokenCommand: ["omp", "token", "c"],
          renewCommand: ["omp", "token", "--force-refresh", "c"],
        },
      },
      {
        kind: "http",
        url,
        headers: {},
        credential: { id: "c", tokenCommand: ["omp", "token", "c"], renewCommand: undefined },
      },
    ]);
  });

  test.each([
    ["~/bin/x", "/home/ann/bin/x"],
    ["~", "~"],
    ["~bob/x", "~bob/x"],
    ["a~/x", "a~/x"],
    ["${DIR}", "~/x"],
    ["~/${DIR}", "/home/ann/~/x"],
  ])("command %p is %p", async (command, expanded) => {
    const { upstream } = await parse({
      acme: { upstream: { command, args: ["~/a"], env: { B: "~/b" } } },
    });
    expect(upstream).toMatchObject({ command: expanded, args: ["~/a"], env: { B: "~/b" } });
  });

  test.each([
    ["/opt/x", "/opt/x"],
    ["C:\\x", "C:\\x"],
    ["~/x", "/home/ann/x"],
    [".", "/etc/facade"],
    ["./x", "/etc/facade/x"],
    ["x/y", "/etc/facade/x/y"],
    ["../x", "/etc/facade/../x"],
  ])("cwd %p is %p", async (cwd, expanded) => {
    const { upstream } = await parse({ acme: { upstream: { command: "x", cwd } } });
    expect(upstream).toMatchObject({ cwd: expanded });
  });

  test("a relative cwd starts in the root, or where the facade was started, with such a file", async () => {
    const cwdOf = async (file: string, cwd: string) => {
      const text = JSON.stringify({ acme: { upstream: { command: "x", cwd } } });
      const options = { text, server: "acme", environment: {}, home: "/home/ann" };
      return (await parseServersFile({ ...options, file })).upstream;
    };
    expect(await cwdOf("/servers.json", "x")).toMatchObject({ cwd: "/x" });
    expect(await cwdOf("/servers.json", ".")).toMatchObject({ cwd: "/" });
    expect(await cwdOf("servers.json", "x")).toMatchObject({ cwd: "./x" });
  });

  test("accepts comments, trailing commas and a byte-order mark", async () => {
    const text = `\ufeff// servers
      {"$schema": "./facade.servers.schema.json", /* one */ "acme": {"upstream": {"command": "x",},},}`;
    expect((await parse(text)).upstream).toMatchObject({ command: "x" });
  });

  test("ignores what is wrong with other entries", async () => {
    const config = {
      acme: { upstream: { command: "x" } },
      beta: { upstream: 5, odd: 1 },
      "a/b": 1,
    };
    expect((await parse(config)).name).toBe("acme");
  });

  test("an entry called like a member of every object is an entry like any other", async () => {
    const text = '{"__proto__": {"upstream": {"command": "x", "env": {"__proto__": "e"}}}}';
    const entry = await parse(text, "__proto__");
    expect(entry.upstream).toHaveProperty("env", JSON.parse('{"__proto__": "e"}'));
    expect(await refusal(text, "constructor")).toEqual([
      'server "constructor": not found, wanted one of __proto__',
    ]);
  });

  test("tells where a text stops being JSON", async () => {
    expect(await refusal('{"acme": {"upstream":')).toEqual([
      "line 1, column 22: found the end of the file, wanted a value",
    ]);
    expect(await refusal("[]")).toEqual(["found an array, wanted an object of servers"]);
    expect(await refusal("")).toEqual([
      "line 1, column 1: found the end of the file, wanted a value",
    ]);
  });

  test("names the known servers, the nearest first", async () => {
    const entry = { upstream: { command: "x" } };
    expect(await refusal({ acme: entry, beta: entry }, "nope")).toEqual([
      'server "nope": not found, wanted one of acme, beta',
    ]);
    expect(await refusal({ acme: entry, beta: entry }, "acne")).toEqual([
      'server "acne": not found, wanted "acme" or another of acme, beta',
    ]);
    expect(await refusal({ $schema: "x" })).toEqual([
      'server "acme": not found, wanted a server of this file, which has none yet',
    ]);
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`s${index}`, entry]));
    expect(await refusal(many, "other")).toEqual([
      `server "other": not found, wanted one of ${Object.keys(many).slice(0, 20).join(", ")} and 5 more`,
    ]);
  });

  test("refuses a name that could leave the catalog folder, also when the file has it", async () => {
    const config = { "../x": { upstream: { command: "x" } }, ok: {} };
    expect(await refusal(config, "../x")).toEqual(['server "../x": not found, wanted one of ok']);
    expect(await refusal(config, "$schema")).toEqual([
      'server "$schema": not found, wanted one of ok',
    ]);
  });

  test("tells all problems at once: form, variables and meaning", async () => {
    expect(
      await entryRefusal({
        upstream: {
          url: "https://${NOWHERE}/",
          headers: { A: "${NOR}${THERE}" },
          transprot: "sse",
        },
        used: "GetUser",
        hidden: ["a", ""],
        ttl: "7 days",
        timeout: "25d",
        validate: "yes",
        usde: [],
      }),
    ).toEqual([
      'upstream.transprot: unknown key, wanted "transport"',
      "used: found a string, wanted an array of non-empty strings",
      "hidden[1]: found an empty string, wanted a non-empty string",
      'ttl: found "7 days", wanted a duration such as "15m", "12h" or "7d" (units ms, s, m, h, d)',
      "validate: found a string, wanted true or false",
      'usde: unknown key, wanted "used"',
      "upstream.url: found the unset variable NOWHERE, wanted it set or ${NOWHERE:-default}",
      "upstream.headers.A: found the unset variable NOR, wanted it set or ${NOR:-default}",
      "upstream.headers.A: found the unset variable THERE, wanted it set or ${THERE:-default}",
      'timeout: found "25d", wanted at most "24d"',
    ]);
  });

  test("tells which members may not stand together", async () => {
    const neither =
      "upstream: found neither url nor command, wanted exactly one of url and command";
    expect(await upstreamRefusal({})).toEqual([neither]);
    expect(await upstreamRefusal({ args: [] })).toEqual([neither]);
    expect(await upstreamRefusal({ url: "https://x", command: "y" })).toEqual([
      "upstream: found url and command, wanted exactly one of url and command",
    ]);
    expect(
      await upstreamRefusal({
        command: "x",
        transport: "http",
        headers: {},
        credentialId: "c",
        tokenCommand: ["t"],
      }),
    ).toEqual([
      "upstream.transport: found without url, wanted only together with url",
      "upstream.headers: found without url, wanted only together with url",
      "upstream.credentialId: found without url, wanted only together with url",
    ]);
    expect(
      await upstreamRefusal({
        url: "https://x",
        args: [],
        cwd: "/",
        env: {},
        envFrom: "claude:x",
        renewCommand: null,
      }),
    ).toEqual([
      "upstream.renewCommand: found without credentialId, wanted only together with credentialId",
      "upstream.args: found without command, wanted only together with command",
      "upstream.cwd: found without command, wanted only together with command",
      "upstream.env: found without command, wanted only together with command",
      "upstream.envFrom: found without command, wanted only together with command",
    ]);
  });

  test.each<[unknown, string]>([
    [null, "found null, wanted an object"],
    [{}, "upstream: missing, wanted an object with url or command"],
    [{ upstream: [] }, "upstream: found an array, wanted an object with url or command"],
    [
      { upstream: { command: 5 } },
      "upstream.command: found a number, wanted a non-empty string in quotes",
    ],
    [
      { upstream: { command: "" } },
      "upstream.command: found an empty string, wanted a non-empty string",
    ],
    [
      { upstream: { command: "x", args: [1] } },
      "upstream.args[0]: found a number, wanted a string in quotes",
    ],
    [
      { upstream: { command: "x", env: { PORT: 80 } } },
      "upstream.env.PORT: found a number, wanted a string in quotes",
    ],
    [
      { upstream: { command: "x", env: { ON: true } } },
      "upstream.env.ON: found true, wanted a string in quotes",
    ],
    [
      { upstream: { command: "x", env: { "A=B": "" } } },
      'upstream.env["A=B"]: found this name, wanted an environment variable name without "="',
    ],
    [
      { upstream: { command: "x", env: { A: "b\0" } } },
      "upstream.env.A: found a NUL character, wanted a text without",
    ],
    [
      { upstream: { url: "example.com/mcp" } },
      "upstream.url: found a text that is no URL, wanted one such as https://example.com/mcp",
    ],
    [
      { upstream: { url: "ws://example.com" } },
      'upstream.url: found "ws:", wanted "http:" or "https:"',
    ],
    [
      { upstream: { url: "https://x", transport: "ws" } },
      'upstream.transport: found "ws", wanted "http" or "sse"',
    ],
    [
      { upstream: { url: "https://x", headers: { "A B": "c" } } },
      'upstream.headers["A B"]: found this name, wanted an HTTP header name',
    ],
    [
      { upstream: { url: "https://x", headers: { A: "b\r\nC: d" } } },
      "upstream.headers.A: found a line break, control or non-Latin-1 character, wanted a legal value",
    ],
    [
      { upstream: { url: "https://x", headers: { A: "€" } } },
      "upstream.headers.A: found a line break, control or non-Latin-1 character, wanted a legal value",
    ],
    [
      { upstream: { url: "https://x", credentialId: "c", tokenCommand: [] } },
      "upstream.tokenCommand: found an empty array, wanted an array of a program and its arguments",
    ],
    [
      { upstream: { url: "https://x", credentialId: "c", tokenCommand: "omp token" } },
      "upstream.tokenCommand: found a string, wanted an array of a program and its arguments",
    ],
    [
      { upstream: { url: "https://x", credentialId: "c", renewCommand: false } },
      "upstream.renewCommand: found false, wanted an array of a program and its arguments, or null",
    ],
    [
      { upstream: { command: "x" }, metaPrefix: "a b" },
      'metaPrefix: found "a b", wanted up to 32 letters, digits, "_" or "-"',
    ],
    [
      { upstream: { command: "x" }, timeout: "0s" },
      'timeout: found "0s", wanted a duration above zero such as "30s" or "10m" (units ms, s, m, h, d)',
    ],
    [
      { upstream: { command: "x" }, ttl: 60 },
      'ttl: found a number, wanted a duration such as "15m", "12h" or "7d" (units ms, s, m, h, d) in quotes',
    ],
    [
      { upstream: { command: "x" }, args: ["y"] },
      'args: unknown key, wanted "upstream": { "args": ... }',
    ],
    [
      { upstream: { command: "x" }, zzz: 1 },
      "zzz: unknown key, wanted one of upstream, used, hidden, ttl, timeout, connectTimeout, metaPrefix, validate",
    ],
  ])("refuses %j", async (entry, line) => {
    expect(await entryRefusal(entry)).toEqual([line]);
  });

  test("an empty set variable counts as set, and a default may be empty", async () => {
    const { upstream } = await parse({
      acme: { upstream: { command: "x", args: ["a${EMPTY}b", "${NO:-}"] } },
    });
    expect(upstream).toMatchObject({ args: ["ab", ""] });
  });

  test("tells members that are there twice, in the entry and as a whole", async () => {
    const entry = '{"upstream": {"command": "x"}, "used": [], "used": ["a"]}';
    expect(await refusal(`{"acme": ${entry}}`)).toEqual([
      'server "acme": used: found more than once, wanted once',
    ]);
    const plain = '{"upstream": {"command": "x"}}';
    expect(await refusal(`{"acme": ${plain}, "acme": ${plain}}`)).toEqual([
      'server "acme": found more than once, wanted once',
    ]);
    expect((await parse(`{"beta": ${entry}, "acme": ${plain}}`)).name).toBe("acme");
  });

  test("shows no value that may be a secret", async () => {
    const planted = "planted-secret-value";
    const lines = [
      ...(await upstreamRefusal({ url: planted, headers: { A: [planted], B: `${planted}\n` } })),
      ...(await upstreamRefusal({ url: "https://x", headers: planted })),
      ...(await upstreamRefusal({ command: "x", env: planted, args: planted })),
      ...(await upstreamRefusal({ command: "x", env: { A: { planted } } })),
      ...(await refusal(`{"acme": {"upstream": ${planted}}}`)),
    ];
    expect(lines.length).toBe(8);
    expect(lines.join("\n")).not.toContain(planted);
  });
});

describe("parseAllServers()", () => {
  const all = (text: string) =>
    parseAllServers({ text, file: FILE, environment: {}, home: "/home/ann" });

  test("gives the entries that are right and the problems of all others", async () => {
    const { entries, problems } = await all(`{
      "$schema": 5,
      "acme": {"upstream": {"command": "x"}},
      "beta": {"upstream": {"url": "https://\${UNSET}"}},
      "gamma": {"upstream": {"command": "x"}, "ttl": "1d", "ttl": "2d"},
      "a/b": {"upstream": {"command": "x"}},
    }`);
    expect(entries.map((entry) => entry.name)).toEqual(["acme"]);
    expect(problems).toEqual([
      { file: FILE, field: "$schema", state: "found a number, wanted a string in quotes" },
      {
        file: FILE,
        server: "beta",
        field: "upstream.url",
        state: "found the unset variable UNSET, wanted it set or ${UNSET:-default}",
      },
      { file: FILE, server: "gamma", field: "ttl", state: "found more than once, wanted once" },
      {
        file: FILE,
        server: "a/b",
        state:
          'found this name, wanted a server name of 1 to 64 letters, digits, ".", "_" or "-", not only dots',
      },
    ]);
  });

  test("an empty map has neither entries nor problems", async () => {
    expect(await all("{}")).toEqual({ entries: [], problems: [] });
  });

  test("throws when there is no map", async () => {
    expect(all("null")).rejects.toThrow(`${FILE}: found null, wanted an object of servers`);
  });
});
