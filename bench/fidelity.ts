// Does compression change nothing? For every tool of every catalog in a folder, values made from the
// schema, most of them wrong in one place, are judged by the original and by the compressed schema,
// each read in its own dialect. Every difference is listed; also whatever went that may not go, texts
// over their limit, and names that are illegal or not unique.
//
//   bun bench/fidelity.ts [DIR]
//
// Tools whose top is a union, an intersection or a reference are repaired on purpose and counted
// apart: for them whatever the original accepts has to be accepted, and no more is promised.
import type { Tool } from "../lib/catalog/catalog.ts";
import { isObject, type JsonObject } from "../lib/json-rpc.ts";
import { compressTool } from "../lib/schema/compress.ts";
import { exposedName } from "../lib/schema/provider-safe.ts";
import { mergeTopLevel } from "../lib/schema/top-level.ts";
import { type RecordedCatalog, runOverCatalogs } from "./support/catalogs.ts";
import { boundariesOf, type Mutant, mutantsOf } from "./support/mutants.ts";
import { createRandom, type Random, seedOf } from "./support/random.ts";
import { sampleValue } from "./support/samples.ts";
import { findFormProblems } from "./support/schema-form.ts";
import { createVerdictCompiler, type VerdictCompiler } from "./support/validator.ts";

const LEAST_VALUES = 60;
const MOST_MUTANTS = 240;
const MOST_BRANCHES = 12;
/** Of the valid values, so many are changed in one place. */
const MOST_CHANGED = 8;

interface Tally {
  tools: number;
  schemas: number;
  values: number;
  accepted: number;
  leastValues: number;
  merged: number;
  neitherCompiles: number;
  readonly problems: string[];
}

await runOverCatalogs(process.argv.slice(2), (catalogs) => {
  const tally: Tally = {
    tools: 0,
    schemas: 0,
    values: 0,
    accepted: 0,
    leastValues: Number.POSITIVE_INFINITY,
    merged: 0,
    neitherCompiles: 0,
    problems: [],
  };
  for (const catalog of catalogs) compareCatalog(catalog, tally);
  for (const problem of tally.problems.slice(0, 200)) console.log(problem);
  console.log(
    [
      `${catalogs.length} catalogs, ${tally.tools} tools, ${tally.schemas} schemas`,
      `${tally.values} values compared, ${tally.accepted} of them accepted, at least ${tally.leastValues} a schema`,
      `${tally.merged} tops merged on purpose, ${tally.neitherCompiles} schemas that no validator compiles`,
      `${tally.problems.length} differences`,
    ].join("\n"),
  );
  return tally.problems.length === 0 && tally.leastValues >= LEAST_VALUES;
});

function compareCatalog(catalog: RecordedCatalog, tally: Tally): void {
  const compiler = createVerdictCompiler();
  const taken = new Set<string>();
  for (const tool of catalog.tools) {
    tally.tools++;
    const where = `${catalog.server}/${tool.name}`;
    const name = exposedName(tool.name, taken);
    if (name === undefined || !/^[a-z0-9_-]{1,64}$/.test(name) || taken.has(name)) {
      tally.problems.push(`${where}: the exposed name ${name} is not legal and unique`);
      continue;
    }
    taken.add(name);
    compareTool(tool, compressTool(tool, name).tool, where, compiler, tally);
  }
}

function compareTool(
  original: Tool,
  compressed: Tool,
  where: string,
  compiler: VerdictCompiler,
  tally: Tally,
): void {
  const description = typeof compressed.description === "string" ? compressed.description : "";
  if (description.length > 140) tally.problems.push(`${where}: the description is too long`);
  for (const part of ["inputSchema", "outputSchema"] as const) {
    const before = original[part];
    const after = compressed[part];
    if (before === undefined && after === undefined) continue;
    if (!isObject(before) || !isObject(after)) {
      tally.problems.push(`${where} ${part}: is not served as it should be`);
      continue;
    }
    const at = `${where} ${part}`;
    const isMerged = part === "inputSchema" && mergeTopLevel(before) !== undefined;
    if (!isMerged) {
      const expected: JsonObject =
        before.type === undefined ? { type: "object", ...before } : before;
      for (const problem of findFormProblems(expected, after, description)) {
        tally.problems.push(`${at} ${problem}`);
      }
    }
    compareVerdicts({ before, after, isMerged, at }, compiler, tally);
  }
}

interface Pair {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly isMerged: boolean;
  readonly at: string;
}

function compareVerdicts(pair: Pair, compiler: VerdictCompiler, tally: Tally): void {
  const judgeBefore = compiler.compile(pair.before);
  const isSame = JSON.stringify(pair.before) === JSON.stringify(pair.after);
  const judgeAfter = isSame ? judgeBefore : compiler.compile(pair.after);
  tally.schemas++;
  if (judgeBefore === undefined || judgeAfter === undefined) {
    if (judgeBefore === judgeAfter) tally.neitherCompiles++;
    else if (judgeAfter === undefined) tally.problems.push(`${pair.at}: no longer compiles`);
    return;
  }
  if (pair.isMerged) tally.merged++;
  const values = valuesFor(pair.before, createRandom(seedOf(pair.at)));
  tally.leastValues = Math.min(tally.leastValues, values.length);
  for (const value of values) {
    // A schema without type is served with type "object": arguments are nothing else.
    if (pair.before.type === undefined && !isObject(value)) continue;
    const before = judgeBefore(value);
    const after = judgeAfter(value);
    tally.values++;
    if (before) tally.accepted++;
    if (before === after || (pair.isMerged && after)) continue;
    const verdict = before
      ? "refuses what the original accepts"
      : "accepts what the original refuses";
    tally.problems.push(`${pair.at}: ${verdict}: ${JSON.stringify(value).slice(0, 300)}`);
    return;
  }
}

/** Valid values of every kind and branch, and values that differ from one of them in one place. */
function valuesFor(schema: JsonObject, random: Random): readonly unknown[] {
  const bases: unknown[] = [];
  for (let branch = 0; branch < MOST_BRANCHES; branch++) {
    bases.push(sampleValue(schema, { root: schema, random, fill: "all", branch }));
    if (branch < 4) {
      bases.push(sampleValue(schema, { root: schema, random, fill: "required", branch }));
      bases.push(sampleValue(schema, { root: schema, random, fill: "some", branch }));
    }
  }
  const boundaries = boundariesOf(schema);
  const different = new Map(bases.map((value) => [JSON.stringify(value), value]));
  const changed = [...different.values()].slice(0, MOST_CHANGED);
  const mutants = changed.flatMap((value) => mutantsOf(value, boundaries));
  const values = [...bases, ...choose(mutants, random).map((mutant) => mutant.make())];
  // Small schemas have few such values: these differ in two places and more.
  while (values.length < LEAST_VALUES) {
    const value = values[random.below(values.length)];
    values.push(...choose(mutantsOf(value, boundaries), random).map((mutant) => mutant.make()));
  }
  return values;
}

/** Of each kind the same number, as far as there are as many. */
function choose(mutants: readonly Mutant[], random: Random): readonly Mutant[] {
  const kinds = Map.groupBy(mutants, (mutant) => mutant.kind);
  const chosen: Mutant[] = [];
  for (const ofKind of kinds.values()) {
    for (let index = ofKind.length - 1; index > 0; index--) {
      const other = random.below(index + 1);
      const [a, b] = [ofKind[index], ofKind[other]];
      if (a !== undefined && b !== undefined) [ofKind[index], ofKind[other]] = [b, a];
    }
    chosen.push(...ofKind.slice(0, MOST_MUTANTS / 4));
  }
  return chosen;
}
