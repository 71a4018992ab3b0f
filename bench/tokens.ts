// How many tokens (o200k_base) of a model's context do a server's tools cost?
//
//   bun bench/tokens.ts [DIR] [--rules]
//
// Per catalog and in total: the raw list; the list with `used: []`, which is the meta-tools alone;
// with the first five tools used; with all of them used, without and with the meta-tools; and what
// the meta-tools cost. Counted are name, description and inputSchema, each as a text of its own, see
// support/tokens.ts; one line counts them wrapped in JSON as well. `--rules` shows what each rule of
// compression takes.

import { metaToolDefinitions } from "../lib/facade/meta-tools.ts";
import { isObject, type JsonObject } from "../lib/json-rpc.ts";
import { compressTool } from "../lib/schema/compress.ts";
import { exposedName } from "../lib/schema/provider-safe.ts";
import { capabilityMap } from "../lib/search/topics.ts";
import { type RecordedCatalog, runOverCatalogs } from "./support/catalogs.ts";
import { findRemovals } from "./support/removed.ts";
import { type Bar, renderTable, reportBars } from "./support/report.ts";
import { median } from "./support/statistics.ts";
import { countJsonTokens, countTokens, countToolTokens } from "./support/tokens.ts";

interface Row {
  readonly server: string;
  readonly tools: number;
  readonly raw: number;
  readonly five: number;
  readonly all: number;
  readonly meta: number;
  readonly metaJson: number;
  readonly rawJson: number;
  readonly allJson: number;
}

const SPEED_PASSES = 5;

await runOverCatalogs(process.argv.slice(2), (catalogs) => {
  const speed = measureSpeed(catalogs);
  const compressed = catalogs.map((catalog) => compressAll(catalog));
  const rows = catalogs.map((catalog, index) => measure(catalog, compressed[index] ?? []));
  printRows(rows);
  if (process.argv.includes("--rules")) printRules(catalogs, compressed);
  const isSmall = printTotals(rows);
  return reportBars([speed]) && isSmall;
});

/** How long 1,000 tools take, in the best pass over all: other programs can only add to it. */
function measureSpeed(catalogs: readonly RecordedCatalog[]): Bar {
  const tools = catalogs.flatMap((catalog) => catalog.tools);
  const passes = Array.from({ length: SPEED_PASSES }, () => {
    const startMs = performance.now();
    for (const tool of tools) compressTool(tool, "name");
    return ((performance.now() - startMs) / tools.length) * 1000;
  });
  const [first = 0] = passes;
  const what = `compressing 1,000 tools (${first.toFixed(0)} ms in the first pass)`;
  return { what, measured: Math.min(...passes), limit: 100, unit: " ms" };
}

function compressAll(catalog: RecordedCatalog): readonly JsonObject[] {
  const taken = new Set<string>();
  const compressed: JsonObject[] = [];
  for (const tool of catalog.tools) {
    const name = exposedName(tool.name, taken);
    if (name === undefined) continue;
    taken.add(name);
    compressed.push(compressTool(tool, name).tool);
  }
  return compressed;
}

function measure(catalog: RecordedCatalog, compressed: readonly JsonObject[]): Row {
  const meta = metaToolDefinitions("", capabilityMap(catalog.tools));
  return {
    server: catalog.server,
    tools: catalog.tools.length,
    raw: countToolTokens(catalog.tools),
    five: countToolTokens(compressed.slice(0, 5)),
    all: countToolTokens(compressed),
    meta: countToolTokens(meta),
    metaJson: countJsonTokens(meta),
    rawJson: countJsonTokens(catalog.tools),
    allJson: countJsonTokens(compressed),
  };
}

function printRows(rows: readonly Row[]): void {
  const headers = ["server", "tools", "raw", "used: []", "5 used", "all", "all/raw", "with meta"];
  const cells = rows.map((row) => [
    row.server,
    String(row.tools),
    String(row.raw),
    String(row.meta),
    String(row.five + row.meta),
    String(row.all),
    share(row.all, row.raw),
    share(row.all + row.meta, row.raw),
  ]);
  console.log(renderTable(headers, cells));
}

/** Whether the bars are met. */
function printTotals(rows: readonly Row[]): boolean {
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const line = (what: string, part: (row: Row) => number, whole: (row: Row) => number) => [
    what,
    share(sum(part), sum(whole)),
    median(rows.map((row) => part(row) / whole(row))).toFixed(4),
  ];
  const raw = (row: Row) => row.raw;
  console.log(
    `\n${rows.length} catalogs, ${sum((row) => row.tools)} tools, ${sum(raw)} tokens in the raw lists\n`,
  );
  const lines = [
    line("used: []", (row) => row.meta, raw),
    line("five used, with meta-tools", (row) => row.five + row.meta, raw),
    line("all used", (row) => row.all, raw),
    line("all used, with meta-tools", (row) => row.all + row.meta, raw),
    line(
      "all used, each tool one JSON text",
      (row) => row.allJson,
      (row) => row.rawJson,
    ),
  ];
  console.log(renderTable(["share of the raw list", "in total", "median server"], lines));
  console.log();
  const bare = metaToolDefinitions("", "");
  const metaBare = Math.max(countToolTokens(bare), countJsonTokens(bare));
  const metaWithMap = Math.max(...rows.map((row) => Math.max(row.meta, row.metaJson)));
  const total = sum((row) => row.all) / sum(raw);
  const middle = median(rows.map((row) => row.all / row.raw));
  return reportBars([
    { what: "all used, in total", measured: total, limit: 0.66, unit: "" },
    { what: "all used, in the median server", measured: middle, limit: 0.71, unit: "" },
    { what: "meta-tools without a catalog", measured: metaBare, limit: 180, unit: " tokens" },
    { what: "meta-tools, dearest server", measured: metaWithMap, limit: 240, unit: " tokens" },
  ]);
}

function share(part: number, whole: number): string {
  return (part / whole).toFixed(4);
}

/** Tokens of what each rule takes, counted by itself: the sum is near the real difference. */
function printRules(
  catalogs: readonly RecordedCatalog[],
  compressed: readonly (readonly JsonObject[])[],
): void {
  const taken = new Map<string, { places: number; tokens: number }>();
  const add = (rule: string, before: string, after: string): void => {
    const sum = taken.get(rule) ?? { places: 0, tokens: 0 };
    sum.places++;
    sum.tokens += countTokens(before) - countTokens(after);
    taken.set(rule, sum);
  };
  const raw = catalogs.reduce((sum, catalog) => sum + countToolTokens(catalog.tools), 0);
  for (const [index, catalog] of catalogs.entries()) {
    for (const [at, tool] of (compressed[index] ?? []).entries()) {
      const original = catalog.tools[at];
      if (original === undefined) continue;
      const before = String(original.description ?? "");
      const after = String(tool.description ?? "");
      if (before !== after) add("description of the tool (cut)", before, after);
      if (!isObject(original.inputSchema) || !isObject(tool.inputSchema)) continue;
      for (const removal of findRemovals(original.inputSchema, tool.inputSchema)) {
        add(removal.rule, removal.before, removal.after);
      }
    }
  }
  const lines = [...taken]
    .sort(([, a], [, b]) => b.tokens - a.tokens)
    .map(([rule, { places, tokens }]) => [
      rule,
      String(places),
      String(tokens),
      share(tokens, raw),
    ]);
  console.log(`\n${renderTable(["rule", "places", "tokens", "of raw"], lines)}`);
}
