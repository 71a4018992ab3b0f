// Everything that is wrong with a facade.servers.json, one line a problem, all at once. Pure.
import { ConfigError, type ConfigProblem } from "../errors.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { checkEntry, checkServers, describeServerName, type FormProblem } from "./check.ts";
import { isServerName } from "./form.ts";
import { JsoncError, type JsonPath, type ParsedJsonc, parseJsonc } from "./jsonc.ts";
import { findNearest } from "./nearest.ts";
import { resolveEntry, type ServersFile } from "./resolve.ts";
import type { ServerEntry } from "./server-entry.ts";

const MAX_LISTED = 20;

/** The entry of one server. Throws `ConfigError` with everything that is wrong with it. */
export function requireEntryOrProblems(
  options: ServersFile & { readonly server: string },
): ServerEntry {
  const { file, server } = options;
  const { servers, duplicates } = parseText(options);
  if (!isServerName(server) || !Object.hasOwn(servers, server)) {
    throw new ConfigError([
      { file, server, state: `not found, ${wantedServers(server, servers)}` },
    ]);
  }
  const { entry, problems } = resolveServer({ options, server, servers, duplicates });
  if (problems.length > 0) throw new ConfigError(problems);
  return entry;
}

/** All entries that can be used, and all problems of the file. Throws when it cannot be parsed. */
export function resolveServers(options: ServersFile): {
  readonly entries: readonly ServerEntry[];
  readonly problems: readonly ConfigProblem[];
} {
  const { servers, duplicates } = parseText(options);
  const problems: ConfigProblem[] = [];
  const entries: ServerEntry[] = [];
  for (const [server, written] of Object.entries(servers)) {
    if (server === "$schema") {
      problems.push(
        ...checkServers({ $schema: written }).map((each) => fileProblem(options, each)),
      );
    } else if (!isServerName(server)) {
      const state = `found this name, wanted ${describeServerName()}`;
      problems.push({ file: options.file, server, state });
    } else {
      const resolved = resolveServer({ options, server, servers, duplicates });
      problems.push(...resolved.problems);
      if (resolved.problems.length === 0) entries.push(resolved.entry);
    }
  }
  return { entries, problems };
}

function resolveServer(place: {
  readonly options: ServersFile;
  readonly server: string;
  readonly servers: JsonObject;
  readonly duplicates: readonly JsonPath[];
}): { readonly entry: ServerEntry; readonly problems: readonly ConfigProblem[] } {
  const { options, server, servers, duplicates } = place;
  const written = servers[server];
  const { entry, problems } = resolveEntry({ ...options, name: server, written });
  const twice = duplicates
    .filter(([first]) => first === server)
    .map((path) => ({ path: path.slice(1), state: "found more than once, wanted once" }));
  const all = [...twice, ...checkEntry(written), ...problems];
  return { entry, problems: all.map((each) => entryProblem(options, server, each)) };
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

function entryProblem(
  { file }: ServersFile,
  server: string,
  { path, state }: FormProblem,
): ConfigProblem {
  return path.length === 0
    ? { file, server, state }
    : { file, server, field: renderField(path), state };
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
  const names = Object.keys(servers).filter(isServerName);
  if (names.length === 0) return "wanted a server of this file, which has none yet";
  const nearest = findNearest(server, names);
  const listed = names.slice(0, MAX_LISTED).join(", ");
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return nearest === undefined
    ? `wanted one of ${listed}${more}`
    : `wanted "${nearest}" or another of ${listed}${more}`;
}
