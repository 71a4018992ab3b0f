// Reads a folder of recorded catalogs for the benches: one JSON file a server, `{tools: [...]}` as
// the server sent them. Other members of a file are ignored.
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Tool } from "../../lib/catalog/catalog.ts";
import { renderError, UsageError } from "../../lib/errors.ts";
import { isObject } from "../../lib/json-rpc.ts";

/** Where the project's own measurements come from; not part of the repository. */
export const DEFAULT_CATALOGS_DIR = resolve(import.meta.dir, "../../../shared/catalogs/dev");

export interface RecordedCatalog {
  /** File name without `.json`. */
  readonly server: string;
  readonly tools: readonly Tool[];
}

/**
 * All catalogs of a folder, by server name. Entries of `tools` that are no object with a string
 * name are left out: a server could not be asked to run them.
 * @throws UsageError when the folder cannot be read, holds no catalog, or a file is no catalog
 */
export async function loadCatalogs(dir: string): Promise<readonly RecordedCatalog[]> {
  const files = await listJsonFiles(dir);
  const catalogs: RecordedCatalog[] = [];
  for (const file of files) {
    catalogs.push({
      server: file.slice(0, -".json".length),
      tools: await loadTools(join(dir, file)),
    });
  }
  return catalogs;
}

async function listJsonFiles(dir: string): Promise<readonly string[]> {
  const hint = "Give a folder of catalogs, one JSON file {tools: [...]} a server";
  let names: readonly string[];
  try {
    names = await readdir(dir);
  } catch (error) {
    throw new UsageError(`Cannot read catalogs "${dir}": not a readable folder`, {
      hint,
      cause: error,
    });
  }
  const files = names.filter((name) => name.endsWith(".json")).sort();
  if (files.length === 0) {
    throw new UsageError(`Cannot read catalogs "${dir}": no JSON file in it`, { hint });
  }
  return files;
}

async function loadTools(file: string): Promise<readonly Tool[]> {
  let content: unknown;
  try {
    content = await Bun.file(file).json();
  } catch (error) {
    throw new UsageError(`Cannot read catalog "${file}": not JSON`, { cause: error });
  }
  if (!isObject(content) || !Array.isArray(content.tools)) {
    throw new UsageError(`Cannot read catalog "${file}": no list of tools in it`);
  }
  return content.tools.filter(isTool);
}

function isTool(value: unknown): value is Tool {
  return isObject(value) && typeof value.name === "string";
}

/**
 * Runs a bench over the folder named on the command line or the default one, and ends the process:
 * 0 when `run` says that its bars are met, 1 when not, 2 when there is nothing to measure.
 */
export async function runOverCatalogs(
  argv: readonly string[],
  run: (catalogs: readonly RecordedCatalog[]) => boolean | Promise<boolean>,
): Promise<never> {
  const dir = argv.find((arg) => !arg.startsWith("--")) ?? DEFAULT_CATALOGS_DIR;
  let catalogs: readonly RecordedCatalog[];
  try {
    catalogs = await loadCatalogs(dir);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(renderError(error));
    process.exit(error.exitCode);
  }
  process.exit((await run(catalogs)) ? 0 : 1);
}
