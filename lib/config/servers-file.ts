// The text of facade.servers.json to resolved entries. Serving needs only its own entry to be
// right; `check` wants to hear about all of them. Every problem is told, and all at once. Pure:
// the caller reads the file.
import { ConfigError, type ConfigProblem } from "../errors.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { checkServerName, checkServers, type FormProblem } from "./check.ts";
import type { Environment } from "./expand.ts";
import { JsoncError, type JsonPath, type ParsedJsonc, parseJsonc } from "./jsonc.ts";
import { findNearest } from "./nearest.ts";
import { type EntrySurroundings, resolveEntry } from "./resolve.ts";
import type { ServerEntry } from "./server-entry.ts";

export interface ServersFile {
  readonly text: string;
  /** Path of the file, absolute where a relative `cwd` has to mean the same from every folder. */
  readonly file: string;
  readonly environment: Environment;
  /** Home folder, for `~/` in `command` and `cwd`. */
  readonly home: string;
}

const MAX_LISTED = 20;

/** The entry of one server. Throws `ConfigError` with everything that is wrong with it. */
export function parseServersFile(options: ServersFile & { readonly server: string }): ServerEntry {
  const { file, server } = options;
  const { servers, duplicates } = parseText(options);
  const badName = checkServerName(server);
  if (badName !== undefined || !Object.hasOwn(servers, server)) {
    throw new ConfigError([
      { file, server, state: `not found, ${wantedServers(server, servers)}` },
    ]);
  }
  const { entry, problems } = resolveEntry({
    ...surroundingsOf(options),
    name: server,
    written: servers[server],
  });
  const own = duplicates.filter((path) => path[0] === server);
  const all = [...problemsAt(options, server, [...own.map(duplicateAt), ...problems])];
  if (entry === undefined || all.length > 0) throw new ConfigError(all);
  return entry;
}

/** All entries that can be used, and all problems of the file. Throws when it cannot be parsed. */
export function parseAllServers(options: ServersFile): {
  readonly entries: readonly ServerEntry[];
  readonly problems: readonly ConfigProblem[];
} {
  const { servers, duplicates } = parseText(options);
  const problems: ConfigProblem[] = [];
  const entries: ServerEntry[] = [];
  for (const [name, written] of Object.entries(servers)) {
    const badName = checkServerName(name);
    if (name === "$schema") {
      problems.push(
        ...checkServers({ $schema: written }).map((found) => fileProblem(options, found)),
      );
    } else if (badName !== undefined) {
      problems.push({ file: options.file, server: name, state: `wanted ${badName}` });
    } else {
      const resolved = resolveEntry({ ...surroundingsOf(options), name, written });
      const own = duplicates.filter((path) => path[0] === name).map(duplicateAt);
      problems.push(...problemsAt(options, name, [...own, ...resolved.problems]));
      if (resolved.entry !== undefined && own.length === 0) entries.push(resolved.entry);
    }
  }
  return { entries, problems };
}

function parseText(options: ServersFile): {
  readonly servers: JsonObject;
  readonly duplicates: readonly JsonPath[];
} {
  const { value, duplicates } = parseOrThrow(options);
  if (isObject(value)) return { servers: value, duplicates };
  throw new ConfigError(checkServers(value).map((problem) => fileProblem(options, problem)));
}

function parseOrThrow(options: ServersFile): ParsedJsonc {
  try {
    return parseJsonc(options.text);
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    throw new ConfigError([{ file: options.file, state: error.message }], { cause: error });
  }
}

function surroundingsOf(options: ServersFile): EntrySurroundings {
  const folder = options.file.replace(/[^\\/]*$/, "").replace(/(.)[\\/]$/, "$1");
  return { environment: options.environment, home: options.home, folder: folder || "." };
}

function duplicateAt(path: JsonPath): FormProblem {
  return { path: path.slice(1), state: "found more than once, wanted once" };
}

function problemsAt(
  options: ServersFile,
  server: string,
  problems: readonly FormProblem[],
): ConfigProblem[] {
  return problems.map(({ path, state }) =>
    path.length === 0
      ? { file: options.file, server, state }
      : { file: options.file, server, field: renderField(path), state },
  );
}

function fileProblem(options: ServersFile, { path, state }: FormProblem): ConfigProblem {
  if (path.length === 0) return { file: options.file, state };
  return { file: options.file, field: renderField(path), state };
}

/** `upstream.args[2]`, `upstream.headers["odd name"]` */
function renderField(path: JsonPath): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\w$-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

function wantedServers(server: string, servers: JsonObject): string {
  const names = Object.keys(servers).filter((name) => checkServerName(name) === undefined);
  if (names.length === 0) return "wanted a server of this file, which has none yet";
  const nearest = findNearest(server, names);
  const listed = names.slice(0, MAX_LISTED).join(", ");
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return nearest === undefined
    ? `wanted one of ${listed}${more}`
    : `wanted "${nearest}" or another of ${listed}${more}`;
}
