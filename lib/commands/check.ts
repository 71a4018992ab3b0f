// `check`: for one entry or all of them, whether the configuration is right, the upstream answers
// and the used tools exist, and what the facade saves.
import { parseAllServers, parseServersFile } from "../config/servers-file.ts";
import {
  ConfigError,
  EXIT,
  FacadeError,
  InterruptedError,
  renderError,
  renderProblem,
} from "../errors.ts";
import { selectUsed } from "../facade/exposed.ts";
import { isObject } from "../json-rpc.ts";
import { openCommandEdges } from "./command-edges.ts";
import { type CommandContext, readServersFile, type WrittenEntry } from "./entry.ts";
import { fetchNow } from "./fetch-now.ts";
import type { Output } from "./output.ts";

const HEADINGS = ["server", "tools", "used found", "missing", "tokens raw", "exposed", "saved"];

interface Row {
  readonly cells: readonly string[];
  readonly problems: readonly string[];
  readonly exitCode: number;
}

/** Words, numbers and runs of punctuation, about as a tokenizer cuts JSON. */
const PIECES = /[a-z]{1,9}|[A-Z]+|\d{1,3}|[^\sA-Za-z\d]{1,3}/g;
/** Over the tool lists of 136 servers there are 1.15 such pieces to a token (o200k_base), 1.08 to 1.25 for most. */
const PIECES_PER_TOKEN = 1.15;

/** What a model is given of a tool: name, description, input schema. Estimated: no tokenizer is loaded. */
function tokensOf(tools: readonly unknown[]): number {
  let pieces = 0;
  for (const tool of tools) {
    if (!isObject(tool)) continue;
    const { name, description, inputSchema } = tool;
    pieces += JSON.stringify({ name, description, inputSchema }).match(PIECES)?.length ?? 0;
  }
  return Math.round(pieces / PIECES_PER_TOKEN);
}

async function checkEntry(written: WrittenEntry): Promise<Row> {
  const { entry } = written;
  let redact = (text: string) => text;
  try {
    await using commandEdges = openCommandEdges({ written });
    redact = commandEdges.edges.redactor.redact;
    const current = await fetchNow(commandEdges);
    const tools = current.tools();
    const { exposed, missing, notes } = selectUsed(tools, entry);
    const raw = tokensOf(tools);
    const shown: unknown = JSON.parse(current.view.text);
    const after = tokensOf(isObject(shown) && Array.isArray(shown.tools) ? shown.tools : []);
    const saved = raw === 0 ? 0 : Math.round(100 * (1 - after / raw));
    const numbers = [tools.length, exposed.length, missing.length, raw, after, `${saved}%`];
    return {
      cells: [entry.name, ...numbers.map(String)],
      problems: current.view.notes.map((note) => `${entry.name}: ${note}`),
      exitCode: notes.length === 0 ? EXIT.fine : EXIT.usage,
    };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return {
      cells: dashes(entry.name),
      problems: [`${entry.name}: ${redact(renderError(error))}`],
      exitCode: error instanceof FacadeError ? error.exitCode : EXIT.bug,
    };
  }
}

/** The row of an entry of which nothing can be told. */
function dashes(name: string): readonly string[] {
  return HEADINGS.map((_heading, column) => (column === 0 ? name : "-"));
}

/** Columns as wide as their widest cell; numbers stand at the right. */
function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ");
  return [HEADINGS, ...rows].map(line).join("\n");
}

/** Exit code 0 only if every entry is right, reachable, and offers what is used. */
export async function check(context: CommandContext, output: Output): Promise<number> {
  const file = await readServersFile(context);
  const { server } = context.invocation;
  const { entries, problems } =
    server === undefined
      ? await parseAllServers(file)
      : { entries: [await parseServersFile({ ...file, server })], problems: [] };
  if (entries.length === 0 && problems.length === 0) {
    const state = "found no entry, wanted a map from server name to entry";
    throw new ConfigError([{ file: file.file, state }]);
  }
  // One after the other: some servers cannot run twice, and each line shows when it is done.
  const rows: Row[] = [];
  for (const entry of entries) rows.push(await checkEntry({ entry, configText: file.text }));
  const named = new Set(problems.map((problem) => problem.server));
  for (const name of named) {
    const isThere = name === undefined || entries.some((entry) => entry.name === name);
    if (!isThere) rows.push({ cells: dashes(name), problems: [], exitCode: EXIT.usage });
  }
  if (rows.length > 0) output.print(renderTable(rows.map((row) => row.cells)));
  for (const problem of problems) output.complain(renderProblem(problem));
  for (const problem of rows.flatMap((row) => row.problems)) output.complain(problem);
  if (problems.length > 0) return EXIT.usage;
  return rows.find((row) => row.exitCode !== EXIT.fine)?.exitCode ?? EXIT.fine;
}
