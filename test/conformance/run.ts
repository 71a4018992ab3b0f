// Runs @modelcontextprotocol/conformance against the facade, as a server (in front of a fixture, and
// compared with the fixture alone) and as a client, and prints what passed. Exit code 0 only when
// the facade passes all that the fixture passes, and every client scenario.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf, FACADE, startFacade } from "../support/facade-process.ts";
import { startBridge } from "./bridge.ts";
import { TOOL_NAMES } from "./tools.ts";

const SUITE = join(
  import.meta.dir,
  "../../node_modules/@modelcontextprotocol/conformance/dist/index.js",
);
const FIXTURE = [process.execPath, join(import.meta.dir, "fixture.ts")] as const;
const SPEC_VERSION = "2025-11-25";
/** What the suite's own client declares. */
const SUITE_CAPABILITIES = { sampling: {}, elicitation: {} };
const CLIENT_SCENARIOS = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sse-retry",
];

/** Checks whose failure is a decision, with the reason. */
const ON_PURPOSE: Readonly<Record<string, string>> = {
  "json-schema-2020-12-$schema":
    "the name of the default dialect tells a model nothing; describe has the original",
  "json-schema-2020-12-$defs":
    "a definition used once stands where it is used; describe has the original",
};

type Status = "SUCCESS" | "WARNING" | "FAILURE";

interface Check {
  readonly id: string;
  readonly status: Status | "INFO" | "SKIPPED";
  readonly errorMessage?: string;
}

/** Worst status and error by check id. */
type Outcome = ReadonlyMap<string, { readonly status: Status; readonly error: string }>;

const SEVERITY: readonly Status[] = ["SUCCESS", "WARNING", "FAILURE"];

/** Reads the `checks.json` of every scenario that wrote into the folder. */
function readChecks(folder: string): Outcome {
  const outcome = new Map<string, { status: Status; error: string }>();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith("checks.json")).sort()) {
    const checks: readonly Check[] = JSON.parse(readFileSync(join(folder, file), "utf8"));
    for (const { id, status, errorMessage = "" } of checks) {
      if (status === "INFO" || status === "SKIPPED") continue;
      const known = outcome.get(id);
      const isWorse =
        known === undefined || SEVERITY.indexOf(status) > SEVERITY.indexOf(known.status);
      if (isWorse) outcome.set(id, { status, error: errorMessage });
    }
  }
  return outcome;
}

async function runSuite(args: readonly string[], folder: string): Promise<Outcome> {
  mkdirSync(folder, { recursive: true });
  const child = Bun.spawn([process.execPath, SUITE, ...args, "-o", folder], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  const outcome = readChecks(folder);
  if (outcome.size === 0) throw new Error(`the suite wrote no checks\n${stdout}\n${stderr}`);
  return outcome;
}

async function judgeServer(
  command: readonly string[],
  options: { readonly folder: string; readonly results: string },
): Promise<Outcome> {
  await using bridge = startBridge({ command, env: environmentOf(options.folder) });
  const args = ["server", "--url", bridge.url, "--suite", "all", "--spec-version", SPEC_VERSION];
  return await runSuite(args, options.results);
}

function judgeClient(scenario: string, results: string): Promise<Outcome> {
  const command = `"${process.execPath}" "${join(import.meta.dir, "client.ts")}"`;
  return runSuite(["client", "--command", command, "--scenario", scenario], results);
}

/**
 * Prints a summary, and one line for each check that is not plainly passed. True when nothing
 * fails, or does worse than it does for `alone`, but what is on purpose.
 */
function report(title: string, outcome: Outcome, alone?: Outcome): boolean {
  let isGood = true;
  const lines: string[] = [];
  for (const [id, { status, error }] of outcome) {
    if (status === "SUCCESS") continue;
    const bar = alone?.get(id)?.status ?? "WARNING";
    const isWithinBar = SEVERITY.indexOf(status) <= SEVERITY.indexOf(bar);
    const purpose = isWithinBar ? undefined : ON_PURPOSE[id];
    if (!isWithinBar && purpose === undefined) isGood = false;
    lines.push(`  ${id}: ${status}: ${purpose === undefined ? error : `on purpose: ${purpose}`}`);
  }
  for (const id of alone?.keys() ?? []) {
    const isStale = outcome.get(id)?.status === "SUCCESS" && ON_PURPOSE[id] !== undefined;
    if (outcome.has(id) && !isStale) continue;
    isGood = false;
    lines.push(`  ${id}: ${isStale ? "passes; take it off the list" : "was not reached"}`);
  }
  const total = new Set([...outcome.keys(), ...(alone?.keys() ?? [])]).size;
  console.log(`${isGood ? "pass" : "FAIL"} ${title}: ${total - lines.length} of ${total} checks`);
  for (const line of lines) console.log(line);
  return isGood;
}

/** A first session of a host like the suite: later ones promise what the catalog remembers. */
async function fetchCatalog(folder: string): Promise<void> {
  await using facade = startFacade({ folder });
  await facade.initialize({ capabilities: SUITE_CAPABILITIES });
  await facade.request("tools/list");
}

const folder = mkdtempSync(join(tmpdir(), "mcp-facade-conformance-"));
try {
  const config = join(folder, "facade.servers.json");
  const [command, ...args] = FIXTURE;
  const entry = { upstream: { command, args }, used: TOOL_NAMES };
  writeFileSync(config, JSON.stringify({ acme: entry }));
  const facade = [command, "run", FACADE, "--server", "acme", "--config", config];

  await fetchCatalog(folder);
  const alone = await judgeServer(FIXTURE, { folder, results: join(folder, "alone") });
  const isAloneGood = report("the fixture alone", alone);
  const served = await judgeServer(facade, { folder, results: join(folder, "facade") });
  let isGood = report("the facade as a server", served, alone) && isAloneGood;
  for (const scenario of CLIENT_SCENARIOS) {
    const outcome = await judgeClient(scenario, join(folder, scenario));
    isGood = report(`the facade as a client, ${scenario}`, outcome) && isGood;
  }
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
