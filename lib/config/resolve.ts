// One server's entry, from JSON as written to what the program works with: variables expanded,
// defaults filled in, meaning checked beyond the form that form.ts knows. Goes as far as it can
// with an entry of wrong form, so that all problems are told at once. Pure. Every start
// but a quick one runs through here once, cold: plain loops, as each built-in that takes a callback
// costs 0.1 ms then.
import { isObject, type JsonObject } from "../json-rpc.ts";
import type { FormProblem } from "./check.ts";
import { type Environment, expandVariables } from "./expand.ts";
import { renderIdentity } from "./identity.ts";
import type { JsonPath } from "./jsonc.ts";
import {
  findArgumentSecrets,
  findHeaderSecrets,
  findUrlSecrets,
  findVariableSecrets,
} from "./secrets.ts";
import type { CredentialSource, HttpUpstream, ServerEntry, StdioUpstream } from "./server-entry.ts";

/** The configuration as it was read. */
export interface ServersFile {
  readonly text: string;
  /** Path of the file, absolute where a relative `cwd` has to mean the same from every folder. */
  readonly file: string;
  readonly environment: Environment;
  /** Home folder, for `~/` in `command` and `cwd`. */
  readonly home: string;
}

export interface EntrySurroundings {
  readonly environment: Environment;
  /** Home folder, for `~/`. */
  readonly home: string;
  /** Path of the configuration file: a relative `cwd` starts in its folder. */
  readonly file: string;
}

export interface ResolvedEntry {
  /** Not to be used when there is any problem, of meaning here or of form. */
  readonly entry: ServerEntry;
  readonly problems: readonly FormProblem[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: MINUTE_MS,
  h: 3_600_000,
  d: DAY_MS,
};
/** The longest delay a timer can have; longer ones would fire at once. Just over 24 days. */
const MAX_TIMER_MS = 2_147_483_647;

const DEFAULT_TOKEN_COMMAND = ["omp", "token", "{credentialId}"];
const DEFAULT_RENEW_COMMAND = ["omp", "token", "--force-refresh", "{credentialId}"];

/** What is gathered while an entry is walked. */
interface Gathering extends EntrySurroundings {
  readonly problems: FormProblem[];
  readonly secrets: Set<string>;
}

export function resolveEntry(
  options: EntrySurroundings & { readonly name: string; readonly written: unknown },
): ResolvedEntry {
  const { name, environment, home, file } = options;
  const problems: FormProblem[] = [];
  const secrets = new Set<string>();
  const gathering: Gathering = { environment, home, file, problems, secrets };
  const written = isObject(options.written) ? options.written : {};
  const writtenUpstream = isObject(written.upstream) ? written.upstream : {};
  const upstream =
    writtenUpstream.url === undefined
      ? resolveStdio(writtenUpstream, gathering)
      : resolveHttp(writtenUpstream, gathering);
  secrets.delete("");
  const entry: ServerEntry = {
    name,
    upstream,
    used: stringsOf(written.used) ?? [],
    hidden: stringsOf(written.hidden) ?? [],
    ttlMs: durationOf(written.ttl) ?? 7 * DAY_MS,
    timeoutMs: waitOf(written, "timeout", gathering) ?? 10 * MINUTE_MS,
    connectTimeoutMs: waitOf(written, "connectTimeout", gathering) ?? MINUTE_MS / 2,
    metaPrefix: stringOf(written.metaPrefix) ?? "",
    validate: written.validate !== false,
    identity: renderIdentity(writtenUpstream),
    secrets: [...secrets],
  };
  return { entry, problems };
}

function resolveHttp(written: JsonObject, gathering: Gathering): HttpUpstream {
  const url = expandAt(stringOf(written.url) ?? "", ["upstream", "url"], gathering);
  if (url.complete) checkUrl(url.text, gathering);
  keep(findUrlSecrets(url.text), gathering);
  const headers = expandMap(written.headers, "headers", gathering);
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
      const state = "found a line break, control or non-Latin-1 character, wanted a legal value";
      gathering.problems.push({ path: ["upstream", "headers", name], state });
    }
    keep(findHeaderSecrets(name, value), gathering);
  }
  const kind = written.transport === "sse" ? "sse" : "http";
  return { kind, url: url.text, headers, credential: resolveCredential(written, gathering) };
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

function resolveCredential(
  written: JsonObject,
  gathering: Gathering,
): CredentialSource | undefined {
  const id = stringOf(written.credentialId);
  if (id === undefined) return undefined;
  const fill = (argv: readonly string[]): string[] => {
    const filled: string[] = [];
    for (const arg of argv) filled.push(arg.split("{credentialId}").join(id));
    return filled;
  };
  const token = stringsOf(written.tokenCommand);
  const renew = stringsOf(written.renewCommand);
  for (const argv of [token, renew]) {
    if (argv !== undefined) keep(findArgumentSecrets(argv), gathering);
  }
  return {
    id,
    tokenCommand: fill(token ?? DEFAULT_TOKEN_COMMAND),
    renewCommand: written.renewCommand === null ? undefined : fill(renew ?? DEFAULT_RENEW_COMMAND),
  };
}

function resolveStdio(written: JsonObject, gathering: Gathering): StdioUpstream {
  const args: string[] = [];
  for (const arg of stringsOf(written.args) ?? []) {
    args.push(expandAt(arg, ["upstream", "args", args.length], gathering).text);
  }
  const env = expandMap(written.env, "env", gathering);
  keep(findArgumentSecrets(args), gathering);
  for (const [name, value] of Object.entries(env))
    keep(findVariableSecrets(name, value), gathering);
  const cwd = resolvePath(written, "cwd", gathering);
  return {
    kind: "stdio",
    command: resolvePath(written, "command", gathering) ?? "",
    args,
    cwd: cwd === undefined ? undefined : resolveFolder(cwd, gathering.file),
    env,
    envFrom: stringOf(written.envFrom),
  };
}

/** With `~/` as it is written expanded, not one that a variable brings in. */
function resolvePath(written: JsonObject, field: string, gathering: Gathering): string | undefined {
  const text = stringOf(written[field]);
  if (text === undefined) return undefined;
  const rest = text.startsWith("~/") ? text.slice(2) : undefined;
  const { text: path } = expandAt(rest ?? text, ["upstream", field], gathering);
  return rest === undefined ? path : `${gathering.home.replace(/\/+$/, "")}/${path}`;
}

/** `path` as it is when absolute (POSIX or Windows), else below the folder of `file`. */
function resolveFolder(path: string, file: string): string {
  if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)) return path;
  const end = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
  const folder = end < 0 ? "." : file.slice(0, Math.max(end, 1));
  return path === "." ? folder : `${folder.replace(/\/$/, "")}/${path.replace(/^\.\//, "")}`;
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
    keep(findVariableSecrets(name, value), gathering);
  }
  if (expanded.text.includes("\u0000")) {
    gathering.problems.push({ path, state: "found a NUL character, wanted a text without" });
  }
  return { text: expanded.text, complete: expanded.missing.length === 0 };
}

function expandMap(written: unknown, field: string, gathering: Gathering): Record<string, string> {
  const members: Record<string, string> = {};
  if (!isObject(written)) return members;
  for (const [name, text] of Object.entries(written)) {
    if (typeof text !== "string") continue;
    const { text: value } = expandAt(text, ["upstream", field, name], gathering);
    // Not by assignment, which would do something else for a member called __proto__.
    Object.defineProperty(members, name, { ...ORDINARY, value });
  }
  return members;
}

const ORDINARY = { configurable: true, enumerable: true, writable: true };

function keep(found: readonly string[], gathering: Gathering): void {
  for (const secret of found) gathering.secrets.add(secret);
}

/** Milliseconds of a text such as "15m"; undefined when it is not a duration. */
function durationOf(written: unknown): number | undefined {
  const match = typeof written === "string" ? /^([0-9]{1,6})([a-z]{1,2})$/.exec(written) : null;
  const unitMs = UNIT_MS[match?.[2] ?? ""];
  return unitMs === undefined ? undefined : Number(match?.[1]) * unitMs;
}

function waitOf(written: JsonObject, field: string, gathering: Gathering): number | undefined {
  const ms = durationOf(written[field]);
  if (ms !== undefined && ms > MAX_TIMER_MS) {
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
  const strings: string[] = [];
  for (const item of value) if (typeof item === "string") strings.push(item);
  return strings;
}
