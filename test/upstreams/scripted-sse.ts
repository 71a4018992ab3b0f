// The scripted server on the legacy HTTP+SSE transport of 2024-11-05: everything it says goes over
// the one event stream of a client.
import { createScriptedPeer, type PeerSetup } from "./scripted-peer.ts";

export interface ScriptedSse extends Disposable {
  readonly url: string;
}

const EVENTS = { "Content-Type": "text/event-stream" };

export function startScriptedSse(options: {
  readonly setup: PeerSetup;
  readonly onLine: (line: string) => void;
}): ScriptedSse {
  const encoder = new TextEncoder();
  const streams = new Map<string, ReadableStreamDefaultController<Uint8Array>>();
  const peer = createScriptedPeer({
    ...options,
    exit() {
      for (const stream of streams.values()) stream.close();
      streams.clear();
    },
  });

  function send(id: string, type: string, data: string): void {
    streams.get(id)?.enqueue(encoder.encode(`event: ${type}\ndata: ${data}\n\n`));
  }

  function listen(signal: AbortSignal): Response {
    const id = crypto.randomUUID();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.set(id, controller);
        send(id, "endpoint", `/messages?session=${id}`);
      },
    });
    signal.addEventListener("abort", () => streams.delete(id));
    return new Response(body, { headers: EVENTS });
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === "GET" && pathname === "/sse") return listen(request.signal);
      const id = searchParams.get("session") ?? "";
      if (request.method !== "POST" || !streams.has(id)) return new Response(null, { status: 404 });
      const write = (line: string) => send(id, "message", line);
      peer.receive(await request.text(), { write, writeAside: write, end: () => undefined });
      return new Response("Accepted", { status: 202 });
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}/sse`,
    [Symbol.dispose]: () => void server.stop(true),
  };
}
