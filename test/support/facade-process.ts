// The facade as a real process with a raw line driver: sees every byte that a client would hide.
import { join } from "node:path";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { until } from "./until.ts";

export const FACADE = join(import.meta.dir, "../../facade.ts");

/** A JSON-RPC response, loosely typed for tests. */
export interface Reply {
  readonly id: unknown;
  readonly result?: JsonObject;
  readonly error?: { code: number; message: string; data?: unknown };
}

export interface FacadeProcess extends AsyncDisposable {
  readonly pid: number;
  /** Every line of stdout, as received. */
  readonly lines: readonly string[];
  readonly messages: readonly JsonObject[];
  stderr(): string;
  write(text: string): void;
  send(message: object): void;
  request(method: string, params?: object, id?: string | number): Promise<Reply>;
  notify(method: string, params?: object): void;
  reply(id: unknown): Promise<Reply>;
  initialize(params?: object): Promise<Reply>;
  /** First message that fits, also one that came already. */
  message(fits: (message: JsonObject) => boolean, what: string): Promise<JsonObject>;
  callTool(name: string, args?: object, id?: string | number): Promise<Reply>;
  /** Closes stdin and waits for the exit code. */
  end(): Promise<number>;
  readonly exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

export function environmentOf(
  home: string,
  extra: Record<string, string | undefined> = {},
): Record<string, string> {
  const environment: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: "C.UTF-8",
    ...extra,
  };
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(kept);
}

export function startFacade(options: {
  readonly folder: string;
  readonly server?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string | undefined>;
}): FacadeProcess {
  const { folder, server = "acme" } = options;
  const args = options.args ?? [
    "--server",
    server,
    "--config",
    join(folder, "facade.servers.json"),
  ];
  const child = Bun.spawn([process.execPath, "run", FACADE, ...args], {
    cwd: folder,
    env: environmentOf(folder, options.env),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: string[] = [];
  const messages: JsonObject[] = [];
  let stderr = "";
  let nextId = 1;

  const readOut = (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        lines.push(line);
        messages.push(JSON.parse(line));
      }
    }
    if (rest !== "") lines.push(rest);
  })();
  const readErr = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) stderr += decoder.decode(chunk, { stream: true });
  })();
  const exited = Promise.all([child.exited, readOut, readErr]).then(([code]) => code);

  const message: FacadeProcess["message"] = (fits, what) =>
    until(
      () => messages.find(fits),
      () => `${what}; stdout: ${lines.join("\n")}; stderr: ${stderr}`,
    );
  const write = (text: string) => {
    child.stdin.write(text);
    child.stdin.flush();
  };
  const send = (one: object) => write(`${JSON.stringify(one)}\n`);
  const reply: FacadeProcess["reply"] = async (id) => {
    const found = await message(
      (one) => one.method === undefined && one.id === id,
      `reply to ${String(id)}`,
    );
    return found as unknown as Reply;
  };
  const request: FacadeProcess["request"] = (method, params, id = nextId++) => {
    send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return reply(id);
  };
  const notify: FacadeProcess["notify"] = (method, params) =>
    send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });

  return {
    pid: child.pid,
    lines,
    messages,
    stderr: () => stderr,
    write,
    send,
    request,
    notify,
    reply,
    message,
    async initialize(params = {}) {
      const answer = await request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test-host", version: "1.0.0" },
        ...params,
      });
      notify("notifications/initialized");
      return answer;
    },
    callTool: (name, args, id) =>
      request("tools/call", { name, ...(args === undefined ? {} : { arguments: args }) }, id),
    async end() {
      child.stdin.end();
      return exited;
    },
    exited,
    kill: (signal) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), 8000);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** All text blocks of a tool result. */
export function textOf(reply: Reply): string {
  const content = Array.isArray(reply.result?.content) ? reply.result.content : [];
  return content.map((block) => (typeof block?.text === "string" ? block.text : "")).join("\n");
}

/** Names in a tools/list result. */
export function namesOf(reply: Reply): string[] {
  const tools = Array.isArray(reply.result?.tools) ? reply.result.tools : [];
  return tools.map((tool) => String(tool?.name));
}
