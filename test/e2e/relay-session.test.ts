// What belongs to a session: who the upstream meets, what the host is promised, what survives the
// loss of the connection.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { startFacade, textOf } from "../support/facade-process.ts";
import { answerLine, requestLine } from "../support/raw-line.ts";
import {
  ALL_UPSTREAM_CAPABILITIES,
  createScriptedUpstream,
  type ScriptedUpstream,
  TRANSPORTS,
} from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";
import { createWorkspace } from "../support/workspace.ts";
import { startHttpUpstream } from "../upstreams/http-upstream.ts";

// Real processes on a busy machine: the waits inside have limits of their own.
setDefaultTimeout(30_000);

const CLIENT = {
  name: "test-host",
  version: "7.1",
  title: "Test host",
  icons: [{ src: "data:," }],
  "x-more": { a: [1] },
};

function handshakesOf(upstream: ScriptedUpstream): readonly JsonObject[] {
  return upstream.receivedMessages().filter(({ method }) => method === "initialize");
}

function methodsOf(upstream: ScriptedUpstream): readonly unknown[] {
  return upstream.receivedMessages().map(({ method }) => method);
}

const REFUSAL_OF_ERA = {
  code: -32022,
  message: "Unsupported protocol version",
  data: { supported: ["2026-07-28"], requested: "2025-11-25" },
};

describe("the handshake", () => {
  test.each([
    { transport: "sse", asked: "2024-11-05", agreed: "2024-11-05" },
    { transport: "http", asked: "2025-03-26", agreed: "2025-03-26" },
    { transport: "stdio", asked: "2025-06-18", agreed: "2025-06-18" },
    { transport: "http", asked: "2025-11-25", agreed: "2025-11-25" },
    { transport: "stdio", asked: "2026-07-28", agreed: "2025-11-25" },
  ] as const)(
    "introduces the host that asked for $asked with $agreed, $transport",
    async ({ transport, asked, agreed }) => {
      using upstream = createScriptedUpstream(transport);
      await using facade = upstream.startFacade();
      const capabilities = { roots: {}, "x-odd": { b: [null] }, extensions: { "a/b": {} } };
      const params = { protocolVersion: asked, capabilities, clientInfo: CLIENT, "x-top": 1 };
      const answer = await facade.initialize(params);
      expect(answer.result?.protocolVersion).toBe(agreed);
      await facade.request("tools/list");
      const seen = handshakesOf(upstream).map((message) => message.params);
      expect(seen).toEqual([{ ...params, protocolVersion: agreed }]);
      expect(methodsOf(upstream).slice(0, 3)).toEqual([
        "initialize",
        "notifications/initialized",
        "tools/list",
      ]);
    },
  );
});

describe("the capabilities a host is promised", () => {
  test("are tools alone, then those of the cached handshake, without touching the upstream", async () => {
    using upstream = createScriptedUpstream("stdio", {
      setup: {
        capabilities: ALL_UPSTREAM_CAPABILITIES,
        handshake: { instructions: "Mind the gap.\n", serverInfo: { name: "up", title: "Up!" } },
      },
    });
    {
      await using first = upstream.startFacade();
      const { result } = await first.initialize();
      expect(result?.capabilities).toEqual({ tools: { listChanged: true } });
      await first.request("tools/list");
    }
    const before = upstream.received().length;
    await using second = upstream.startFacade();
    const { result } = await second.initialize();
    expect(result?.capabilities).toEqual(ALL_UPSTREAM_CAPABILITIES);
    expect(result?.serverInfo).toMatchObject({ name: "acme", title: "Up!" });
    expect(String(result?.instructions)).toEndWith("Mind the gap.\n");
    await second.request("tools/list");
    expect(upstream.received()).toHaveLength(before);
  });

  test("are not those that a host with other capabilities was promised", async () => {
    using upstream = createScriptedUpstream("stdio");
    const open = async (capabilities: object) => {
      const facade = upstream.startFacade();
      const { result } = await facade.initialize({ capabilities });
      return { facade, promised: Object.keys(result?.capabilities ?? {}) };
    };
    const declared = [
      { sampling: {}, roots: { listChanged: true } },
      { sampling: {}, elicitation: { form: {}, url: {} } },
      // The same as the last: the order of members does not matter.
      { elicitation: { url: {}, form: {} }, sampling: {} },
    ];
    const promised: string[][] = [];
    for (const capabilities of declared) {
      const opened = await open(capabilities);
      promised.push(opened.promised);
      await opened.facade.request("tools/list");
      await opened.facade.end();
    }
    const all = Object.keys(ALL_UPSTREAM_CAPABILITIES);
    expect(promised.map((names) => [...names].sort())).toEqual([
      ["tools"],
      ["tools"],
      [...all].sort(),
    ]);
    expect(handshakesOf(upstream)).toHaveLength(2);
  });

  test("lacking, a method is refused or its list is empty, and the upstream does not hear of it", async () => {
    using upstream = createScriptedUpstream("stdio", { setup: { capabilities: { tools: {} } } });
    await using facade = await upstream.openFacade();
    const before = upstream.received().length;
    const answers = await Promise.all([
      facade.request("prompts/list"),
      facade.request("resources/list", {}),
      facade.request("resources/templates/list", { cursor: "x" }),
      facade.request("prompts/get", { name: "x" }),
      facade.request("logging/setLevel", { level: "info" }),
      facade.request("tasks/list"),
      facade.request("server/discover"),
    ]);
    const refusal = (capability: string) => ({
      code: -32601,
      message: `Method not found: "acme" does not declare ${capability}`,
    });
    expect(answers.map(({ result, error }) => result ?? error)).toEqual([
      { prompts: [] },
      { resources: [] },
      { resourceTemplates: [] },
      refusal("prompts"),
      refusal("logging"),
      refusal("tasks"),
      { code: -32601, message: "Method not found" },
    ]);
    expect(upstream.received()).toHaveLength(before);
  });
});

describe.each(TRANSPORTS)("a lost connection, %s", (transport) => {
  /** Ends the process, or makes the server forget its sessions. */
  const fatal = ["exit 3", ...(transport === "http" ? [answerLine("{}")] : [])];

  test("is opened again with the host's log level and subscriptions", async () => {
    using upstream = createScriptedUpstream(transport);
    await using facade = await upstream.openFacade();
    const subscribe = (uri: string, x: number) =>
      facade.request("resources/subscribe", { uri, "x-more": x });
    await facade.request("logging/setLevel", { level: "error" });
    await facade.request("logging/setLevel", { level: "debug", "x-more": 1 });
    await subscribe("mem://a", 1);
    await subscribe("mem://b", 2);
    await subscribe("mem://c", 3);
    await facade.request("resources/unsubscribe", { uri: "mem://b" });
    // Refused by the upstream, so there is nothing to repeat.
    const refused =
      '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32002,"message":"no such resource"}}';
    facade.write(
      `${requestLine({ id: "70", method: "resources/subscribe", params: '"uri":"mem://d"', script: [refused] })}\n`,
    );
    await facade.reply(70);
    facade.write(`${requestLine({ id: "71", method: "vendor/x", script: fatal })}\n`);
    await facade.reply(71);
    const before = upstream.received().length;

    const call = await facade.callTool("run", { again: true });
    expect(textOf(call)).toBe('{"again":true}');
    const repeated = upstream
      .receivedMessages()
      .slice(before)
      .filter(({ method }) => method !== "tools/list");
    // The first call met the lost session and was refused unheard: it shows up once.
    expect(repeated.map(({ method, params }) => ({ method, params }))).toEqual([
      { method: "initialize", params: handshakesOf(upstream)[0]?.params },
      { method: "notifications/initialized", params: undefined },
      { method: "logging/setLevel", params: { level: "debug", "x-more": 1 } },
      { method: "resources/subscribe", params: { uri: "mem://a", "x-more": 1 } },
      { method: "resources/subscribe", params: { uri: "mem://c", "x-more": 3 } },
      { method: "tools/call", params: { name: "Run", arguments: { again: true } } },
    ]);
    const updated =
      '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"mem://a"}}';
    facade.write(
      `${requestLine({ id: "72", method: "vendor/x", script: [`aside ${updated}`, answerLine("{}")] })}\n`,
    );
    await until(() => facade.lines.includes(updated), "the update");
  });
});

describe("a process that ends", () => {
  test("fails every request in flight at once, with the reason", async () => {
    using upstream = createScriptedUpstream("stdio");
    await using facade = await upstream.openFacade();
    const waiting = ["await vendor/never", answerLine("{}")];
    for (const [id, method] of [
      ["80", "tools/call"],
      ["81", "prompts/get"],
      ["82", "vendor/x"],
    ] as const) {
      facade.write(`${requestLine({ id, method, params: '"name":"run"', script: waiting })}\n`);
      await upstream.line((message) => message.id === Number(id), method);
    }
    facade.write(`${requestLine({ id: "83", method: "vendor/x", script: ["exit 9"] })}\n`);
    const reason = 'Cannot reach "acme": it ended with exit code 9';
    expect((await facade.reply(80)).result).toEqual({
      content: [{ type: "text", text: reason }],
      isError: true,
    });
    for (const id of [81, 82, 83]) {
      expect((await facade.reply(id)).error).toEqual({ code: -32000, message: reason });
    }
  });
});

describe("an upstream that speaks only 2026-07-28", () => {
  test.each(TRANSPORTS)("is told apart by name, %s", async (transport) => {
    using upstream = createScriptedUpstream(transport, {
      setup: { initializeError: REFUSAL_OF_ERA },
    });
    await using facade = await upstream.openFacade();
    const reason = 'Cannot open a session with "acme": it speaks only MCP 2026-07-28';
    const hint = "Use a version of the server that speaks MCP 2025-11-25 or older";
    expect((await facade.callTool("call", { tool: "Run" })).result).toEqual({
      content: [{ type: "text", text: `${reason}. ${hint}` }],
      isError: true,
    });
    expect((await facade.request("vendor/x")).error).toEqual({
      code: -32000,
      message: `${reason}. ${hint}`,
    });
    expect(facade.stderr()).toContain(reason);
    expect(() => readFileSync(upstream.workspace.catalogFile("acme"))).toThrow();
  });

  test("is told apart by name, also when the refusal has a status of its own", async () => {
    await using upstream = await startHttpUpstream({
      respond(request, response) {
        if (request.message?.method !== "initialize") return false;
        const { id } = request.message;
        response.json({ jsonrpc: "2.0", id, error: REFUSAL_OF_ERA }, { status: 400 });
        return true;
      },
    });
    using workspace = createWorkspace({ acme: { upstream: { url: upstream.url } } });
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    expect(textOf(await facade.callTool("call", { tool: "echo" }))).toStartWith(
      'Cannot open a session with "acme": it speaks only MCP 2026-07-28. ',
    );
  });
});
