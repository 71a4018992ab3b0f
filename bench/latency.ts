// What a facade adds to a call: tools/call over a direct raw connection, over a relay that only
// copies bytes (the floor), directly through the facade and through its `call`.
//   bun bench/latency.ts [--rounds N]
import { join } from "node:path";
import type { JsonObject } from "../lib/json-rpc.ts";
import { createFacadeFolder, ROOT, STDIO_UPSTREAM } from "./support/facade-folder.ts";
import { openHttpClient, startHttpUpstream } from "./support/http-client.ts";
import { type LineProcess, startLineProcess } from "./support/line-process.ts";
import { type Bar, numberFlag, renderTable, reportBars } from "./support/report.ts";
import { differences, median, renderSummary } from "./support/statistics.ts";

const CALLS_PER_ROUND = 100;
const AT_ONCE = 50;
const TOOL = "list_issue";
const ARGUMENTS = { text: "a short line, as most calls have", limit: 5, state: "open" };
const STDIO_LIMIT_MS = 0.1;
const HTTP_LIMIT_MS = 0.25;

interface Route {
  readonly label: string;
  call(): Promise<unknown>;
}

interface Measured {
  readonly route: Route;
  /** Milliseconds a call, one number a round. */
  readonly sequentialMs: number[];
  readonly atOnceMs: number[];
}

function throughDirect(client: Pick<LineProcess, "request">, label: string): Route {
  return {
    label,
    call: () => check(client.request("tools/call", { name: TOOL, arguments: ARGUMENTS })),
  };
}

function throughCall(client: LineProcess, label: string): Route {
  const params = { name: "call", arguments: { tool: TOOL, args: ARGUMENTS } };
  return { label, call: () => check(client.request("tools/call", params)) };
}

/** A bench that times failures measures nothing. */
async function check(answer: Promise<JsonObject>): Promise<void> {
  const { result } = await answer;
  if ((result as JsonObject | undefined)?.isError !== undefined || result === undefined) {
    throw new Error(`the call failed: ${JSON.stringify(await answer)}`);
  }
}

async function sequentialRound(route: Route): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS_PER_ROUND; call++) {
    const startedAt = performance.now();
    await route.call();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function atOnceRound(route: Route): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => route.call()));
  return (performance.now() - startedAt) / AT_ONCE;
}

/** The routes take turns within each round; the first rounds warm up and are not counted. */
async function measure(routes: readonly Route[], rounds: number): Promise<Measured[]> {
  const all = routes.map((route) => ({
    route,
    sequentialMs: [] as number[],
    atOnceMs: [] as number[],
  }));
  for (let round = -5; round < rounds; round++) {
    for (const { route, sequentialMs, atOnceMs } of all) {
      const sequential = await sequentialRound(route);
      const atOnce = await atOnceRound(route);
      if (round < 0) continue;
      sequentialMs.push(sequential);
      atOnceMs.push(atOnce);
    }
  }
  return all;
}

function report(title: string, measured: readonly Measured[], limit: number): Bar[] {
  const [base] = measured;
  if (base === undefined) return [];
  const added = (one: Measured) => median(differences(one.sequentialMs, base.sequentialMs));
  const addedAtOnce = (one: Measured) => median(differences(one.atOnceMs, base.atOnceMs));
  const rows = measured.map((one) => [
    one.route.label,
    renderSummary(one.sequentialMs, 3),
    one === base ? "" : added(one).toFixed(3),
    renderSummary(one.atOnceMs, 3),
    one === base ? "" : addedAtOnce(one).toFixed(3),
  ]);
  console.log(`\n${title}: ms a call, ${base.sequentialMs.length} interleaved rounds\n`);
  const headers = ["", "one by one", "added", `${AT_ONCE} at once`, "added"];
  console.log(renderTable(headers, rows));
  return measured
    .filter(({ route }) => route.label.startsWith("facade"))
    .map((one) => ({
      what: `${title}, ${one.route.label}, added per call`,
      measured: added(one),
      limit,
      unit: " ms",
    }));
}

const rounds = numberFlag("rounds", 30);
await using http = await startHttpUpstream(["60"]);
await using events = await startHttpUpstream(["60", "--events"]);
const upstreamArgv = [process.execPath, STDIO_UPSTREAM, "60"];
using folder = createFacadeFolder({
  stdio: { upstream: { command: process.execPath, args: [STDIO_UPSTREAM, "60"] }, used: [TOOL] },
  http: { upstream: { url: http.url }, used: [TOOL] },
  events: { upstream: { url: events.url }, used: [TOOL] },
});

async function open(argv: readonly string[]): Promise<LineProcess> {
  const started = startLineProcess({ argv, env: folder.env, cwd: folder.folder });
  await started.initialize();
  return started;
}

async function benchStdio(): Promise<Bar[]> {
  const relay = join(ROOT, "bench/support/bare-relay.ts");
  const direct = await open(upstreamArgv);
  const relayed = await open([process.execPath, relay, ...upstreamArgv]);
  const facade = await open(folder.argv("stdio"));
  const measured = await measure(
    [
      throughDirect(direct, "direct"),
      throughDirect(relayed, "bare relay"),
      throughDirect(facade, "facade, used tool"),
      throughCall(facade, "facade, through call"),
    ],
    rounds,
  );
  await Promise.all([direct.end(), relayed.end(), facade.end()]);
  return report("stdio", measured, STDIO_LIMIT_MS);
}

async function benchHttp(title: string, server: string, url: string): Promise<Bar[]> {
  const direct = await openHttpClient(url);
  const facade = await open(folder.argv(server));
  const measured = await measure(
    [
      throughDirect(direct, "direct"),
      throughDirect(facade, "facade, used tool"),
      throughCall(facade, "facade, through call"),
    ],
    rounds,
  );
  await facade.end();
  return report(title, measured, HTTP_LIMIT_MS);
}

for (const server of ["stdio", "http", "events"]) await folder.refresh(server);
const bars = [
  await benchStdio(),
  await benchHttp("HTTP, JSON answers", "http", http.url),
  await benchHttp("HTTP, event streams", "events", events.url),
];
console.log("");
const areMet = reportBars(bars.flat());
process.exitCode = areMet ? 0 : 1;
