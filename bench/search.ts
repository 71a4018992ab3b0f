// Does discover find the tool, what does its answer cost, and does the capability map make sense?
//
//   bun bench/search.ts [EVALUATION_DIR] [CATALOGS_DIR]
//
// Our own labelled requests always; with EVALUATION_DIR (`queries.jsonl` and `catalogs/NAME.json`)
// the average answer to its requests, with CATALOGS_DIR the maps of ten catalogs. Neither folder is
// part of the repository; what is missing is said and left out. As a module this is the adapter for
// the ranking evaluation: `createIndex` and `rank` over plain tool objects.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Tool } from "../lib/catalog/catalog.ts";
import { renderDiscovery } from "../lib/facade/discover.ts";
import { isObject } from "../lib/json-rpc.ts";
import { createSearchIndex, type SearchIndex } from "../lib/search/rank.ts";
import { capabilityMap } from "../lib/search/topics.ts";
import { CATALOGS, LABELLED, type LabelledQuery } from "../test/search/labelled.ts";
import { DEFAULT_CATALOGS_DIR, loadCatalogs } from "./support/catalogs.ts";
import { type Bar, renderTable, reportBars } from "./support/report.ts";
import { median } from "./support/statistics.ts";
import { countTokens } from "./support/tokens.ts";

const DEFAULT_EVALUATION_DIR = resolve(import.meta.dir, "../../shared/searcheval/dev");
const MAPS = 10;
const MAX_ANSWER_TOKENS = 260;
const MAX_MAP_TOKENS = 58;

export function createIndex(tools: readonly Tool[]): {
  search(query: string, limit: number): string[];
} {
  const index = createSearchIndex(tools);
  return { search: (query, limit) => index.search(query, limit).map((hit) => hit.tool.name) };
}

export function rank(tools: readonly Tool[], query: string, limit: number): string[] {
  return createIndex(tools).search(query, limit);
}

function printLabelled(): void {
  const indexes = new Map(
    Object.entries(CATALOGS).map(([name, tools]) => [name, createIndex(tools)]),
  );
  const hitAt = (labelled: LabelledQuery, limit: number): boolean => {
    const hits = indexes.get(labelled.catalog)?.search(labelled.query, limit) ?? [];
    return hits.some((name) => labelled.relevant.includes(name));
  };
  const kinds = [...new Set(LABELLED.map((labelled) => labelled.kind))];
  const row = (name: string, queries: readonly LabelledQuery[]) => {
    const share = (limit: number) =>
      (100 * queries.filter((one) => hitAt(one, limit)).length) / queries.length;
    return [name, String(queries.length), share(1).toFixed(1), share(5).toFixed(1)];
  };
  const rows = kinds.map((kind) =>
    row(
      kind,
      LABELLED.filter((labelled) => labelled.kind === kind),
    ),
  );
  console.log("Our own labelled requests\n");
  console.log(renderTable(["kind", "n", "R@1", "R@5"], [...rows, row("all", LABELLED)]));
}

interface Request {
  readonly catalog: string;
  readonly query: string;
}

function readRequests(dir: string): readonly Request[] {
  const lines = readFileSync(join(dir, "queries.jsonl"), "utf8").split("\n");
  return lines.flatMap((line) => {
    const value: unknown = line === "" ? undefined : JSON.parse(line);
    if (!isObject(value) || value.mergedOnly === true) return [];
    const { catalog, query } = value;
    return typeof catalog === "string" && typeof query === "string" ? [{ catalog, query }] : [];
  });
}

async function measureAnswers(dir: string): Promise<Bar[]> {
  if (!existsSync(join(dir, "queries.jsonl"))) {
    console.log(`\nNo evaluation in "${dir}": the average answer is not measured.`);
    return [];
  }
  const catalogs = new Map(
    (await loadCatalogs(join(dir, "catalogs"))).map((one) => [one.server, one.tools]),
  );
  const indexes = new Map<string, SearchIndex>();
  const tokens: number[] = [];
  for (const { catalog, query } of readRequests(dir)) {
    const tools = catalogs.get(catalog);
    if (tools === undefined) continue;
    const index = indexes.get(catalog) ?? createSearchIndex(tools);
    indexes.set(catalog, index);
    const text = renderDiscovery({ tools, index: () => index, query, limit: undefined });
    tokens.push(countTokens(text));
  }
  const average = tokens.reduce((sum, count) => sum + count, 0) / tokens.length;
  console.log(
    `\nAnswers to ${tokens.length} requests, tokens: average ${average.toFixed(0)}, ` +
      `median ${median(tokens)}, most ${Math.max(...tokens)}`,
  );
  return [{ what: "average answer", measured: average, limit: MAX_ANSWER_TOKENS, unit: " tokens" }];
}

async function printMaps(dir: string): Promise<Bar[]> {
  if (!existsSync(dir)) {
    console.log(`\nNo catalogs in "${dir}": no capability maps are shown.`);
    return [];
  }
  const catalogs = await loadCatalogs(dir);
  const every = Math.max(1, Math.floor(catalogs.length / MAPS));
  console.log("\nCapability maps\n");
  let most = 0;
  for (const [i, { server, tools }] of catalogs.entries()) {
    const map = capabilityMap(tools);
    most = Math.max(most, countTokens(map));
    if (i % every === 0) console.log(`- ${server}: ${map}`);
  }
  return [
    {
      what: `longest map of ${catalogs.length}`,
      measured: most,
      limit: MAX_MAP_TOKENS,
      unit: " tokens",
    },
  ];
}

if (import.meta.main) {
  const [evaluationDir = DEFAULT_EVALUATION_DIR, catalogsDir = DEFAULT_CATALOGS_DIR] =
    process.argv.slice(2);
  printLabelled();
  const bars = [...(await measureAnswers(evaluationDir)), ...(await printMaps(catalogsDir))];
  console.log("");
  process.exit(reportBars(bars) ? 0 : 1);
}
