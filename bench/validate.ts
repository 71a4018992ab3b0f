// Does checking arguments ever refuse a valid call, does it find mistakes, and what does a refusal
// cost? Over a folder of recorded catalogs:
//   bun bench/validate.ts [DIR]
// Calls are made up from every tool's schema; a plain Ajv of the schema's own dialect, without our
// translation, says which are valid. Compiling some 20,000 schemas takes minutes.
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Tool } from "../lib/catalog/catalog.ts";
import { isObject, type JsonObject } from "../lib/json-rpc.ts";
import { renderProblems } from "../lib/schema/problems.ts";
import { createValidator } from "../lib/schema/validate.ts";
import { type RecordedCatalog, runOverCatalogs } from "./support/catalogs.ts";
import { countTokens } from "./support/tokens.ts";
import { makeArguments, spoil } from "./support/values.ts";

const SEEDS = [0, 1];
const MAX_SPOILED = 6;
const MAX_SHOWN = 20;
const REFUSAL_BAR = 150;

/** What an independent validator says; undefined if it cannot read the schema. */
function compileIndependent(tool: Tool): ValidateFunction | undefined {
  const schema = tool.inputSchema;
  const uri = isObject(schema) ? String(schema.$schema ?? "") : "";
  const options = {
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    code: { optimize: false },
  } as const;
  const ajv = /draft-0[4-7]/.test(uri)
    ? new Ajv(options)
    : uri.includes("2019-09")
      ? new Ajv2019(options)
      : new Ajv2020(options);
  try {
    return isObject(schema) ? ajv.compile(schema) : undefined;
  } catch {
    // Schemas that validators refuse are part of the question.
    return undefined;
  }
}

function callsFor(tool: Tool): readonly JsonObject[] {
  const valid = SEEDS.flatMap((seed) =>
    [false, true].map((full) => makeArguments(tool.inputSchema, { full, seed })),
  );
  const spoiled = valid.slice(0, 2).flatMap((args) => spoil(tool.inputSchema, args));
  return [...valid, ...spoiled.slice(0, MAX_SPOILED)];
}

function report(catalogs: readonly RecordedCatalog[]): boolean {
  const counts = { tools: 0, unread: 0, valid: 0, refusedValid: 0, invalid: 0, found: 0 };
  const sizes: number[] = [];
  const shown: string[] = [];
  for (const { server, tools } of catalogs) {
    const validator = createValidator();
    for (const tool of tools) {
      counts.tools += 1;
      const isValid = compileIndependent(tool);
      if (isValid === undefined) counts.unread += 1;
      for (const args of callsFor(tool)) {
        const problems = validator.check(tool, args);
        const text = problems.length === 0 ? "" : renderProblems(tool, problems);
        if (isValid === undefined) continue;
        if (isValid(args)) {
          counts.valid += 1;
          if (text === "") continue;
          counts.refusedValid += 1;
          shown.push(
            `${server} ${tool.name} refuses ${JSON.stringify(args).slice(0, 200)}\n${text}`,
          );
        } else {
          counts.invalid += 1;
          if (text === "") continue;
          counts.found += 1;
          sizes.push(countTokens(text));
        }
      }
    }
  }
  sizes.sort((a, b) => a - b);
  const at = (part: number) =>
    sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * part))] ?? 0;
  console.log(`tools                      ${counts.tools}, ${counts.unread} not read by plain Ajv`);
  console.log(`valid calls                ${counts.valid}`);
  console.log(`of these refused           ${counts.refusedValid}  (bar 0)`);
  console.log(`invalid calls              ${counts.invalid}`);
  console.log(`of these refused           ${counts.found}`);
  console.log(
    `tokens of a refusal        median ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, most ${at(1)}`,
  );
  console.log(
    `refusals over ${REFUSAL_BAR} tokens   ${sizes.filter((size) => size > REFUSAL_BAR).length}`,
  );
  for (const text of shown.slice(0, MAX_SHOWN)) console.log(text);
  return counts.refusedValid === 0 && at(0.9) <= REFUSAL_BAR;
}

await runOverCatalogs(Bun.argv.slice(2), report);
