// `envFrom`: the environment that Claude Code gives a server of the same user, read from
// ~/.claude.json when the upstream is started. The one file of this room that touches the disk.
// What cannot be followed is an error with the reason; the caller decides that life goes on.
import { readFileSync } from "node:fs";
import { EXIT, errorCode, FacadeError } from "../errors.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { type Environment, expandVariables } from "./expand.ts";
import { findNearest } from "./nearest.ts";

export interface ClaudeEnv {
  readonly env: Record<string, string>;
  /** One line for each variable that is left out: names only, no values. */
  readonly warnings: readonly string[];
}

/** An `envFrom` that cannot be followed. */
export class EnvFromError extends FacadeError {
  override readonly name = "EnvFromError";
  override readonly exitCode = EXIT.usage;

  constructor(
    source: string,
    state: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super("env-from", `Cannot follow envFrom "${source}": ${state}`, options);
  }
}

const FILE = "~/.claude.json";
const PREFIX = "claude:";

/**
 * The variables of `mcpServers.NAME.env` for a source `claude:NAME`. `${VAR}` and `${VAR:-default}`
 * in a value are expanded from `environment`; a variable that is unset and has no default takes
 * its own entry out. Throws `EnvFromError`.
 */
export function loadClaudeEnv(options: {
  readonly source: string;
  readonly home: string;
  readonly environment: Environment;
}): ClaudeEnv {
  const { source, environment } = options;
  const written = requireEnv(source, requireServers(source, options.home));
  const env: [string, string][] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(written)) {
    const leaveOut = (reason: string): void => {
      warnings.push(`envFrom "${source}": ${name} is left out, ${reason}`);
    };
    if (name === "" || /[=\u0000]/.test(name)) {
      leaveOut("as it is no name of a variable");
    } else if (typeof value !== "string") {
      leaveOut("as its value is not a string");
    } else {
      const { text, missing } = expandVariables(value, environment);
      if (missing.length > 0) leaveOut(`as ${missing.join(", ")} is not set`);
      else if (text.includes("\u0000")) leaveOut("as its value holds a NUL character");
      else env.push([name, text]);
    }
  }
  // Defines own members, so that a variable called __proto__ is a variable like any other.
  return { env: Object.fromEntries(env), warnings };
}

function requireEnv(source: string, servers: JsonObject): JsonObject {
  const name = source.slice(PREFIX.length);
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server === undefined) {
    const names = Object.keys(servers);
    const nearest = findNearest(name, names);
    const wanted = nearest === undefined ? names.slice(0, 20).join(", ") : `"${nearest}"`;
    const state = `${FILE} has no mcpServers.${name}`;
    throw new EnvFromError(
      source,
      names.length === 0 ? state : `${state}, wanted one of its entries: ${wanted}`,
    );
  }
  const env = isObject(server) ? (server.env ?? {}) : undefined;
  if (!isObject(env)) {
    throw new EnvFromError(source, `mcpServers.${name}.env in ${FILE} is not an object`);
  }
  return env;
}

function requireServers(source: string, home: string): JsonObject {
  if (!source.startsWith(PREFIX) || source === PREFIX) {
    const prefix = source.includes(":")
      ? `unknown prefix "${source.split(":", 1)[0]}"`
      : "no prefix";
    const state = source === PREFIX ? "no name after the prefix" : prefix;
    throw new EnvFromError(source, `${state}, wanted claude:NAME`);
  }
  const settings = parse(source, read(source, `${home}/.claude.json`));
  const servers = isObject(settings) ? (settings.mcpServers ?? {}) : undefined;
  if (isObject(servers)) return servers;
  throw new EnvFromError(source, `${FILE} holds no object of mcpServers`);
}

function read(source: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    const state = code === "ENOENT" ? `there is no ${FILE}` : `${FILE} is unreadable (${code})`;
    throw new EnvFromError(source, state, { cause: error });
  }
}

function parse(source: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    // The parser's words may quote the file, which holds secrets.
    throw new EnvFromError(source, `${FILE} is not valid JSON, it may be cut off`, {
      cause: error,
    });
  }
}
