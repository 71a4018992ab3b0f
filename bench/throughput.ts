// What large results cost: one of 10 MB (of four kinds) and 1,000 small ones in a row, over a
// direct raw connection, over a relay that only copies bytes, and through the facade; and the most
// memory the facade ever had.
//   bun bench/throughput.ts [--runs N]
// "received" is the time to the last byte, "parsed" the time until the text is decoded and parsed,
// which every host has to do before it can use it. "prepared": the upstream had the JSON ready, so
// that there is nothing but the way, twice; no bar, as no server has that.
import { join } from "node:path";
import type { JsonObject } from "../lib/json-rpc.ts";
import { createFacadeFolder, ROOT, STDIO_UPSTREAM } from "./support/facade-folder.ts";
import { openHttpClient, startHttpUpstream } from "./support/http-client.ts";
import { type LineProcess, startLineProcess } from "./support/line-process.ts";
import { peakRssMb, requireProcFiles } from "./support/process-cost.ts";
import { type Bar, numberFlag, renderTable, reportBars } from "./support/report.ts";
import { median, ratios, renderSummary } from "./support/statistics.ts";
import { LARGE_KINDS, type LargeKind } from "./upstreams/server.ts";

const TOOL = "list_issue";
const SMALL_CALLS = 1000;
const LIMIT = 1.5;
/** Peak over the idle facade: a 10 MB answer as bytes, once more while it is put together, and what is on its way. */
const PEAK_LIMIT_MB = 160;

interface Client {
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  requestRaw(method: string, params?: JsonObject): Promise<Uint8Array>;
}

interface Route {
  readonly label: string;
  readonly client: Client;
  /** The facade's process, where there is one. */
  readonly pid?: number;
  /** Made anew by each measurement. */
  receivedMs: number[];
  parsedMs: number[];
}

const decoder = new TextDecoder();

function messageOf(bytes: Uint8Array): JsonObject {
  const text = decoder.decode(bytes);
  return JSON.parse(text.startsWith("event:") ? text.slice(text.indexOf("data: ") + 6) : text);
}

interface Large {
  readonly kind: LargeKind;
  readonly prepared: boolean;
}

const LARGES: readonly Large[] = [
  ...LARGE_KINDS.map((kind) => ({ kind, prepared: false })),
  { kind: "plain", prepared: true },
];

async function largeOnce(route: Route, large: Large, isCounted: boolean): Promise<void> {
  const startedAt = performance.now();
  const bytes = await route.client.requestRaw("tools/call", { name: "large", arguments: large });
  const received = performance.now() - startedAt;
  const { result } = messageOf(bytes);
  const parsed = performance.now() - startedAt;
  if (!Array.isArray((result as JsonObject | undefined)?.content)) {
    throw new Error(`the answer is not a result: ${decoder.decode(bytes.subarray(0, 300))}`);
  }
  if (!isCounted) return;
  route.receivedMs.push(received);
  route.parsedMs.push(parsed);
}

async function smallOnce(route: Route, isCounted: boolean): Promise<void> {
  const startedAt = performance.now();
  for (let call = 0; call < SMALL_CALLS; call++) {
    const params = { name: TOOL, arguments: { text: `line ${call}` } };
    const { result } = await route.client.request("tools/call", params);
    if (result === undefined) throw new Error("the call failed");
  }
  if (isCounted) route.parsedMs.push(performance.now() - startedAt);
}

async function takeTurns(
  routes: readonly Route[],
  runs: number,
  once: (route: Route, isCounted: boolean) => Promise<void>,
): Promise<void> {
  for (const route of routes) {
    route.receivedMs = [];
    route.parsedMs = [];
  }
  for (let run = -2; run < runs; run++) {
    for (const route of routes) await once(route, run >= 0);
  }
}

async function bench(title: string, routes: readonly Route[], runs: number): Promise<Bar[]> {
  const [base] = routes;
  const facade = routes.at(-1);
  if (base === undefined || facade?.pid === undefined) return [];
  const rows: string[][] = [];
  const bars: Bar[] = [];
  await takeTurns(routes, 2, smallOnce);
  const idleMb = peakRssMb(facade.pid);
  for (const large of LARGES) {
    const { kind, prepared } = large;
    const what = prepared ? `${kind}, prepared` : kind;
    await takeTurns(routes, runs, (route, isCounted) => largeOnce(route, large, isCounted));
    for (const route of routes) {
      rows.push([
        `10 MB ${what}, ${route.label}`,
        renderSummary(route.receivedMs),
        median(ratios(route.receivedMs, base.receivedMs)).toFixed(2),
        renderSummary(route.parsedMs),
        median(ratios(route.parsedMs, base.parsedMs)).toFixed(2),
      ]);
    }
    if (prepared) continue;
    bars.push({
      what: `${title}, 10 MB ${kind} parsed, against direct`,
      measured: median(ratios(facade.parsedMs, base.parsedMs)),
      limit: LIMIT,
      unit: " x",
    });
  }
  const peakMb = peakRssMb(facade.pid) - idleMb;
  await takeTurns(routes, Math.ceil(runs / 4), smallOnce);
  for (const route of routes) {
    rows.push([
      `${SMALL_CALLS} small, ${route.label}`,
      "",
      "",
      renderSummary(route.parsedMs),
      median(ratios(route.parsedMs, base.parsedMs)).toFixed(2),
    ]);
  }
  console.log(`\n${title}, ${runs} interleaved runs\n`);
  console.log(renderTable(["", "received ms", "ratio", "parsed ms", "ratio"], rows));
  bars.push({
    what: `${title}, peak memory above idle, ${runs + 2} results of 10 MB of each kind`,
    measured: peakMb,
    limit: PEAK_LIMIT_MB,
    unit: " MB",
  });
  return bars;
}

requireProcFiles();
const runs = numberFlag("runs", 15);
await using http = await startHttpUpstream(["60"]);
await using events = await startHttpUpstream(["60", "--events"]);
const upstreamArgv = [process.execPath, STDIO_UPSTREAM, "60"];
using folder = createFacadeFolder({
  stdio: {
    upstream: {
      command: process.execPath,
      args: [STDIO_UPSTREAM, "60"],
      env: { API_TOKEN: "a-secret-that-never-shows" },
    },
    used: [TOOL, "large"],
  },
  http: { upstream: { url: http.url }, used: [TOOL, "large"] },
  events: { upstream: { url: events.url }, used: [TOOL, "large"] },
});

async function open(argv: readonly string[]): Promise<LineProcess> {
  const started = startLineProcess({ argv, env: folder.env, cwd: folder.folder });
  await started.initialize();
  return started;
}

function routeOf(label: string, client: Client & { readonly pid?: number }): Route {
  const { pid } = client;
  return { label, client, ...(pid === undefined ? {} : { pid }), receivedMs: [], parsedMs: [] };
}

for (const server of ["stdio", "http", "events"]) await folder.refresh(server);
const bars: Bar[] = [];

const direct = await open(upstreamArgv);
const relay = join(ROOT, "bench/support/bare-relay.ts");
const relayed = await open([process.execPath, relay, ...upstreamArgv]);
const facade = await open(folder.argv("stdio"));
const stdioRoutes = [
  routeOf("direct", direct),
  routeOf("bare relay", relayed),
  routeOf("facade", facade),
];
bars.push(...(await bench("stdio", stdioRoutes, runs)));
await Promise.all([direct.end(), relayed.end(), facade.end()]);

for (const [title, server, url] of [
  ["HTTP, JSON answers", "http", http.url],
  ["HTTP, event streams", "events", events.url],
] as const) {
  const through = await open(folder.argv(server));
  const routes = [routeOf("direct", await openHttpClient(url)), routeOf("facade", through)];
  bars.push(...(await bench(title, routes, runs)));
  await through.end();
}
console.log("");
process.exitCode = reportBars(bars) ? 0 : 1;
