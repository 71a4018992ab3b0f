// What does describe cost, and does it leave anything out? Over a folder of recorded catalogs:
//   bun bench/describe.ts [DIR]
// Every fact of every definition (names, required, types, description sentences, defaults, values,
// bounds, patterns, formats, annotations) has to occur in the compact form; tokens are compared
// with the definition as minified and as pretty-printed JSON.
import type { Tool } from "../lib/catalog/catalog.ts";
import { renderDescription } from "../lib/facade/describe.ts";
import { type RecordedCatalog, runOverCatalogs } from "./support/catalogs.ts";
import { factsOf, missingFacts } from "./support/facts.ts";
import { countTokens } from "./support/tokens.ts";

const BARS = { minified: 0.75, pretty: 0.5 };
const MAX_SHOWN = 20;

interface Costs {
  compact: number;
  minified: number;
  pretty: number;
}

/** The part of a definition that describes the tool to a model. */
function essenceOf(tool: Tool): object {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return { name, title, description, inputSchema, outputSchema, annotations };
}

function costsOf(tool: Tool, compact: string): Costs {
  const essence = essenceOf(tool);
  return {
    compact: countTokens(compact),
    minified: countTokens(JSON.stringify(essence)),
    pretty: countTokens(JSON.stringify(essence, null, 2)),
  };
}

function add(sum: Costs, costs: Costs): void {
  sum.compact += costs.compact;
  sum.minified += costs.minified;
  sum.pretty += costs.pretty;
}

function report(catalogs: readonly RecordedCatalog[]): boolean {
  const total: Costs = { compact: 0, minified: 0, pretty: 0 };
  const ratios: number[] = [];
  const failures: string[] = [];
  let factCount = 0;
  for (const { server, tools } of catalogs) {
    const sum: Costs = { compact: 0, minified: 0, pretty: 0 };
    for (const tool of tools) {
      const text = renderDescription(tool);
      const facts = factsOf(tool);
      factCount += facts.length;
      for (const fact of missingFacts(text, facts)) {
        failures.push(`${server} ${tool.name}: ${fact.path}: ${fact.texts[0]?.slice(0, 80)}`);
      }
      const costs = costsOf(tool, text);
      if (costs.compact > costs.minified) {
        failures.push(`${server} ${tool.name}: ${costs.compact} tokens, JSON ${costs.minified}`);
      }
      add(sum, costs);
    }
    add(total, sum);
    if (sum.minified > 0) ratios.push(sum.compact / sum.minified);
  }
  ratios.sort((a, b) => a - b);
  const minified = total.compact / total.minified;
  const pretty = total.compact / total.pretty;
  const median = ratios[Math.floor(ratios.length / 2)] ?? 0;
  console.log(`servers                    ${catalogs.length}`);
  console.log(`facts looked for           ${factCount}`);
  console.log(`compact tokens             ${total.compact}`);
  console.log(`of minified JSON           ${minified.toFixed(3)}  (bar ${BARS.minified})`);
  console.log(`of pretty JSON             ${pretty.toFixed(3)}  (bar ${BARS.pretty})`);
  console.log(`of minified, median server ${median.toFixed(3)}`);
  console.log(`missing facts, dear tools  ${failures.length}`);
  for (const failure of failures.slice(0, MAX_SHOWN)) console.log(`  ${failure}`);
  if (failures.length > MAX_SHOWN) console.log(`  and ${failures.length - MAX_SHOWN} more`);
  return failures.length === 0 && minified <= BARS.minified && pretty <= BARS.pretty;
}

await runOverCatalogs(Bun.argv.slice(2), report);
