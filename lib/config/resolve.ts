// One server's entry, from JSON as written to what the program works with: variables expanded,
// defaults filled in, meaning checked beyond the form that check.ts knows. Goes as far as it can
// with an entry of wrong form, so that all problems are told at once. Pure.
import { isObject, type JsonObject } from "../json-rpc.ts";
import { checkEntry, type FormProblem } from "./check.ts";
import { MAX_TIMER_MS, parseDuration } from "./duration.ts";
import { type Environment, expandHome, expandVariables } from "./expand.ts";
import { renderIdentity } from "./identity.ts";
import type { JsonPath } from "./jsonc.ts";
import {
  findHeaderSecrets,
  findStdioSecrets,
  findUrlSecrets,
  findVariableSecrets,
} from "./secrets.ts";
import type { CredentialSource, HttpUpstream, ServerEntry, StdioUpstream } from "./server-entry.ts";

export interface EntrySurroundings {
  readonly environment: Environment;
  /** Home folder, for `~/`. */
  readonly home: string;
  /** Folder of the configuration file: where a relative `cwd` starts. */
  readonly folder: string;
}

export interface ResolvedEntry {
  /** Undefined when there is any problem. */
  readonly entry: ServerEntry | undefined;
  readonly problems: readonly FormProblem[];
}

const DEFAULT_TOKEN_COMMAND = ["omp", "token", "{credentialId}"];
const DEFAULT_RENEW_COMMAND = ["omp", "token", "--force-refresh", "{credentialId}"];

/** What is gathered while an entry is walked. */
interface Gathering extends EntrySurroundings {
  readonly problems: FormProblem[];
  readonly secrets: string[];
}

export function resolveEntry(
  options: EntrySurroundings & { readonly name: string; readonly written: unknown },
): ResolvedEntry {
  const { name, environment, home, folder } = options;
  const problems = checkEntry(options.written);
  const written = isObject(options.written) ? options.written : {};
  const writtenUpstream = isObject(written.upstream) ? written.upstream : {};
  const gathering: Gathering = { environment, home, folder, problems, secrets: [] };
  const upstream =
    writtenUpstream.url === undefined
      ? resolveStdio(writtenUpstream, gathering)
      : resolveHttp(writtenUpstream, gathering);
  const entry: ServerEntry = {
    name,
    upstream,
    used: stringsOf(written.used) ?? [],
    hidden: stringsOf(written.hidden) ?? [],
    ttlMs: durationOf(written, "ttl", "7d"),
    timeoutMs: waitOf(written, "timeout", "10m", gathering),
    connectTimeoutMs: waitOf(written, "connectTimeout", "30s", gathering),
    metaPrefix: stringOf(written.metaPrefix) ?? "",
    validate: written.validate !== false,
    identity: renderIdentity(writtenUpstream),
    secrets: [...new Set(gathering.secrets)].filter((secret) => secret !== ""),
  };
  return { entry: problems.length === 0 ? entry : undefined, problems };
}

function resolveHttp(written: JsonObject, gathering: Gathering): HttpUpstream {
  const url = expandAt(stringOf(written.url) ?? "", ["upstream", "url"], gathering);
  if (url.complete) checkUrl(url.text, gathering);
  gathering.secrets.push(...findUrlSecrets(url.text));
  const headers = expandMap(written.headers, ["upstream", "headers"], gathering);
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
      const state =
        "found a line break, control or non-Latin-1 character, wanted a legal HTTP value";
      gathering.problems.push({ path: ["upstream", "headers", name], state });
    }
    gathering.secrets.push(...findHeaderSecrets(name, value));
  }
  const kind = written.transport === "sse" ? "sse" : "http";
  return { kind, url: url.text, headers, credential: resolveCredential(written) };
}

function checkUrl(text: string, gathering: Gathering): void {
  const path = ["upstream", "url"];
  if (!URL.canParse(text)) {
    const state = "found a text that is no URL, wanted one such as https://example.com/mcp";
    gathering.problems.push({ path, state });
    return;
  }
  const { protocol } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") {
    gathering.problems.push({ path, state: `found "${protocol}", wanted "http:" or "https:"` });
  }
}

function resolveCredential(written: JsonObject): CredentialSource | undefined {
  const id = stringOf(written.credentialId);
  if (id === undefined) return undefined;
  const fill = (argv: readonly string[]) => argv.map((arg) => arg.replaceAll("{credentialId}", id));
  const renew = written.renewCommand;
  return {
    id,
    tokenCommand: fill(stringsOf(written.tokenCommand) ?? DEFAULT_TOKEN_COMMAND),
    renewCommand: renew === null ? undefined : fill(stringsOf(renew) ?? DEFAULT_RENEW_COMMAND),
  };
}

function resolveStdio(written: JsonObject, gathering: Gathering): StdioUpstream {
  const place = (field: string): JsonPath => ["upstream", field];
  const { home, folder } = gathering;
  // The home folder goes in before variables do: a value that starts with ~/ is not meant.
  const expandPath = (value: unknown, field: string): string | undefined => {
    const text = stringOf(value);
    return text === undefined
      ? undefined
      : expandHome(
          expandAt(text, place(field), gathering).text,
          text.startsWith("~/") ? home : "~",
        );
  };
  const cwd = expandPath(written.cwd, "cwd");
  const upstream: StdioUpstream = {
    kind: "stdio",
    command: expandPath(written.command, "command") ?? "",
    args: (stringsOf(written.args) ?? []).map(
      (arg, index) => expandAt(arg, ["upstream", "args", index], gathering).text,
    ),
    cwd: cwd === undefined ? undefined : resolveFolder(cwd, folder),
    env: expandMap(written.env, place("env"), gathering),
    envFrom: stringOf(written.envFrom),
  };
  gathering.secrets.push(...findStdioSecrets(upstream));
  return upstream;
}

/** `path` as it is when absolute (POSIX or Windows), else below `folder`. */
function resolveFolder(path: string, folder: string): string {
  if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)) return path;
  return path === "." ? folder : `${folder.replace(/[\\/]+$/, "")}/${path.replace(/^\.\//, "")}`;
}

function expandAt(
  text: string,
  path: JsonPath,
  gathering: Gathering,
): { readonly text: string; readonly complete: boolean } {
  const expanded = expandVariables(text, gathering.environment);
  for (const name of expanded.missing) {
    const state = `found the unset variable ${name}, wanted it set or \${${name}:-default}`;
    gathering.problems.push({ path, state });
  }
  for (const { name, value } of expanded.replaced) {
    gathering.secrets.push(...findVariableSecrets(name, value));
  }
  return { text: expanded.text, complete: expanded.missing.length === 0 };
}

function expandMap(value: unknown, path: JsonPath, gathering: Gathering): Record<string, string> {
  const members = Object.entries(isObject(value) ? value : {}).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, expandAt(text, [...path, name], gathering).text]] : [],
  );
  return Object.fromEntries(members);
}

function durationOf(written: JsonObject, field: string, standard: string): number {
  return parseDuration(stringOf(written[field]) ?? standard) ?? 0;
}

function waitOf(
  written: JsonObject,
  field: string,
  standard: string,
  gathering: Gathering,
): number {
  const ms = durationOf(written, field, standard);
  if (ms > MAX_TIMER_MS) {
    const state = `found ${JSON.stringify(written[field])}, wanted at most "24d"`;
    gathering.problems.push({ path: [field], state });
  }
  return ms;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function stringsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((item): item is string => typeof item === "string");
}
