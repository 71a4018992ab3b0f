// An MCP server on Streamable HTTP on which everything goes wrong now and then: sessions expire,
// tokens are refused, connections break before or after the work is done, event streams end without
// the answer, answers never come, and load balancers put their own pages in between.
//   bun bench/upstreams/flaky-http.ts SEED EXECUTION_LOG TOKEN_FILE
// Prints its address as its first line. The token it accepts is the one in the file, unless it has
// taken that one back. One line with the call's key is appended to the log for each execution.
import { appendFileSync, readFileSync } from "node:fs";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { fateOf, type Odds } from "./fate.ts";
import { renderWork, WORK_TOOL } from "./work.ts";

type Fate =
  | "expire sessions"
  | "refuse token"
  | "hang"
  | "busy"
  | "broken gateway"
  | "break before"
  | "break after"
  | "stream without answer"
  | "stream"
  | "late"
  | "large"
  | "large stream";

const ODDS: Odds<Fate> = [
  ["expire sessions", 5],
  ["refuse token", 3],
  ["hang", 2],
  ["busy", 10],
  ["broken gateway", 10],
  ["break before", 5],
  ["break after", 5],
  ["stream without answer", 5],
  ["stream", 300],
  ["late", 20],
  ["large", 5],
  ["large stream", 5],
];

const seed = Number(process.argv[2]);
const log = process.argv[3] ?? "";
const tokenFile = process.argv[4] ?? "";
const sessions = new Set<string>();
/** Calls that have had their bad luck and are treated well when they come again. */
const spent = new Set<number>();
const refusedTokens = new Set<string>();
/** When the newest token was accepted first; a token that works for no second is no token. */
let acceptedAtMs = Number.POSITIVE_INFINITY;

const NEVER = new Promise<never>(() => undefined);

function isAuthorized(request: Request): boolean {
  const token = readFileSync(tokenFile, "utf8").trim();
  if (request.headers.get("Authorization") !== `Bearer ${token}` || refusedTokens.has(token)) {
    return false;
  }
  acceptedAtMs = Math.min(acceptedAtMs, Date.now());
  return true;
}

function refuseToken(): Response {
  if (Date.now() - acceptedAtMs > 1000) {
    refusedTokens.add(readFileSync(tokenFile, "utf8").trim());
    acceptedAtMs = Number.POSITIVE_INFINITY;
  }
  return new Response("expired", { status: 401 });
}

function answerJson(message: JsonObject, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", ...message }, { headers });
}

function answerEvents(text: string): Response {
  const head = "event: message\ndata: ";
  const body = new ReadableStream({
    async start(controller) {
      // In two pieces, as it may come over a network.
      controller.enqueue(head + text.slice(0, text.length / 2));
      await Bun.sleep(1);
      controller.enqueue(`${text.slice(text.length / 2)}\n\n`);
      controller.close();
    },
  }).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

/** A body that breaks off in the middle. */
function breakOff(): Response {
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0",'));
      await Bun.sleep(1);
      controller.error(new Error("broken"));
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/json" } });
}

async function work(id: unknown, key: number): Promise<Response> {
  const fate = spent.has(key) ? "good" : fateOf(ODDS, { seed, key });
  spent.add(key);
  switch (fate) {
    case "expire sessions":
      sessions.clear();
      return new Response(null, { status: 404 });
    case "refuse token":
      return refuseToken();
    case "busy":
      return new Response("slow down", { status: 429, headers: { "Retry-After": "1" } });
    case "broken gateway":
      return new Response("<h1>Bad gateway</h1>", { status: 502 });
    case "break before":
      return breakOff();
  }
  appendFileSync(log, `${key}\n`);
  if (fate === "late") await Bun.sleep(50);
  const isLarge = fate === "large" || fate === "large stream";
  const message = { id, result: renderWork(key, isLarge ? 1_500_000 : 100) };
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  switch (fate) {
    case "hang":
      return NEVER;
    case "break after":
      return breakOff();
    case "stream without answer":
      return new Response(": nothing\n\n", { headers: { "Content-Type": "text/event-stream" } });
    case "stream":
    case "large stream":
      return answerEvents(text);
    default:
      return answerJson(message);
  }
}

const { url } = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  // A call that hangs is for the client to give up.
  idleTimeout: 0,
  async fetch(request) {
    if (!isAuthorized(request)) return new Response("expired", { status: 401 });
    const session = request.headers.get("Mcp-Session-Id") ?? "";
    if (request.method === "DELETE") {
      return new Response(null, { status: sessions.delete(session) ? 200 : 404 });
    }
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = JSON.parse(await request.text());
    if (method === "initialize") {
      const { protocolVersion } = params;
      const made = crypto.randomUUID();
      sessions.add(made);
      const serverInfo = { name: "flaky-http", version: "1.0.0" };
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo };
      return answerJson({ id, result }, { "Mcp-Session-Id": made });
    }
    if (!sessions.has(session)) return new Response(null, { status: 404 });
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "tools/call") return await work(id, Number(params.arguments.key));
    return answerJson({ id, result: method === "tools/list" ? { tools: [WORK_TOOL] } : {} });
  },
});
console.log(`${url.href}mcp`);
