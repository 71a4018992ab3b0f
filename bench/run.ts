// Runs every bench and writes what they print to bench/RESULTS.md, with date and versions.
//   bun bench/run.ts [--only NAME,NAME]
// A bench that has nothing to measure, because a folder of catalogs is missing or the machine
// cannot tell, says so and is left out. Ends with 1 when a bar is not met.
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { VERSION } from "../lib/version.ts";

const ROOT = join(import.meta.dir, "..");
const RESULTS = join(import.meta.dir, "RESULTS.md");

/** In this order; the first ones want a quiet machine most. */
const BENCHES = [
  { name: "start", question: "What does a facade cost to start, and when idle?" },
  { name: "many", question: "What do ten at once cost?" },
  { name: "latency", question: "What does it add to a call?" },
  { name: "throughput", question: "What do large results cost?" },
  { name: "soak", question: "Does it survive upstreams on which everything goes wrong?" },
  { name: "discover", question: "How long does discover take?" },
  { name: "tokens", question: "How many tokens does a server's list cost?" },
  { name: "describe", question: "What does describe cost, and does it leave anything out?" },
  { name: "fidelity", question: "Does compression change nothing?" },
  { name: "search", question: "Does discover find the tool?" },
  { name: "validate", question: "Does checking arguments ever refuse a valid call?" },
] as const;

const VERDICTS: Readonly<Record<number, string>> = { 0: "holds", 2: "left out" };

interface Outcome {
  readonly name: string;
  readonly question: string;
  readonly text: string;
  readonly verdict: string;
  readonly seconds: number;
}

async function runBench(bench: { name: string; question: string }): Promise<Outcome> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${bench.name}.ts`)], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, words, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  // A path of this machine says nothing elsewhere.
  const output = [text.trim(), words.trim()].filter((part) => part !== "").join("\n\n");
  const shown = output.replaceAll(ROOT, ".").replaceAll(join(ROOT, ".."), "..");
  return { ...bench, text: shown, verdict: VERDICTS[code] ?? "DOES NOT HOLD", seconds };
}

function commit(): string {
  const { stdout, success } = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"], { cwd: ROOT });
  return success ? stdout.toString().trim() : "unknown";
}

function renderResults(outcomes: readonly Outcome[]): string {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} x ${cpu?.model ?? "unknown"}, ${memoryGb} GB, ${process.platform}`;
  const head = [
    "# Results",
    "",
    "Written by `bun run bench`. Ratios within one run compare across machines, absolute numbers do not.",
    "",
    `- date: ${new Date().toISOString().slice(0, 10)}`,
    `- mcp-facade ${VERSION} at ${commit()}, Bun ${Bun.version}`,
    `- machine: ${machine}`,
    "",
    "| bench | question | verdict | seconds |",
    "| --- | --- | --- | ---: |",
    ...outcomes.map(
      ({ name, question, verdict, seconds }) =>
        `| ${name} | ${question} | ${verdict} | ${seconds.toFixed(0)} |`,
    ),
  ];
  const sections = outcomes.map(
    ({ name, question, text }) => `## ${question}\n\n    bun bench/${name}.ts\n\n${text}`,
  );
  return `${head.join("\n")}\n\n${sections.join("\n\n")}\n`;
}

const only = process.argv[process.argv.indexOf("--only") + 1]?.split(",") ?? [];
const isAll = !process.argv.includes("--only");
const unknown = only.filter((name) => !isAll && !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  const names = BENCHES.map(({ name }) => name).join(", ");
  console.error(`Cannot run "${unknown.join(", ")}": wanted ${names}`);
  process.exit(2);
}
const outcomes: Outcome[] = [];
for (const bench of BENCHES) {
  if (!isAll && !only.includes(bench.name)) continue;
  process.stdout.write(`${bench.name}: `);
  const outcome = await runBench(bench);
  console.log(`${outcome.verdict}, ${outcome.seconds.toFixed(0)} s`);
  outcomes.push(outcome);
}
await Bun.write(RESULTS, renderResults(outcomes));
console.log(`written to ${RESULTS}`);
process.exitCode = outcomes.some(({ verdict }) => verdict === "DOES NOT HOLD") ? 1 : 0;
