// The scripted server behind any transport, so that one test can hold for all.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { startScriptedHttp } from "../upstreams/scripted-http.ts";
import type { PeerSetup } from "../upstreams/scripted-peer.ts";
import { startScriptedSse } from "../upstreams/scripted-sse.ts";
import { type FacadeProcess, startFacade } from "./facade-process.ts";
import { until } from "./until.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

export type Transport = "stdio" | "http" | "sse";
export const TRANSPORTS: readonly Transport[] = ["stdio", "http", "sse"];

const PROCESS = join(import.meta.dir, "../upstreams/scripted-stdio.ts");

export interface ScriptedUpstream extends Disposable {
  readonly workspace: Workspace;
  /** Every line it received, as it came, over all its lives. */
  received(): readonly string[];
  receivedMessages(): readonly JsonObject[];
  /** The first line received that fits, once it is there. */
  line(fits: (message: JsonObject) => boolean, what: string): Promise<string>;
  startFacade(): FacadeProcess;
  /** A facade whose host has shaken hands and seen the list, so that the upstream is open. */
  openFacade(initializeParams?: object): Promise<FacadeProcess>;
}

/** Everything MCP has, declared by the upstream. */
export const ALL_UPSTREAM_CAPABILITIES: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  experimental: { "com.example/thing": { level: 3 } },
};

/** Everything MCP has, declared by the host. */
export const ALL_HOST_CAPABILITIES: JsonObject = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
  experimental: { "com.example/host": {} },
};

const DEFAULT_SETUP: PeerSetup = {
  capabilities: ALL_UPSTREAM_CAPABILITIES,
  tools: [
    { name: "Run", description: "Runs a script.", inputSchema: { type: "object" } },
    { name: "Other", description: "Is not used.", inputSchema: { type: "object" } },
  ],
};

export function createScriptedUpstream(
  transport: Transport,
  options: { readonly setup?: PeerSetup; readonly entry?: object } = {},
): ScriptedUpstream {
  const workspace = createWorkspace();
  const setup = { ...DEFAULT_SETUP, ...options.setup };
  const logFile = join(workspace.folder, "received.log");
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  const servers = new DisposableStack();
  let upstream: object;
  if (transport === "stdio") {
    upstream = { command: process.execPath, args: [PROCESS, JSON.stringify(setup), logFile] };
  } else {
    const start = transport === "http" ? startScriptedHttp : startScriptedSse;
    upstream = { url: servers.use(start({ setup, onLine })).url, transport };
  }
  workspace.write("facade.servers.json", {
    acme: { upstream, used: ["Run"], ...options.entry },
  });

  function received(): readonly string[] {
    if (transport !== "stdio") return lines;
    return existsSync(logFile) ? readFileSync(logFile, "utf8").split("\n").slice(0, -1) : [];
  }

  const start = () => startFacade({ folder: workspace.folder });
  return {
    workspace,
    received,
    receivedMessages: () => received().map((line): JsonObject => JSON.parse(line)),
    line: (fits, what) =>
      until(
        () => received().find((line) => fits(JSON.parse(line))),
        () => `${what}; received: ${received().join("\n")}`,
      ),
    startFacade: start,
    async openFacade(initializeParams = {}) {
      const facade = start();
      await facade.initialize({
        protocolVersion: "2025-11-25",
        capabilities: ALL_HOST_CAPABILITIES,
        ...initializeParams,
      });
      await facade.request("tools/list");
      return facade;
    },
    [Symbol.dispose]() {
      servers.dispose();
      workspace[Symbol.dispose]();
    },
  };
}
