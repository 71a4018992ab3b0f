// The facade as a process: what it answers by itself, how it starts and how it ends.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { namesOf, startFacade, textOf } from "../support/facade-process.ts";
import { until } from "../support/until.ts";
import { createWorkspace, type Workspace } from "../support/workspace.ts";
import { startHttpUpstream } from "../upstreams/http-upstream.ts";

const SCRIPT = join(import.meta.dir, "../upstreams/stdio-upstream.ts");

const TOOLS: JsonObject[] = [
  {
    name: "GetUser",
    description: "Gets a user. More.",
    inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  },
  { name: "DropAll", description: "Drops everything.", inputSchema: { type: "object" } },
];

function configure(workspace: Workspace, upstream: object, more: object = {}): void {
  workspace.write("facade.servers.json", { acme: { upstream, used: ["GetUser"], ...more } });
}

function stdioUpstream(workspace: Workspace, ...flags: string[]): object {
  const log = join(workspace.folder, "up.log");
  return { command: process.execPath, args: [SCRIPT, "--log", log, ...flags] };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Process ids of the scripted upstream, as it logged them. */
function upstreamPids(workspace: Workspace): number[] {
  const lines = existsSync(join(workspace.folder, "up.log"))
    ? workspace.read("up.log").split("\n")
    : [];
  return [...new Set(lines.filter(Boolean).map((line) => Number(line.split(" ")[0])))];
}

describe("the meta-tools of a session", () => {
  test("refuse what never reaches the upstream, in words a model can act on", async () => {
    await using upstream = await startHttpUpstream({ tools: TOOLS });
    using workspace = createWorkspace();
    configure(workspace, { url: upstream.url }, { hidden: ["Drop*"] });
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    expect(namesOf(await facade.request("tools/list"))).toEqual([
      "getuser",
      "discover",
      "describe",
      "call",
    ]);
    const replies = [
      await facade.callTool("getuser", { id: "five" }),
      await facade.callTool("call", { tool: "GetUser" }),
      await facade.callTool("call", { tool: "GetUsr", args: {} }),
      await facade.callTool("call", { tool: "DropAll" }),
      await facade.callTool("dropall"),
      await facade.callTool("describe", { tool: "mcp__acme__DROPALL" }),
    ];
    expect(replies.map((reply) => reply.result?.isError)).toEqual(Array(6).fill(true));
    const absent = '"acme" does not offer it';
    expect(replies.map(textOf)).toEqual([
      'id: found "five", wanted integer\nGetUser(id: integer)',
      "id: missing, wanted integer\nGetUser(id: integer)",
      `Cannot find tool "GetUsr": ${absent}. The nearest names are: GetUser`,
      `Cannot find tool "DropAll": ${absent}. Use discover to find the right name`,
      `Cannot find tool "dropall": ${absent}. Use discover to find the right name`,
      `Cannot find tool "mcp__acme__DROPALL": ${absent}. Use discover to find the right name`,
    ]);
    expect(upstream.executions).toEqual([]);
    expect(textOf(await facade.callTool("discover", {}))).not.toContain("Drop");
  });

  test("carry out a meta-tool that was called through call, and numbers beyond 2^53", async () => {
    await using upstream = await startHttpUpstream({
      tools: [{ name: "Echo", inputSchema: { type: "object" } }],
    });
    using workspace = createWorkspace();
    configure(workspace, { url: upstream.url }, { used: [] });
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    expect(
      textOf(await facade.callTool("call", { tool: "discover", args: { query: "echo" } })),
    ).toContain("Echo(");
    facade.write(
      '{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"call","arguments":{"tool":"echo","args":{"n":12345678901234567890,"f":1.0}}}}\n',
    );
    await facade.reply("big");
    const sent = upstream.posts("tools/call")[0];
    expect(sent?.text).toContain('"arguments":{"n":12345678901234567890,"f":1.0}');
    expect(sent?.text).toContain('"name":"Echo"');
  });

  test("answer to their prefixed names when hosts mix the tools of all servers", async () => {
    await using upstream = await startHttpUpstream({
      tools: [{ name: "call", inputSchema: { type: "object" } }],
    });
    using workspace = createWorkspace();
    configure(workspace, { url: upstream.url }, { used: ["call"], metaPrefix: "acme_" });
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    expect(namesOf(await facade.request("tools/list"))).toEqual([
      "call",
      "acme_discover",
      "acme_describe",
      "acme_call",
    ]);
    await facade.callTool("call", { number: "1" });
    await facade.callTool("acme_call", { tool: "call", args: { number: "2" } });
    expect(upstream.executions.map((one) => one.args)).toEqual([{ number: "1" }, { number: "2" }]);
  });
});

describe("the messages of a session", () => {
  test("are answered before initialize only where nothing is needed", async () => {
    await using upstream = await startHttpUpstream({ tools: TOOLS });
    using workspace = createWorkspace();
    configure(workspace, { url: upstream.url });
    await using facade = startFacade({ folder: workspace.folder });
    const early = await facade.request("tools/list");
    expect(early.error).toEqual({
      code: -32600,
      message: 'Cannot serve "tools/list": the session is not open; send initialize first',
    });
    expect((await facade.request("ping")).result).toEqual({});
    expect((await facade.request("server/discover")).error?.code).toBe(-32601);
    expect(upstream.seen).toEqual([]);
  });

  test("that cannot be read are answered under their id", async () => {
    await using upstream = await startHttpUpstream({ tools: TOOLS });
    using workspace = createWorkspace();
    configure(workspace, { url: upstream.url });
    await using facade = startFacade({ folder: workspace.folder });
    facade.write('nonsense\n{"jsonrpc":"1.0","id":"x","method":"ping"}\n');
    const bad = await facade.message((one) => one.id === "x", "answer to x");
    expect(bad.error).toEqual({
      code: -32600,
      message: "Cannot read the message: found JSON that is no JSON-RPC 2.0 message",
    });
    expect(facade.messages[0]).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "Cannot read the message: found a line that is not JSON" },
    });
  });

  test("list the meta-tools alone with a reason when nothing listens, and recover", async () => {
    const reserved = await startHttpUpstream();
    const { url } = reserved;
    await reserved[Symbol.asyncDispose]();
    using workspace = createWorkspace();
    configure(workspace, { url });
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    expect(namesOf(await facade.request("tools/list"))).toEqual(["discover", "describe", "call"]);
    const state = `${new URL(url).host} refused the connection`;
    const reason = `Cannot reach "acme": ${state}. Check that the server runs, and upstream.url`;
    expect(facade.stderr()).toContain(`[acme] ${reason}`);
    const failed = await facade.callTool("getuser", { id: 1 });
    expect(failed.result?.isError).toBe(true);
    expect(textOf(failed)).toBe(reason);
  });

  test("reach a stale catalog when the upstream is gone", async () => {
    using workspace = createWorkspace();
    const first = await startHttpUpstream({ tools: TOOLS });
    configure(workspace, { url: first.url }, { ttl: "1ms" });
    {
      await using facade = startFacade({ folder: workspace.folder });
      await facade.initialize();
      await facade.request("tools/list");
    }
    await first[Symbol.asyncDispose]();
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    expect(namesOf(await facade.request("tools/list"))).toContain("getuser");
    expect(facade.stderr()).toContain("the last catalog is served");
  });
});

describe("the end of a session", () => {
  const ways: [string, (facade: ReturnType<typeof startFacade>) => void][] = [
    ["the end of stdin", (facade) => void facade.end()],
    ["SIGTERM", (facade) => facade.kill("SIGTERM")],
    ["SIGINT", (facade) => facade.kill("SIGINT")],
    ["SIGHUP", (facade) => facade.kill("SIGHUP")],
  ];
  test.each(ways)(
    "by %s takes a stubborn upstream and its children along",
    async (_name, endIt) => {
      using workspace = createWorkspace();
      configure(workspace, stdioUpstream(workspace, "--ignore-signals", "--ignore-end", "--child"));
      await using facade = startFacade({ folder: workspace.folder });
      await facade.initialize();
      await facade.request("tools/list");
      const pids = await until(() => upstreamPids(workspace), "upstream started");
      endIt(facade);
      expect(await facade.exited).toBe(0);
      await until(() => pids.every((pid) => !isAlive(pid)), "upstream gone");
    },
  );

  test("during the handshake leaves nothing behind", async () => {
    using workspace = createWorkspace();
    configure(workspace, stdioUpstream(workspace, "--silent-start"));
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    facade.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
    const pids = await until(() => {
      const found = upstreamPids(workspace);
      return found.length > 0 && found;
    }, "upstream started");
    expect(await facade.end()).toBe(0);
    await until(() => pids.every((pid) => !isAlive(pid)), "upstream gone");
  });

  test("with a fresh catalog starts nothing at all", async () => {
    using workspace = createWorkspace();
    configure(workspace, stdioUpstream(workspace));
    {
      await using first = startFacade({ folder: workspace.folder });
      await first.initialize();
      await first.request("tools/list");
    }
    const started = upstreamPids(workspace).length;
    await using second = startFacade({ folder: workspace.folder });
    await second.initialize();
    await second.request("tools/list");
    expect(await second.end()).toBe(0);
    expect(upstreamPids(workspace).length).toBe(started);
  });
});

describe("a start that fails", () => {
  test.each([
    ["no server is named", [], 2, /^Cannot start: no server is named\. Write --server NAME/],
    [
      "a flag is mistyped",
      ["--sever", "acme"],
      2,
      /^Cannot understand flag "--sever": it is not known\. Use "--server"/,
    ],
    [
      "a flag has no value",
      ["--server"],
      2,
      /^Cannot use flag "--server": it needs a value\. Write "--server VALUE"/,
    ],
    [
      "a command is mistyped",
      ["chek"],
      2,
      /^Cannot understand "chek": it is not a command\. Use "check"/,
    ],
    [
      "the file is missing",
      ["--server", "acme", "--config", "none.json"],
      2,
      /none\.json: found no such file/,
    ],
    [
      "the entry is unknown",
      ["--server=acm", "--config=facade.servers.json"],
      2,
      /facade\.servers\.json: server "acm": not found, wanted "acme"/,
    ],
  ])("because %s", async (_name, args, code, message) => {
    using workspace = createWorkspace({ acme: { upstream: { command: "true" } } });
    await using facade = startFacade({ folder: workspace.folder, args });
    expect(await facade.exited).toBe(code);
    expect(facade.stderr()).toMatch(message);
    expect(facade.lines).toEqual([]);
  });
});
