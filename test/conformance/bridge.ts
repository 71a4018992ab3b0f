// Puts a server on stdio behind Streamable HTTP, so that a suite that speaks only HTTP can judge it:
// one process for each session, every message passed on as it is. Answers and what a request's
// process says while it runs go to that request's event stream, the rest to the GET stream.
import { isRequest, isRequestId, type JsonRpcMessage, type RequestId } from "../../lib/json-rpc.ts";

export interface Bridge extends AsyncDisposable {
  readonly url: string;
}

interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  write(line: string): void;
  end(): void;
}

interface Session {
  /** Takes a message of the client; the stream gets what belongs to a request. */
  send(message: JsonRpcMessage, line: string): EventStream | undefined;
  listen(): EventStream;
  close(): Promise<void>;
}

const EVENTS = { "Content-Type": "text/event-stream" };
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

function createEventStream(): EventStream {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {},
    { highWaterMark: 10_000 },
    { highWaterMark: 10_000 },
  );
  const writer = writable.getWriter();
  // A client may hang up at any time.
  const ignore = () => undefined;
  return {
    body: readable,
    write: (line) => void writer.write(encoder.encode(`data: ${line}\n\n`)).catch(ignore),
    end: () => void writer.close().catch(ignore),
  };
}

function openSession(command: readonly string[], env: Record<string, string>): Session {
  const child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const streams = new Map<RequestId, EventStream>();
  let listener: EventStream | undefined;

  function deliver(line: string): void {
    const message: JsonRpcMessage = JSON.parse(line);
    const isAnswer = message.method === undefined && isRequestId(message.id);
    const key = isAnswer && isRequestId(message.id) ? message.id : undefined;
    const stream = key === undefined ? [...streams.values()].at(-1) : streams.get(key);
    (stream ?? listener)?.write(line);
    if (key === undefined) return;
    streams.delete(key);
    stream?.end();
  }

  const read = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) deliver(line);
    }
  })();

  return {
    send(message, line) {
      let stream: EventStream | undefined;
      if (isRequest(message)) {
        stream = createEventStream();
        streams.set(message.id, stream);
      }
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
      return stream;
    },
    listen() {
      listener = createEventStream();
      return listener;
    },
    async close() {
      child.stdin.end();
      for (const stream of [...streams.values(), listener]) stream?.end();
      await Promise.all([read, child.exited]);
    },
  };
}

function isLocal(request: Request): boolean {
  const host = request.headers.get("Host") ?? "";
  const origin = request.headers.get("Origin");
  const originHost = origin === null ? undefined : origin.replace(/^https?:\/\//, "");
  return LOCAL.test(host) && (originHost === undefined || LOCAL.test(originHost));
}

export function startBridge(options: {
  readonly command: readonly string[];
  readonly env: Record<string, string>;
}): Bridge {
  const sessions = new Map<string, Session>();

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      if (!isLocal(request)) return new Response("Forbidden", { status: 403 });
      const id = request.headers.get("Mcp-Session-Id") ?? "";
      const line = request.method === "POST" ? await request.text() : "";
      const message: JsonRpcMessage | undefined = line === "" ? undefined : JSON.parse(line);
      if (message?.method === "initialize") {
        const newId = crypto.randomUUID();
        const session = openSession(options.command, options.env);
        sessions.set(newId, session);
        const headers = { ...EVENTS, "Mcp-Session-Id": newId };
        return new Response(session.send(message, line)?.body ?? null, { headers });
      }
      const session = sessions.get(id);
      if (session === undefined) return new Response("No such session", { status: 404 });
      if (request.method === "DELETE") {
        sessions.delete(id);
        await session.close();
        return new Response(null);
      }
      if (message === undefined) return new Response(session.listen().body, { headers: EVENTS });
      const stream = session.send(message, line);
      if (stream === undefined) return new Response(null, { status: 202 });
      return new Response(stream.body, { headers: EVENTS });
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      await server.stop(true);
    },
  };
}
