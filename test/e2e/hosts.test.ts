// Hosts of the next era: they probe with `server/discover`, may start a second process for it, and
// fall back to the handshake that this program speaks.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { environmentOf, FACADE, namesOf, startFacade } from "../support/facade-process.ts";
import { createScriptedUpstream, type ScriptedUpstream } from "../support/scripted-upstream.ts";

// Real processes on a busy machine: the waits inside have limits of their own.
setDefaultTimeout(30_000);

/** Counts its starts in a file, then becomes the program. */
const COUNTED = 'echo start >> "$0"; exec "$@"';

const MODES = [
  { mode: "its default mode", options: {}, starts: 1 },
  { mode: "auto mode", options: { versionNegotiation: { mode: "auto" } }, starts: 2 },
] as const;

async function connect(
  upstream: ScriptedUpstream,
  options: ConstructorParameters<typeof Client>[1],
): Promise<{ client: Client; starts: () => number } & AsyncDisposable> {
  const { folder, configFile } = upstream.workspace;
  const log = join(folder, "starts.log");
  const client = new Client(
    { name: "next-host", version: "2.4.0" },
    { ...options, capabilities: { sampling: {}, roots: { listChanged: true } } },
  );
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///x", name: "x" }] }));
  await client.connect(
    new StdioClientTransport({
      command: "sh",
      args: [
        "-c",
        COUNTED,
        log,
        process.execPath,
        "run",
        FACADE,
        "--server",
        "acme",
        "--config",
        configFile,
      ],
      env: environmentOf(folder),
      stderr: "ignore",
    }),
  );
  return {
    client,
    starts: () => readFileSync(log, "utf8").trim().split("\n").length,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

describe.each(MODES)("a v2 client in $mode", ({ options, starts }) => {
  test("shakes hands, lists, calls and is asked, as with a server of this era", async () => {
    using upstream = createScriptedUpstream("stdio");
    // With and without a catalog.
    for (const round of [1, 2]) {
      await using host = await connect(upstream, options);
      const { client } = host;
      expect(host.starts()).toBe(starts * round);
      expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
      expect(client.getServerVersion()?.name).toBe("acme");
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(["run", "discover", "describe", "call"]);
      const direct = await client.callTool({ name: "run", arguments: { n: round } });
      expect(direct.content).toEqual([{ type: "text", text: `{"n":${round}}` }]);
      const script = [
        '{"jsonrpc":"2.0","id":0,"method":"roots/list"}',
        "await 0",
        '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"knows the roots"}]}}',
      ];
      const asked = await client.callTool({
        name: "call",
        arguments: { tool: "Other" },
        _meta: { script },
      });
      expect(asked.content).toEqual([{ type: "text", text: "knows the roots" }]);
    }
    const heard = upstream.receivedMessages();
    const handshakes = heard.filter(({ method }) => method === "initialize");
    expect(handshakes.map(({ params }) => params)).toEqual(
      [1, 2].map(() => ({
        protocolVersion: "2025-11-25",
        capabilities: { sampling: {}, roots: { listChanged: true } },
        clientInfo: { name: "next-host", version: "2.4.0" },
      })),
    );
    expect(heard.filter(({ method }) => method === "server/discover")).toEqual([]);
    const roots = heard.find(({ id, method }) => id === 0 && method === undefined);
    expect(roots?.result).toEqual({ roots: [{ uri: "file:///x", name: "x" }] });
  });
});

describe("server/discover", () => {
  test("is refused at once, also on the process that then shakes hands", async () => {
    using upstream = createScriptedUpstream("stdio");
    await using facade = upstream.startFacade();
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const probe = await facade.request("server/discover", { _meta: meta }, "probe-1");
    expect(probe.error).toEqual({ code: -32601, message: "Method not found" });
    const { result } = await facade.initialize();
    expect(result?.protocolVersion).toBe("2025-06-18");
    expect(upstream.received()).toEqual([]);
    expect(namesOf(await facade.request("tools/list"))).toContain("run");
    const again = await facade.request("server/discover", { _meta: meta }, "probe-2");
    expect(again.error?.code).toBe(-32601);
  });
});

describe("several processes of one name at once", () => {
  test("serve alike and leave one whole catalog", async () => {
    using upstream = createScriptedUpstream("stdio");
    const { folder } = upstream.workspace;
    for (const round of ["without a catalog", "with one"]) {
      const facades = Array.from({ length: 4 }, () => startFacade({ folder }));
      try {
        const lists = await Promise.all(
          facades.map(async (facade) => {
            await facade.initialize();
            return facade.request("tools/list", undefined, "list");
          }),
        );
        expect(new Set(lists.map((list) => JSON.stringify(list))).size, round).toBe(1);
        const calls = await Promise.all(facades.map((facade) => facade.callTool("run", { a: 1 })));
        for (const call of calls) {
          expect(call.result, round).toEqual({ content: [{ type: "text", text: '{"a":1}' }] });
        }
      } finally {
        await Promise.all(facades.map((facade) => facade[Symbol.asyncDispose]()));
      }
      const catalog = JSON.parse(readFileSync(upstream.workspace.catalogFile("acme"), "utf8"));
      expect(catalog).toBeObject();
    }
  });
});
