// An MCP server on stdio on which everything goes wrong now and then: it dies before or after it
// has done its work, hangs, answers late or twice, writes noise and floods stderr.
//   bun bench/upstreams/flaky-stdio.ts SEED EXECUTION_LOG
// One line with the call's key is appended to the log for each execution of `work`.
import { appendFileSync } from "node:fs";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { fateOf, type Odds, randomBelow } from "./fate.ts";
import { renderWork, WORK_TOOL } from "./work.ts";

type Fate = "die early" | "die late" | "hang" | "late" | "twice" | "noise" | "flood" | "large";

const ODDS: Odds<Fate> = [
  ["die early", 1],
  ["die late", 1],
  ["hang", 2],
  ["late", 20],
  ["twice", 5],
  ["noise", 20],
  ["flood", 2],
  ["large", 5],
];

const seed = Number(process.argv[2]);
const log = process.argv[3] ?? "";
const out = Bun.stdout.writer();

function send(message: JsonObject): void {
  out.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  out.flush();
}

async function work(id: unknown, key: number): Promise<void> {
  const fate = fateOf(ODDS, { seed, key });
  if (fate === "die early") process.exit(3);
  appendFileSync(log, `${key}\n`);
  if (fate === "die late") process.exit(4);
  if (fate === "hang") return;
  if (fate === "late") await Bun.sleep(randomBelow(100, { seed, key: key + 1 }));
  if (fate === "noise") out.write(`working on ${key} {"jsonrpc": ...\n[]\n\n`);
  if (fate === "flood") console.error("a line of a long stack trace\n".repeat(2000));
  const answer = { id, result: renderWork(key, fate === "large" ? 1_500_000 : 100) };
  send(answer);
  if (fate === "twice") send(answer);
}

function take({ id, method, params }: JsonObject): void {
  const given = (params ?? {}) as JsonObject;
  if (id === undefined) return;
  if (method === "tools/call") {
    void work(id, Number((given.arguments as JsonObject).key));
  } else if (method === "initialize") {
    const { protocolVersion } = given;
    const serverInfo = { name: "flaky-stdio", version: "1.0.0" };
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else {
    send({ id, result: method === "tools/list" ? { tools: [WORK_TOOL] } : {} });
  }
}

const decoder = new TextDecoder();
let rest = "";
for await (const chunk of Bun.stdin.stream()) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) take(JSON.parse(line));
}
process.exit(0);
