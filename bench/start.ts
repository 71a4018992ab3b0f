// What a facade costs to start: spawn to answered tools/list, and memory when idle after that,
// with a fresh catalog on disk, next to a bare script that only reads the same file.
//   bun bench/start.ts [--runs N]
import { join } from "node:path";
import {
  createFacadeFolder,
  type FacadeFolder,
  ROOT,
  STDIO_UPSTREAM,
} from "./support/facade-folder.ts";
import { startLineProcess } from "./support/line-process.ts";
import { type Memory, memoryOf, requireProcFiles } from "./support/process-cost.ts";
import { type Bar, numberFlag, renderTable, reportBars } from "./support/report.ts";
import { median, ratios, renderSummary } from "./support/statistics.ts";
import { makeTools } from "./support/synthetic-tools.ts";

const EVERYTHING = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
/** For scale: what Bun itself takes. */
const NOTHING = [process.execPath, "-e", "0"];
const IDLE_MS = 1000;
const MEMORY_RUNS = 5;
const START_LIMIT = 1.6;
const MEMORY_LIMIT = 1.25;

interface Variant {
  readonly label: string;
  readonly argv: readonly string[];
}

interface Measured {
  readonly variant: Variant;
  readonly startMs: number[];
  readonly memory: Memory[];
}

/** Three requests as a host sends them, each after the answer to the one before. */
async function startOnce(
  folder: FacadeFolder,
  { argv }: Variant,
  options: { readonly measuresMemory: boolean },
): Promise<{ startMs: number; memory: Memory | undefined }> {
  if (argv === NOTHING) return { startMs: await runNothing(), memory: undefined };
  const started = startLineProcess({ argv, env: folder.env, cwd: folder.folder });
  await started.initialize();
  await started.request("tools/list");
  const startMs = started.sinceSpawn();
  let memory: Memory | undefined;
  if (options.measuresMemory) {
    await Bun.sleep(IDLE_MS);
    memory = memoryOf(started.pid);
  }
  await started.end();
  return { startMs, memory };
}

async function runNothing(): Promise<number> {
  const startedAt = performance.now();
  await Bun.spawn([...NOTHING], { stdout: "ignore" }).exited;
  return performance.now() - startedAt;
}

async function measure(
  folder: FacadeFolder,
  variants: readonly Variant[],
  runs: number,
): Promise<Measured[]> {
  const all: Measured[] = variants.map((variant) => ({ variant, startMs: [], memory: [] }));
  // The first round warms the file cache and is not counted.
  for (let run = -1; run < runs; run++) {
    for (const { variant, startMs, memory } of all) {
      const measuresMemory = run >= 0 && run < MEMORY_RUNS;
      const once = await startOnce(folder, variant, { measuresMemory });
      if (run >= 0) startMs.push(once.startMs);
      if (once.memory !== undefined) memory.push(once.memory);
    }
  }
  return all;
}

function rowOf(one: Measured, base: Measured): string[] {
  const memoryCells = (pick: (memory: Memory) => number): string[] => {
    if (one.memory.length === 0) return ["", ""];
    const values = one.memory.map(pick);
    const ratio = median(values) / median(base.memory.map(pick));
    return [renderSummary(values), ratio.toFixed(2)];
  };
  const rss = ({ rssMb }: Memory) => rssMb;
  const pss = ({ pssMb }: Memory) => pssMb;
  return [
    one.variant.label,
    renderSummary(one.startMs),
    median(ratios(one.startMs, base.startMs)).toFixed(2),
    ...memoryCells(rss),
    ...memoryCells(pss),
  ];
}

const HEADERS = ["", "start ms", "ratio", "RSS MB", "ratio", "PSS MB", "ratio"];

async function benchCatalog(
  folder: FacadeFolder,
  count: number,
  runs: number,
): Promise<readonly Bar[]> {
  const few = `few-${count}`;
  const all = `all-${count}`;
  await folder.refresh(few);
  await folder.refresh(all);
  const bare = [process.execPath, folder.bareScript, folder.catalogFile(few)];
  const variants: Variant[] = [
    { label: "bare script, all tools", argv: bare },
    { label: "facade, 10 tools used", argv: folder.argv(few) },
    { label: "facade, all tools used", argv: folder.argv(all) },
    {
      label: "the script without node:fs",
      argv: [process.execPath, folder.bareQuick, folder.catalogFile(few)],
    },
    { label: "bun -e 0, until it has ended", argv: NOTHING },
  ];
  const measured = await measure(folder, variants, runs);
  const [base] = measured;
  if (base === undefined) return [];
  const sizeKb = Bun.file(folder.catalogFile(few)).size / 1024;
  console.log(
    `\nCatalog of ${count} tools (${sizeKb.toFixed(0)} KB on disk), ${runs} interleaved runs\n`,
  );
  console.log(
    renderTable(
      HEADERS,
      measured.map((one) => rowOf(one, base)),
    ),
  );
  return measured.slice(1, 3).flatMap(({ variant, startMs, memory }) => {
    const what = `${variant.label} of ${count}`;
    const pssOf = (some: readonly Memory[]) => median(some.map(({ pssMb }) => pssMb));
    const rssOf = (some: readonly Memory[]) => median(some.map(({ rssMb }) => rssMb));
    return [
      {
        what: `${what}, start against the bare script`,
        measured: median(ratios(startMs, base.startMs)),
        limit: START_LIMIT,
        unit: " x",
      },
      {
        what: `${what}, idle RSS against the bare script`,
        measured: rssOf(memory) / rssOf(base.memory),
        limit: MEMORY_LIMIT,
        unit: " x",
      },
      {
        what: `${what}, idle PSS against the bare script`,
        measured: pssOf(memory) / pssOf(base.memory),
        limit: MEMORY_LIMIT,
        unit: " x",
      },
    ];
  });
}

async function benchEverything(folder: FacadeFolder, runs: number): Promise<void> {
  await folder.refresh("everything");
  const upstream = [process.execPath, EVERYTHING, "stdio"];
  const [base, facade] = await measure(
    folder,
    [
      { label: "everything itself", argv: upstream },
      { label: "facade in front of it", argv: folder.argv("everything") },
    ],
    runs,
  );
  if (base === undefined || facade === undefined) return;
  console.log(`\nThe reference server "everything", ${runs} interleaved runs\n`);
  console.log(renderTable(HEADERS, [rowOf(base, base), rowOf(facade, base)]));
}

function serversOf(count: number): object {
  const upstream = { command: process.execPath, args: [STDIO_UPSTREAM, String(count)] };
  const names = makeTools(count).map((tool) => tool.name);
  return {
    [`few-${count}`]: { upstream, used: names.slice(0, 10) },
    [`all-${count}`]: { upstream, used: names },
  };
}

requireProcFiles();
const runs = numberFlag("runs", 25);
const upstream = { command: process.execPath, args: [EVERYTHING, "stdio"] };
using folder = createFacadeFolder({
  ...serversOf(60),
  ...serversOf(1000),
  everything: { upstream, used: ["echo", "get-sum"] },
});
const bars = [await benchCatalog(folder, 60, runs), await benchCatalog(folder, 1000, runs)];
await benchEverything(folder, Math.min(runs, 10));
console.log("");
const areMet = reportBars(bars.flat());
folder[Symbol.dispose]();
process.exit(areMet ? 0 : 1);
