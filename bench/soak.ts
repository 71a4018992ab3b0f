// Many calls to upstreams on which everything goes wrong now and then, on stdio and on HTTP: every
// call has to be answered exactly once and executed at most once, a good answer means executed, and
// memory, descriptors and processes must not grow. Repeatable by its seed.
//   bun bench/soak.ts [--calls N] [--seed N]
// Ends with 1 when anything of this does not hold.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../lib/json-rpc.ts";
import { createFacadeFolder, type FacadeFolder, ROOT } from "./support/facade-folder.ts";
import { startHttpUpstream } from "./support/http-client.ts";
import { type LineProcess, startLineProcess } from "./support/line-process.ts";
import {
  descendants,
  isRunning,
  memoryOf,
  openDescriptors,
  requireProcFiles,
} from "./support/process-cost.ts";
import { numberFlag, renderTable } from "./support/report.ts";

const UPSTREAMS = join(ROOT, "bench/upstreams");
const AT_ONCE = 20;
const SAMPLES = 40;
/**
 * From the first half to the second, both after a rest. The slack of heap and compiled code varies
 * by 15 MB; large answers that are kept would add 50.
 */
const MEMORY_GROWTH_LIMIT_MB = 30;
/** Kept-alive connections come and go. */
const DESCRIPTOR_GROWTH_LIMIT = 8;
/** Whatever comes late has time to come, and what is not needed is given back. */
const REST_MS = 3000;
/** Less would mean that a failure goes on for longer than it has to. */
const GOOD_SHARE = 0.8;

interface Sample {
  readonly rssMb: number;
  readonly descriptors: number;
  readonly processes: number;
}

interface Tally {
  good: number;
  /** Failures by what was said of them, numbers and ids left out. */
  readonly failures: Map<string, number>;
  readonly breaches: string[];
}

function wordsOf(answer: JsonObject): string {
  if (isObject(answer.error)) return String(answer.error.message);
  const content = isObject(answer.result) ? answer.result.content : undefined;
  const [block] = Array.isArray(content) ? content : [];
  return isObject(block) ? String(block.text) : JSON.stringify(answer);
}

async function callOnce(facade: LineProcess, key: number, tally: Tally): Promise<boolean> {
  // By turns directly and through `call`.
  const params =
    key % 2 === 0
      ? { name: "work", arguments: { key } }
      : { name: "call", arguments: { tool: "work", args: { key } } };
  const answer = await facade.request("tools/call", params);
  const words = wordsOf(answer);
  const isGood = isObject(answer.result) && answer.result.isError !== true;
  if (isGood && words.startsWith(`done ${key} `)) {
    tally.good += 1;
    return true;
  }
  if (isGood) tally.breaches.push(`call ${key} got the answer "${words.slice(0, 60)}"`);
  const kind = words.slice(0, 120).replace(/\d+/g, "N");
  tally.failures.set(kind, (tally.failures.get(kind) ?? 0) + 1);
  return false;
}

function sampleOf(pid: number): Sample {
  return {
    rssMb: memoryOf(pid).rssMb,
    descriptors: openDescriptors(pid),
    processes: descendants(pid).length,
  };
}

/** Executions of each call, as the upstream wrote them down. */
function executionsOf(log: string): Map<number, number> {
  const executions = new Map<number, number>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    if (line !== "") executions.set(Number(line), (executions.get(Number(line)) ?? 0) + 1);
  }
  return executions;
}

async function soak(options: {
  readonly title: string;
  readonly folder: FacadeFolder;
  readonly server: string;
  readonly log: string;
  readonly calls: number;
  /** Processes that are there when all is quiet: the upstream, where it is ours. */
  readonly quietProcesses: number;
}): Promise<readonly string[]> {
  const { title, folder, server, log, calls, quietProcesses } = options;
  const facade = startLineProcess({ argv: folder.argv(server), env: folder.env });
  const tally: Tally = { good: 0, failures: new Map(), breaches: [] };
  const { breaches } = tally;
  const goodKeys = new Set<number>();
  const samples: Sample[] = [];
  facade.onOther = (message) => {
    if (message.method === undefined) breaches.push(`an answer nobody waits for: ${message.id}`);
  };
  await facade.initialize();
  let next = 0;
  const callUntil = async (end: number): Promise<void> => {
    while (next < end) {
      const key = next;
      next += 1;
      if (await callOnce(facade, key, tally)) goodKeys.add(key);
      if (key % Math.ceil(calls / SAMPLES) === 0) samples.push(sampleOf(facade.pid));
    }
  };
  /** Calls up to this number, one more good one so that there is an upstream, and a rest. */
  const half = async (end: number): Promise<Sample> => {
    await Promise.all(Array.from({ length: AT_ONCE }, () => callUntil(end)));
    for (let spare = 0; spare < 20; spare += 1) {
      if (await callOnce(facade, calls + end + spare, tally)) break;
    }
    await Bun.sleep(REST_MS);
    return sampleOf(facade.pid);
  };
  const startedAt = performance.now();
  const middle = await half(Math.floor(calls / 2));
  const quiet = await half(calls);
  const seconds = (performance.now() - startedAt) / 1000;
  const tree = descendants(facade.pid);
  const code = await facade.end();
  const survivors = tree.filter(isRunning);

  const executions = executionsOf(log);
  for (const [key, times] of executions) {
    if (times > 1) breaches.push(`call ${key} was executed ${times} times`);
  }
  for (const key of goodKeys) {
    if (!executions.has(key)) breaches.push(`call ${key} was answered and never executed`);
  }
  const memoryGrowth = quiet.rssMb - middle.rssMb;
  const descriptorGrowth = quiet.descriptors - middle.descriptors;
  if (memoryGrowth > MEMORY_GROWTH_LIMIT_MB) {
    breaches.push(
      `memory grew by ${memoryGrowth.toFixed(1)} MB, at most ${MEMORY_GROWTH_LIMIT_MB}`,
    );
  }
  if (descriptorGrowth > DESCRIPTOR_GROWTH_LIMIT) {
    breaches.push(`descriptors grew by ${descriptorGrowth}, at most ${DESCRIPTOR_GROWTH_LIMIT}`);
  }
  if (quiet.processes > quietProcesses) {
    breaches.push(`${quiet.processes} processes are left when quiet, at most ${quietProcesses}`);
  }
  if (tally.good < GOOD_SHARE * calls) {
    breaches.push(`only ${tally.good} of ${calls} calls went well, at least ${GOOD_SHARE * calls}`);
  }
  if (code !== 0) breaches.push(`the facade ended with exit code ${code}`);
  if (survivors.length > 0) breaches.push(`processes survived the facade: ${survivors.join(", ")}`);

  const render = (pick: (sample: Sample) => number): string =>
    [Math.max(...samples.map(pick)), pick(middle), pick(quiet)].map((n) => n.toFixed(0)).join(", ");
  const failed = [...tally.failures].sort((a, b) => b[1] - a[1]);
  console.log(`\n${title}: ${calls} calls, ${AT_ONCE} at once, ${seconds.toFixed(0)} s\n`);
  console.log(
    renderTable(
      ["", "value"],
      [
        ["answered well", String(tally.good)],
        ["answered with a failure", String(failed.reduce((sum, [, times]) => sum + times, 0))],
        ["executed", String(executions.size)],
        ["executed more than once", String([...executions.values()].filter((n) => n > 1).length)],
        ["RSS MB: most, at rest in the middle, at the end", render(({ rssMb }) => rssMb)],
        ["descriptors, likewise", render(({ descriptors }) => descriptors)],
        ["processes below it, likewise", render(({ processes }) => processes)],
      ],
    ),
  );
  console.log("\nFailures that were told:\n");
  for (const [words, times] of failed.slice(0, 15)) console.log(`- ${times} x ${words}`);
  return breaches.map((breach) => `${title}: ${breach}`);
}

requireProcFiles();
const calls = Math.ceil(numberFlag("calls", 10_000) / 2);
const seed = numberFlag("seed", 1);
const bun = process.execPath;
using seat = createFacadeFolder({});
const file = (name: string) => join(seat.folder, name);
for (const name of ["stdio.log", "http.log"]) writeFileSync(file(name), "");
writeFileSync(file("token"), "soak-token-first\n");
const httpArguments = [String(seed), file("http.log"), file("token")];
await using http = await startHttpUpstream(httpArguments, "flaky-http.ts");
const tokenCli = join(UPSTREAMS, "token-cli.ts");
using folder = createFacadeFolder({
  stdio: {
    upstream: {
      command: bun,
      args: [join(UPSTREAMS, "flaky-stdio.ts"), String(seed), file("stdio.log")],
    },
    used: ["work"],
    timeout: "500ms",
  },
  http: {
    upstream: {
      url: http.url,
      credentialId: "soak",
      tokenCommand: [bun, tokenCli, file("token")],
      renewCommand: [bun, tokenCli, file("token"), "--renew"],
    },
    used: ["work"],
    timeout: "500ms",
  },
});
const common = { folder, calls };
const breaches = [
  ...(await soak({
    ...common,
    title: "stdio",
    server: "stdio",
    log: file("stdio.log"),
    quietProcesses: 1,
  })),
  ...(await soak({
    ...common,
    title: "HTTP",
    server: "http",
    log: file("http.log"),
    quietProcesses: 0,
  })),
];
console.log(`\nSeed ${seed}: ${breaches.length === 0 ? "all of it holds" : "BREACHES"}`);
for (const breach of breaches) console.log(`- ${breach}`);
process.exitCode = breaches.length === 0 ? 0 : 1;
