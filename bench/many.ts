// A user with ten upstreams: ten facades started at once, their memory together, and the CPU they
// take while nothing happens, first without an upstream, then with an open one each.
//   bun bench/many.ts [--count N] [--idle SECONDS] [--runs N]
import { createFacadeFolder, STDIO_UPSTREAM } from "./support/facade-folder.ts";
import { type LineProcess, startLineProcess } from "./support/line-process.ts";
import { cpuMs, memoryOf, requireProcFiles } from "./support/process-cost.ts";
import { type Bar, numberFlag, renderTable, reportBars } from "./support/report.ts";
import { median, ratios, renderSummary } from "./support/statistics.ts";
import { makeTools } from "./support/synthetic-tools.ts";

/** Ten times one, and a tenth more for the machine's own work. */
const TEN_TIMES_ONE = 1.1;
/** Above what Bun takes for itself in a script that only waits; a busy loop takes 100. */
const IDLE_CPU_LIMIT_PERCENT = 0.1;

interface Argv {
  readonly argv: readonly string[];
}

async function startAll(
  folder: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
  all: readonly Argv[],
): Promise<{ readonly started: readonly LineProcess[]; readonly wallMs: number }> {
  const startedAt = performance.now();
  const started = all.map(({ argv }) =>
    startLineProcess({ argv, env: folder.env, cwd: folder.folder }),
  );
  await Promise.all(
    started.map(async (one) => {
      await one.initialize();
      await one.request("tools/list");
    }),
  );
  return { started, wallMs: performance.now() - startedAt };
}

async function endAll(started: readonly LineProcess[]): Promise<void> {
  await Promise.all(started.map((one) => one.end()));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Milliseconds of CPU of all of them together during the time. */
async function idleCpu(pids: readonly number[], seconds: number): Promise<number> {
  const before = sum(pids.map(cpuMs));
  await Bun.sleep(seconds * 1000);
  return sum(pids.map(cpuMs)) - before;
}

requireProcFiles();
const count = numberFlag("count", 10);
const idleSeconds = numberFlag("idle", 60);
const runs = numberFlag("runs", 10);
const names = makeTools(60).map((tool) => tool.name);
const upstream = { command: process.execPath, args: [STDIO_UPSTREAM, "60"] };
const servers = Array.from({ length: count }, (_, index) => `server-${index}`);
using folder = createFacadeFolder(
  Object.fromEntries(servers.map((server) => [server, { upstream, used: names.slice(0, 10) }])),
);
for (const server of servers) await folder.refresh(server);
const facades = servers.map((server) => ({ argv: folder.argv(server) }));
const bareScripts = servers.map((server) => ({
  argv: [process.execPath, folder.bareScript, folder.catalogFile(server)],
}));

const one: number[] = [];
const many: number[] = [];
const bare: number[] = [];
const onePss: number[] = [];
const manyPss: number[] = [];
const barePss: number[] = [];
for (let run = -1; run < runs; run++) {
  for (const [all, wall, pss] of [
    [facades.slice(0, 1), one, onePss],
    [facades, many, manyPss],
    [bareScripts, bare, barePss],
  ] as const) {
    const { started, wallMs } = await startAll(folder, all);
    await Bun.sleep(500);
    const memory = sum(started.map(({ pid }) => memoryOf(pid).privateMb));
    await endAll(started);
    if (run < 0) continue;
    wall.push(wallMs);
    pss.push(memory);
  }
}

const { started: waiting } = await startAll(folder, bareScripts);
await Bun.sleep(2000);
const barePids = waiting.map(({ pid }) => pid);
const bareTotalMb = sum(barePids.map((pid) => memoryOf(pid).pssMb));
const bareCpu = await idleCpu(barePids, idleSeconds);
await endAll(waiting);

const { started } = await startAll(folder, facades);
const pids = started.map(({ pid }) => pid);
await Bun.sleep(2000);
const totalPssMb = sum(pids.map((pid) => memoryOf(pid).pssMb));
const quietCpu = await idleCpu(pids, idleSeconds);
for (const facade of started) {
  await facade.request("tools/call", {
    name: "call",
    arguments: { tool: names[20], args: { text: "x" } },
  });
}
await Bun.sleep(2000);
const openPssMb = sum(pids.map((pid) => memoryOf(pid).pssMb));
const openCpu = await idleCpu(pids, idleSeconds);
await endAll(started);

console.log(`\n${count} at once, catalogs of 60 tools, ${runs} interleaved runs\n`);
console.log(
  renderTable(
    ["", "all answered ms", "private MB together"],
    [
      ["1 facade", renderSummary(one), renderSummary(onePss)],
      [`${count} facades`, renderSummary(many), renderSummary(manyPss)],
      [`${count} bare scripts`, renderSummary(bare), renderSummary(barePss)],
    ],
  ),
);
console.log(`\n${count} that do nothing, ${idleSeconds} s each\n`);
console.log(
  renderTable(
    ["", "PSS MB together", "CPU ms together"],
    [
      ["bare scripts", bareTotalMb.toFixed(1), bareCpu.toFixed(1)],
      ["facades, no upstream opened yet", totalPssMb.toFixed(1), quietCpu.toFixed(1)],
      ["facades, an open upstream each", openPssMb.toFixed(1), openCpu.toFixed(1)],
    ],
  ),
);
console.log("");
const percent = (cpu: number) => (cpu - bareCpu) / 10 / idleSeconds / count;
const bars: Bar[] = [
  {
    what: `start of ${count} against ${count} bare scripts`,
    measured: median(ratios(many, bare)),
    limit: 1.6,
    unit: " x",
  },
  {
    what: `private memory of ${count} against ${count} times one`,
    measured: median(manyPss) / median(onePss) / count,
    limit: TEN_TIMES_ONE,
    unit: " x",
  },
  {
    what: "CPU of one idle facade above an idle bare script",
    measured: percent(quietCpu),
    limit: IDLE_CPU_LIMIT_PERCENT,
    unit: " %",
  },
  {
    what: "the same with an open upstream",
    measured: percent(openCpu),
    limit: IDLE_CPU_LIMIT_PERCENT,
    unit: " %",
  },
];
process.exitCode = reportBars(bars) ? 0 : 1;
