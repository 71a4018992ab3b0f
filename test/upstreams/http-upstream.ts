// A small Streamable HTTP server on a plain socket, so that a test can hang up, reset, split and
// lie at any byte. It behaves by default; `respond` takes over where a test wants otherwise.
// What it executed is counted apart from what it was sent.
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { JsonObject } from "../../lib/json-rpc.ts";
import {
  createResponseWriter,
  type ResponseWriter,
  readRequests,
  type SeenRequest,
} from "./http-wire.ts";

export interface HttpUpstreamOptions {
  readonly tools?: readonly JsonObject[];
  readonly answerAs?: "json" | "events";
  readonly path?: string;
  /** True: the request has been seen to, or deliberately left without an answer. */
  respond?(
    request: SeenRequest,
    response: ResponseWriter,
    upstream: HttpTestUpstream,
  ): boolean | undefined | Promise<boolean | undefined>;
  /** The result of a tool; by default the arguments as JSON text. */
  run?(name: string, args: unknown): JsonObject;
}

export interface HttpTestUpstream extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  /** Arguments of every tool execution, in order. */
  readonly executions: readonly { readonly name: string; readonly args: unknown }[];
  readonly sessions: Set<string>;
  readonly connections: number;
  of(method: string): readonly SeenRequest[];
  posts(rpcMethod?: string): readonly SeenRequest[];
  /** Executes the tool that a tools/call request names; the outcome for `answer`. */
  execute(request: SeenRequest): JsonObject;
  /** What the server does by default. */
  behave(request: SeenRequest, response: ResponseWriter): void;
}

export async function startHttpUpstream(
  options: HttpUpstreamOptions = {},
): Promise<HttpTestUpstream> {
  const {
    tools = [{ name: "echo", inputSchema: { type: "object" } }],
    path = "/mcp",
    answerAs = "json",
  } = options;
  const seen: SeenRequest[] = [];
  const executions: { name: string; args: unknown }[] = [];
  const sessions = new Set<string>();
  const sockets = new Set<Socket>();
  let connections = 0;

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Clients break connections as part of the tests.
    socket.on("error", () => undefined);
    readRequests(socket, connections, (request) => {
      seen.push(request);
      void serve(request, createResponseWriter(socket, { request, answerAs }));
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

  async function serve(request: SeenRequest, response: ResponseWriter): Promise<void> {
    if ((await options.respond?.(request, response, upstream)) === true) return;
    upstream.behave(request, response);
  }

  const upstream: HttpTestUpstream = {
    url: `http://127.0.0.1:${port}${path}`,
    port,
    seen,
    executions,
    sessions,
    get connections() {
      return connections;
    },
    of: (method) => seen.filter((request) => request.method === method),
    posts: (rpcMethod) =>
      seen.filter(
        ({ method, message }) =>
          method === "POST" && (rpcMethod === undefined || message?.method === rpcMethod),
      ),
    execute(request) {
      const params = (request.message?.params ?? {}) as JsonObject;
      const name = String(params.name);
      const args = params.arguments;
      executions.push({ name, args });
      const text = JSON.stringify(args ?? {});
      return { result: options.run?.(name, args) ?? { content: [{ type: "text", text }] } };
    },
    behave(request, response) {
      const session = request.headers["mcp-session-id"] ?? "";
      if (request.path !== path) return response.status(404);
      if (request.method === "DELETE") return response.status(sessions.delete(session) ? 200 : 404);
      if (request.method !== "POST") return response.status(405, { Allow: "POST, DELETE" });
      const { message } = request;
      if (message === undefined) return response.status(400);
      if (message.method === "initialize") {
        const id = `session-${crypto.randomUUID()}`;
        sessions.add(id);
        const outcome = { result: initializeResult(message) };
        return response.answer(outcome, { "Mcp-Session-Id": id });
      }
      if (!sessions.has(session)) return response.status(404);
      if (message.id === undefined || message.method === undefined) return response.status(202);
      if (message.method === "tools/list") return response.answer({ result: { tools } });
      if (message.method === "tools/call") return response.answer(upstream.execute(request));
      if (message.method === "ping") return response.answer({ result: {} });
      response.answer({ error: { code: -32601, message: `No method ${message.method}` } });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  return upstream;
}

function initializeResult(message: JsonObject): JsonObject {
  const params = (message.params ?? {}) as JsonObject;
  return {
    protocolVersion: params.protocolVersion ?? "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "http-upstream", version: "1.0.0" },
  };
}
