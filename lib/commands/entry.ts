// From the command line to a server's entry: where the configuration is, and reading it.
// Every start runs through here: no `node:` module is loaded, as node:fs alone costs 6 ms, and the
// configuration is parsed only by who needs it.
import type { Invocation } from "../arguments.ts";
import type { ServersFile } from "../config/resolve.ts";
import type { ServerEntry } from "../config/server-entry.ts";
import { ConfigError, errorCode, UsageError } from "../errors.ts";

export interface CommandContext {
  readonly invocation: Invocation;
  /** Folder of facade.ts, where facade.servers.json is looked for. */
  readonly programFolder: string;
}

export function homeFolder(): string {
  return process.env.HOME || process.getBuiltinModule("node:os").homedir();
}

export function catalogFolder(): string {
  return process.env.MCP_FACADE_CATALOG_DIR || `${homeFolder()}/.omp/agent/mcp-facade/catalogs`;
}

function absolutePath(path: string): string {
  return path.startsWith("/") ? path : process.getBuiltinModule("node:path").resolve(path);
}

/** Text of the configuration with what is needed to parse it. Throws `ConfigError`. */
export async function readServersFile(context: CommandContext): Promise<ServersFile> {
  const { invocation, programFolder } = context;
  const { config } = invocation;
  const file = config === undefined ? `${programFolder}/facade.servers.json` : absolutePath(config);
  try {
    const text = await Bun.file(file).text();
    return { text, file, environment: process.env, home: homeFolder() };
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    const state = code === "ENOENT" ? "found no such file" : `cannot be read (${code})`;
    throw new ConfigError([{ file, state: `${state}, wanted a map from server name to entry` }], {
      hint: "Copy facade.servers.example.json to it, or name another file with --config FILE",
    });
  }
}

/** The name after `--server`. Throws `UsageError`. */
export function requireServer({ invocation }: CommandContext): string {
  if (invocation.server !== undefined) return invocation.server;
  throw new UsageError("Cannot start: no server is named", {
    hint: "Write --server NAME with a name from facade.servers.json, or --help for more",
  });
}

/** An entry with the text of the configuration it was read from. */
export interface WrittenEntry {
  readonly entry: ServerEntry;
  readonly configText: string;
}

/** The entry that `--server` names. Throws `UsageError` or `ConfigError`. */
export async function requireEntry(context: CommandContext): Promise<WrittenEntry> {
  const server = requireServer(context);
  const file = await readServersFile(context);
  const { parseServersFile } = await import("../config/servers-file.ts");
  return { entry: await parseServersFile({ ...file, server }), configText: file.text };
}
