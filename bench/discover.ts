// How long does discover take, first and later, over 300 and 10,000 tools?
//
//   bun bench/discover.ts [--runs N]
//
// Each run is a fresh process, so that the first search pays for everything: reading the tools into
// the index, the tables, cold code. Later searches are the median of different requests.
import type { Tool } from "../lib/catalog/catalog.ts";
import { renderDiscovery } from "../lib/facade/discover.ts";
import { createSearchIndex, type SearchIndex } from "../lib/search/rank.ts";
import { type Bar, numberFlag, renderTable, reportBars } from "./support/report.ts";
import { median, renderSummary } from "./support/statistics.ts";
import { makeTools } from "./support/synthetic-tools.ts";

interface Timing {
  readonly firstMs: number;
  readonly laterMs: number;
  readonly listMs: number;
}

const SIZES = [
  { tools: 300, firstMs: 40, laterMs: 2 },
  { tools: 10_000, firstMs: 400, laterMs: 25 },
];

const REQUESTS = [
  "create an issue",
  "list all open pull requests of a repository",
  "delete branch",
  "How can I find out who changed the milestone of a release last week?",
  "serach invoices",
  "工单 创建",
  "webhook",
  "move_report",
  "I want to archive the artifacts of a pipeline. Then tell the team about it, please.",
];

function measureOnce(count: number): Timing {
  // As the catalog file gives them: parsed, no string shared.
  const tools: readonly Tool[] = JSON.parse(JSON.stringify(makeTools(count)));
  let index: SearchIndex | undefined;
  const discover = (query: string) =>
    renderDiscovery({
      tools,
      index: () => {
        index ??= createSearchIndex(tools);
        return index;
      },
      query,
      limit: undefined,
    });
  const firstMs = timeOf(() => discover("find the owner of a project"));
  const laterMs = REQUESTS.flatMap((query) =>
    Array.from({ length: 5 }, () => timeOf(() => discover(query))),
  );
  return { firstMs, laterMs: median(laterMs), listMs: timeOf(() => discover("")) };
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function measureInFreshProcess(count: number): Timing {
  const child = Bun.spawnSync([process.execPath, import.meta.path, "--one", String(count)]);
  return JSON.parse(child.stdout.toString());
}

function main(): boolean {
  const runs = numberFlag("runs", 9);
  const bars: Bar[] = [];
  const rows = SIZES.map((size) => {
    const timings = Array.from({ length: runs }, () => measureInFreshProcess(size.tools));
    const first = timings.map((timing) => timing.firstMs);
    const later = timings.map((timing) => timing.laterMs);
    const list = timings.map((timing) => timing.listMs);
    const what = `${size.tools} tools`;
    bars.push(
      { what: `${what}, first`, measured: median(first), limit: size.firstMs, unit: " ms" },
      { what: `${what}, later`, measured: median(later), limit: size.laterMs, unit: " ms" },
    );
    return [what, renderSummary(first), renderSummary(later, 2), renderSummary(list)];
  });
  console.log(renderTable(["discover", "first, ms", "later, ms", "list all, ms"], rows));
  console.log("Median (quartiles) of fresh processes.\n");
  return reportBars(bars);
}

const one = process.argv.indexOf("--one");
if (one > 0) console.log(JSON.stringify(measureOnce(Number(process.argv[one + 1]))));
else process.exit(main() ? 0 : 1);
