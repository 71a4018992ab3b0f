import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json-rpc.ts";
import {
  environmentOf,
  FACADE,
  type FacadeProcess,
  namesOf,
  startFacade,
  textOf,
} from "../support/facade-process.ts";
import { until } from "../support/until.ts";
import { createWorkspace, type Workspace } from "../support/workspace.ts";

const UPSTREAM = join(import.meta.dir, "../upstreams/stdio-upstream.ts");

function configOf(log: string, used: readonly string[]): object {
  const args = [UPSTREAM, "--log", log];
  return { acme: { upstream: { command: process.execPath, args }, used } };
}

/** A workspace with a catalog on disk, made by a first session that served and called. */
async function setUp(used: readonly string[]): Promise<Workspace & { readonly log: string }> {
  const workspace = createWorkspace();
  const log = join(workspace.folder, "upstream.log");
  workspace.write("upstream.log", "");
  workspace.write("facade.servers.json", configOf(log, used));
  await using facade = startFacade({ folder: workspace.folder });
  await facade.initialize();
  expect((await facade.request("tools/list")).error).toBeUndefined();
  await facade.end();
  return { ...workspace, log };
}

async function startOf(facade: FacadeProcess): Promise<{ initialize: unknown; list: unknown }> {
  const initialize = (await facade.initialize()).result;
  return { initialize, list: (await facade.request("tools/list")).result };
}

function recordedStart(workspace: Workspace): unknown {
  const catalog: JsonObject = JSON.parse(readFileSync(workspace.catalogFile("acme"), "utf8"));
  return catalog.start;
}

describe("a quick start", () => {
  test("answers as the whole facade does, and calls, searches and ends like it", async () => {
    using workspace = await setUp(["echo", "missing"]);
    await using quick = startFacade({ folder: workspace.folder });
    const said = await startOf(quick);
    const spaced = readFileSync(workspace.configFile, "utf8").replace("{", "{ ");
    workspace.write("other.json", spaced);
    const args = ["--server", "acme", "--config", join(workspace.folder, "other.json")];
    await using whole = startFacade({ folder: workspace.folder, args });
    expect(await startOf(whole)).toEqual(said);

    // One line, however far the session goes.
    const note = 'Cannot expose "missing"';
    expect(quick.stderr().split(note).length).toBe(2);
    expect(textOf(await quick.callTool("echo", { value: 1 }))).toBe('{"value":1}');
    expect(textOf(await quick.callTool("discover", { query: "progress" }))).toContain("progress");
    expect(quick.stderr().split(note).length).toBe(2);
    expect(await quick.end()).toBe(0);
  });

  test("is made possible again after the configuration was edited", async () => {
    using workspace = await setUp(["echo"]);
    const before = recordedStart(workspace);
    // Another text, the same list.
    const config = readFileSync(workspace.configFile, "utf8").replace("{", "{ ");
    workspace.write("facade.servers.json", config);
    await using facade = startFacade({ folder: workspace.folder });
    await startOf(facade);
    await until(
      () => JSON.stringify(recordedStart(workspace)) !== JSON.stringify(before),
      "the catalog kept for the next start",
    );
  });

  test("follows a refresh by a person", async () => {
    using workspace = createWorkspace();
    workspace.write("facade.servers.json", configOf(join(workspace.folder, "log"), ["echo"]));
    const flags = ["--server", "acme", "--config", workspace.configFile];
    const command = [process.execPath, "run", FACADE, "refresh", ...flags];
    const refresh = Bun.spawn(command, { env: environmentOf(workspace.folder), stdout: "ignore" });
    expect(await refresh.exited).toBe(0);
    const recorded = recordedStart(workspace);
    await using facade = startFacade({ folder: workspace.folder });
    await startOf(facade);
    expect(recorded).toEqual({ key: expect.any(String), metaPrefix: "", ttlMs: 604_800_000 });
    expect(recordedStart(workspace)).toEqual(recorded);
  });

  test("shows what the configuration says now", async () => {
    using workspace = await setUp(["echo"]);
    workspace.write("facade.servers.json", configOf(workspace.log, ["large", "echo"]));
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    const list = await facade.request("tools/list");
    expect(namesOf(list)).toEqual(["large", "echo", "discover", "describe", "call"]);
  });

  test("does not hide that a variable is not set any more", async () => {
    using workspace = createWorkspace();
    const upstream = {
      command: process.execPath,
      args: [UPSTREAM],
      env: { KEY: `\${A_VARIABLE}` },
    };
    workspace.write("facade.servers.json", { acme: { upstream } });
    const { folder } = workspace;
    await using first = startFacade({ folder, env: { A_VARIABLE: "x" } });
    await startOf(first);
    await first.end();
    await using second = startFacade({ folder });
    expect(await second.exited).toBe(2);
    expect(second.stderr()).toContain("A_VARIABLE");
  });
});
