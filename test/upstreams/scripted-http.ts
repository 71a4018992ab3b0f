// The scripted server on Streamable HTTP: each request is answered by an event stream of its own,
// what is written aside goes to the GET streams.
import { isRequest, type JsonRpcMessage } from "../../lib/json-rpc.ts";
import { createScriptedPeer, type PeerSetup } from "./scripted-peer.ts";

export interface ScriptedHttp extends Disposable {
  readonly url: string;
  /** Headers of every request, in order. */
  readonly headers: readonly Headers[];
  /** How many GET streams are open. */
  streams(): number;
  /** As a restart does: no session is known any more. */
  forgetSessions(): void;
}

const EVENTS = { "Content-Type": "text/event-stream" };

type Write = (line: string) => void;

function eventStream(): { readonly body: ReadableStream; readonly write: Write; close(): void } {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {},
    { highWaterMark: 1000 },
    { highWaterMark: 1000 },
  );
  const writer = writable.getWriter();
  // A client that hangs up is part of the tests.
  const ignore = () => undefined;
  return {
    body: readable,
    write: (line) => void writer.write(encoder.encode(`data: ${line}\n\n`)).catch(ignore),
    close: () => void writer.close().catch(ignore),
  };
}

export function startScriptedHttp(options: {
  readonly setup: PeerSetup;
  readonly onLine: (line: string) => void;
}): ScriptedHttp {
  const sessions = new Set<string>();
  const headers: Headers[] = [];
  const listeners = new Set<Write>();
  const peer = createScriptedPeer({
    ...options,
    exit: () => sessions.clear(),
  });

  function writeAside(line: string): void {
    for (const listener of listeners) listener(line);
  }

  function answer(line: string, headersOfAnswer: Record<string, string>): Response {
    const { body, write, close } = eventStream();
    peer.receive(line, { write, writeAside, end: close });
    return new Response(body, { headers: { ...EVENTS, ...headersOfAnswer } });
  }

  function listen(signal: AbortSignal): Response {
    const { body, write } = eventStream();
    listeners.add(write);
    signal.addEventListener("abort", () => listeners.delete(write));
    return new Response(body, { headers: EVENTS });
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      headers.push(request.headers);
      const session = request.headers.get("Mcp-Session-Id") ?? "";
      const line = await request.text();
      const message: JsonRpcMessage | undefined = line === "" ? undefined : JSON.parse(line);
      if (message?.method !== "initialize" && !sessions.has(session)) {
        return new Response(null, { status: 404 });
      }
      if (request.method === "DELETE") {
        sessions.delete(session);
        return new Response(null);
      }
      if (request.method === "GET") return listen(request.signal);
      if (message?.method === "initialize") {
        const id = crypto.randomUUID();
        sessions.add(id);
        return answer(line, { "Mcp-Session-Id": id });
      }
      if (message !== undefined && isRequest(message)) return answer(line, {});
      peer.receive(line, { write: writeAside, writeAside, end: () => undefined });
      return new Response(null, { status: 202 });
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    headers,
    streams: () => listeners.size,
    forgetSessions: () => sessions.clear(),
    [Symbol.dispose]: () => void server.stop(true),
  };
}
