// A quick MCP server on Streamable HTTP; prints its address as its first line.
//   bun bench/upstreams/http.ts [TOOL_COUNT] [--events]
// Answers are JSON, or one event in a stream with `--events`, as most servers send them.
import { createBenchServer } from "./server.ts";

const server = createBenchServer({ toolCount: Number(process.argv[2] ?? 60) });
const sendsEvents = process.argv.includes("--events");
const SESSION = { "Mcp-Session-Id": "bench-session" };
const EVENT_START = Buffer.from("event: message\ndata: ");
const EVENT_END = Buffer.from("\n\n");

function respond(answer: Uint8Array): Response {
  if (!sendsEvents) {
    return new Response(answer, { headers: { ...SESSION, "Content-Type": "application/json" } });
  }
  // A stream, so that it travels in chunks and its length is not told, as from a real server.
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(EVENT_START);
      controller.enqueue(answer);
      controller.enqueue(EVENT_END);
      controller.close();
    },
  });
  return new Response(body, { headers: { ...SESSION, "Content-Type": "text/event-stream" } });
}

const { url } = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const answer = server.answer(JSON.parse(await request.text()));
    return answer === undefined ? new Response(null, { status: 202 }) : respond(answer);
  },
});
console.log(`${url.href}mcp`);
