// The people's commands as processes.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentOf, FACADE } from "../support/facade-process.ts";
import { until } from "../support/until.ts";
import { createWorkspace, type Workspace } from "../support/workspace.ts";
import { startHttpUpstream } from "../upstreams/http-upstream.ts";

const SCRIPT = join(import.meta.dir, "../upstreams/stdio-upstream.ts");
const ID = { id: { type: "integer", description: "Its number." } };
const TOOLS = [
  {
    name: "GetUser",
    description: "Gets a user.",
    inputSchema: { type: "object", properties: ID, required: ["id"] },
  },
  { name: "Plain", inputSchema: { type: "object" } },
];

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function start(workspace: Workspace, ...args: string[]) {
  return Bun.spawn([process.execPath, "run", FACADE, ...args, "--config", workspace.configFile], {
    cwd: workspace.folder,
    env: environmentOf(workspace.folder),
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function run(workspace: Workspace, ...args: string[]): Promise<Outcome> {
  const child = start(workspace, ...args);
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, stdout, stderr };
}

describe("a command", () => {
  test("prints what a model would get, results to stdout and problems to stderr", async () => {
    await using upstream = await startHttpUpstream({ tools: TOOLS });
    using workspace = createWorkspace({
      acme: { upstream: { url: upstream.url }, used: ["GetUser"] },
    });
    const acme = ["--server", "acme"];
    expect(await run(workspace, "discover", "user", ...acme)).toEqual({
      code: 0,
      stdout: "1 of 2 tools, best first:\nGetUser(id: integer) - Gets a user.\n",
      stderr: "",
    });
    expect((await run(workspace, "describe", "getuser", ...acme)).stdout).toContain("Its number.");
    const full = await run(workspace, "describe", "getuser", "full", ...acme);
    expect(JSON.parse(full.stdout)).toEqual(TOOLS[0]);
    expect(await run(workspace, "call", "getuser", '{"id":5}', ...acme)).toEqual({
      code: 0,
      stdout: '{"id":5}\n',
      stderr: "",
    });
    expect(await run(workspace, "call", "getuser", '{"id":"x"}', ...acme)).toEqual({
      code: 2,
      stdout: "",
      stderr: 'id: found "x", wanted integer\nGetUser(id: integer)\n',
    });
    expect((await run(workspace, "describe", "nothing", ...acme)).code).toBe(2);
    expect((await run(workspace, "call", ...acme)).code).toBe(2);
  });

  test("checks entries and fetches anew", async () => {
    const tools = [...TOOLS];
    await using upstream = await startHttpUpstream({ tools });
    using workspace = createWorkspace({
      good: { upstream: { url: upstream.url }, used: ["GetUser"] },
      wanting: { upstream: { url: upstream.url }, used: ["GetUser", "Gone"] },
      dead: { upstream: { command: join("/nowhere", "server") } },
      wrong: { upstream: {} },
    });
    const good = await run(workspace, "check", "--server", "good");
    expect([good.code, good.stderr]).toEqual([0, ""]);
    expect(
      good.stdout.split("\n").map((line) =>
        line
          .trim()
          .split(/\s{2,}/)
          .slice(0, 4),
      ),
    ).toEqual([["server", "tools", "used found", "missing"], ["good", "2", "1", "0"], [""]]);
    const all = await run(workspace, "check");
    expect(all.code).toBe(2);
    expect(all.stdout).toMatch(/wanting +2 +1 +1 /);
    expect(all.stderr).toContain('wanting: Cannot expose "Gone": the upstream does not offer it');
    expect(all.stderr).toContain('server "wrong": upstream: ');
    expect(all.stderr).toContain("dead: Cannot start");
    expect(all.stdout).toMatch(/^wrong +-( +-){5}$/m);

    expect((await run(workspace, "refresh", "--server", "good")).stdout).toBe(
      "good: 2 tools\nnothing changed\n",
    );
    tools.push({ name: "New", inputSchema: { type: "object" } });
    expect((await run(workspace, "refresh", "--server", "good")).stdout).toBe(
      "good: 3 tools\nadded New\n",
    );
  });

  test("is not held up by an upstream that only echoes", async () => {
    using workspace = createWorkspace({
      acme: { upstream: { command: "cat" }, connectTimeout: "2s" },
    });
    const { code, stderr } = await run(workspace, "refresh", "--server", "acme");
    expect(code).toBe(4);
    expect(stderr).toContain("acme");
  });

  test.each([
    [
      ["check", "mem"],
      'Cannot understand "mem": it is a word too many for "check". Write "--server mem" if a server is meant\n',
    ],
    [
      ["call", "x", "{a:2}", "--server", "acme"],
      `Cannot call a tool: the arguments "{a:2}" are not valid JSON. Write them as '{"name": "value"}', in single quotes\n`,
    ],
  ])("refuses %p", async (args, stderr) => {
    using workspace = createWorkspace({ acme: { upstream: { command: "cat" } } });
    expect(await run(workspace, ...args)).toEqual({ code: 2, stdout: "", stderr });
  });

  test("tells an unreachable upstream by its exit code", async () => {
    using workspace = createWorkspace({
      acme: { upstream: { command: join("/nowhere", "server") } },
    });
    const { code, stdout, stderr } = await run(workspace, "discover", "--server", "acme");
    expect([code, stdout]).toEqual([4, ""]);
    expect(stderr).toContain("acme");
  });

  test.each([["SIGINT", 130] as const, ["SIGTERM", 143] as const])(
    "ended by %s takes a stubborn upstream along",
    async (signal, code) => {
      using workspace = createWorkspace();
      const log = join(workspace.folder, "up.log");
      const args = [SCRIPT, "--log", log, "--silent-start", "--ignore-signals", "--ignore-end"];
      workspace.write("facade.servers.json", {
        acme: { upstream: { command: process.execPath, args } },
      });
      const child = start(workspace, "refresh", "--server", "acme");
      await until(
        () => existsSync(log) && readFileSync(log, "utf8").includes("start"),
        "upstream started",
      );
      const pid = Number(readFileSync(log, "utf8").split(" ")[0]);
      child.kill(signal);
      expect(await child.exited).toBe(code);
      await until(() => !existsSync(`/proc/${pid}/exe`), "upstream gone");
    },
  );

  test("helps", async () => {
    using workspace = createWorkspace();
    for (const flag of ["--help", "-h"]) {
      const { code, stdout } = await run(workspace, flag);
      expect(code).toBe(0);
      expect(stdout).toStartWith("Usage:\n");
    }
    expect((await run(workspace, "--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
