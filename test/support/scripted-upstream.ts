// The scripted server behind either transport, so that one test can hold for both.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { startScriptedHttp } from "../upstreams/scripted-http.ts";
import type { PeerSetup } from "../upstreams/scripted-peer.ts";
import { type FacadeProcess, startFacade } from "./facade-process.ts";
import { until } from "./until.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

export type Transport = "stdio" | "http";
export const TRANSPORTS: readonly Transport[] = ["stdio", "http"];

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
  const http =
    transport === "http"
      ? startScriptedHttp({ setup, onLine: (line) => lines.push(line) })
      : undefined;
  const upstream =
    http === undefined
      ? { command: process.execPath, args: [PROCESS, JSON.stringify(setup), logFile] }
      : { url: http.url };
  workspace.write("facade.servers.json", {
    acme: { upstream, used: ["Run"], ...options.entry },
  });

  function received(): readonly string[] {
    if (transport === "http") return lines;
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
      http?.[Symbol.dispose]();
      workspace[Symbol.dispose]();
    },
  };
}
