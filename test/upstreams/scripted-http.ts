// The scripted server on Streamable HTTP: what it writes for a request goes to the event stream of
// that request until its answer is out, then to the GET stream.
import { idKey, isRequest, type JsonRpcMessage } from "../../lib/json-rpc.ts";
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

  function answer(request: JsonRpcMessage & { id: string | number }, line: string): Response {
    const { body, write, close } = eventStream();
    let isAnswered = false;
    peer.receive(line, (text) => {
      if (isAnswered) {
        for (const listener of listeners) listener(text);
        return;
      }
      write(text);
      const message: JsonRpcMessage = JSON.parse(text);
      const { id } = message;
      isAnswered =
        message.method === undefined &&
        (typeof id === "string" || typeof id === "number") &&
        idKey(id) === idKey(request.id);
      if (isAnswered) close();
    });
    const session = crypto.randomUUID();
    if (request.method !== "initialize") return new Response(body, { headers: EVENTS });
    sessions.add(session);
    return new Response(body, { headers: { ...EVENTS, "Mcp-Session-Id": session } });
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
      if (message !== undefined && isRequest(message)) return answer(message, line);
      peer.receive(line, () => undefined);
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
