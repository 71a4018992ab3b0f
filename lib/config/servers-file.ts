// The text of facade.servers.json to resolved entries. Serving needs only its own entry to be
// right; `check` wants to hear about all of them. Pure: the caller reads the file.
// A start with a right file takes the short way here; the code that finds and words problems, more
// than half of this room, is loaded when there is one.
import type { ConfigProblem } from "../errors.ts";
import { isObject } from "../json-rpc.ts";
import { conforms, ENTRY_SCHEMA, isServerName } from "./form.ts";
import { resolveEntry, type ServersFile } from "./resolve.ts";
import type { ServerEntry } from "./server-entry.ts";

/** The entry of one server. Throws `ConfigError` with everything that is wrong with it. */
export async function parseServersFile(
  options: ServersFile & { readonly server: string },
): Promise<ServerEntry> {
  const entry = resolveRightEntry(options);
  if (entry !== undefined) return entry;
  const { requireEntryOrProblems } = await import("./servers-problems.ts");
  return requireEntryOrProblems(options);
}

/** All entries that can be used, and all problems of the file. Throws when it cannot be parsed. */
export async function parseAllServers(options: ServersFile): Promise<{
  readonly entries: readonly ServerEntry[];
  readonly problems: readonly ConfigProblem[];
}> {
  const { resolveServers } = await import("./servers-problems.ts");
  return resolveServers(options);
}

/** Undefined when anything at all is wrong. */
function resolveRightEntry(
  options: ServersFile & { readonly server: string },
): ServerEntry | undefined {
  const servers = parseQuickly(options.text)?.value;
  const { server } = options;
  if (!isServerName(server) || !isObject(servers) || !Object.hasOwn(servers, server)) return;
  const written = servers[server];
  if (!conforms(written, ENTRY_SCHEMA)) return;
  const { entry, problems } = resolveEntry({ ...options, name: server, written });
  return problems.length === 0 ? entry : undefined;
}

/**
 * The value that jsonc.ts gives as well, by what is built in, which takes a tenth of the time in a
 * process that has just started. Undefined when the text is wrong, or when a member may be there
 * twice: jsonc.ts knows more.
 */
export function parseQuickly(text: string): { readonly value: unknown } | undefined {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return parseOrUndefined(body) ?? parseOrUndefined(stripExtras(body));
}

function parseOrUndefined(json: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(json);
    // Of members of the same name only the last one is in the value, and written again.
    return countNames(json) > countNames(JSON.stringify(value)) ? undefined : { value };
  } catch {
    // Not JSON as it stands, or deeper than the stack: the next step knows more.
    return undefined;
  }
}

/** Without comments and trailing commas. Strings are matched first, so that none of theirs goes. */
function stripExtras(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g, "$1 ")
    .replace(/("(?:[^"\\]|\\.)*")|,(?<=["\w\]}]\s*,)(?=\s*[}\]])/g, "$1 ");
}

/** The number of names, or more: what looks like one inside a string is counted as well. */
function countNames(json: string): number {
  return json.match(/"\s*:/g)?.length ?? 0;
}
