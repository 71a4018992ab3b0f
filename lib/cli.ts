// The command line: argv to serving or to a command, errors to words and an exit code.
import { serve } from "./commands/serve.ts";
import { EXIT, FacadeError, renderError, UsageError } from "./errors.ts";

export const COMMANDS = ["check", "refresh", "discover", "describe", "call"] as const;
export type CommandName = (typeof COMMANDS)[number];

/** How many words may stand after a command. */
const MAX_OPERANDS: Readonly<Record<CommandName, number>> = {
  check: 0,
  refresh: 0,
  discover: Infinity,
  describe: 2,
  call: 2,
};

const FLAGS = ["--server", "--config", "--help", "--version"] as const;
const VALUE_FLAGS: readonly string[] = ["--server", "--config"];

export interface Invocation {
  readonly command: CommandName | "serve" | "help" | "version";
  readonly server: string | undefined;
  readonly config: string | undefined;
  /** What stands after the command and is not a flag. */
  readonly operands: readonly string[];
}

const USAGE = `Usage:
  bun run facade.ts --server NAME [--config FILE]            serve NAME on stdio
  bun run facade.ts check [--server NAME] [--config FILE]    test entries, print what they save
  bun run facade.ts refresh --server NAME                    fetch the catalog now
  bun run facade.ts discover [WORDS] --server NAME           what the model gets from discover
  bun run facade.ts describe TOOL [full] --server NAME       what the model gets from describe
  bun run facade.ts call TOOL JSON --server NAME             call a tool
  bun run facade.ts --help | --version

Options:
  --server NAME    the entry of the configuration to use
  --config FILE    the configuration; default: facade.servers.json beside facade.ts`;

/** The known flag nearest to a mistyped one. */
async function unknownFlag(flag: string): Promise<UsageError> {
  const { findNearest } = await import("./config/nearest.ts");
  const nearest = findNearest(flag, FLAGS);
  const hint = nearest === undefined ? "Run with --help for the flags" : `Use "${nearest}"`;
  return new UsageError(`Cannot understand flag "${flag}": it is not known`, { hint });
}

/** Throws `UsageError`. `--name value` and `--name=value` are the same; `--` ends the flags. */
export async function parseArguments(argv: readonly string[]): Promise<Invocation> {
  const values = new Map<string, string>();
  const words: string[] = [];
  const given = new Set<string>();
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] === "-h" ? "--help" : (argv[at] ?? "");
    if (argument === "--") {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (!argument.startsWith("--") || argument.length < 3) {
      words.push(argument);
      continue;
    }
    const equals = argument.indexOf("=");
    const flag = equals < 0 ? argument : argument.slice(0, equals);
    if (!FLAGS.some((known) => known === flag)) throw await unknownFlag(flag);
    given.add(flag);
    if (!VALUE_FLAGS.includes(flag)) continue;
    const value = equals < 0 ? argv[++at] : argument.slice(equals + 1);
    if (value === undefined || value === "" || (equals < 0 && value.startsWith("--"))) {
      throw new UsageError(`Cannot use flag "${flag}": it needs a value`, {
        hint: `Write "${flag} VALUE"`,
      });
    }
    values.set(flag, value);
  }
  const base = { server: values.get("--server"), config: values.get("--config") };
  if (given.has("--help")) return { ...base, command: "help", operands: [] };
  if (given.has("--version")) return { ...base, command: "version", operands: [] };
  const [first, ...operands] = words;
  if (first === undefined) return { ...base, command: "serve", operands: [] };
  const command = COMMANDS.find((known) => known === first);
  if (command === undefined) {
    const { findNearest } = await import("./config/nearest.ts");
    const nearest = findNearest(first, COMMANDS);
    const hint = nearest === undefined ? "Run with --help for the commands" : `Use "${nearest}"`;
    throw new UsageError(`Cannot understand "${first}": it is not a command`, { hint });
  }
  const extra = operands[MAX_OPERANDS[command]];
  if (extra !== undefined) {
    throw new UsageError(`Cannot understand "${extra}": it is a word too many for "${command}"`, {
      hint: values.has("--server")
        ? "Leave it out"
        : `Write "--server ${extra}" if a server is meant`,
    });
  }
  return { ...base, command, operands };
}

/** Runs to the end and gives the exit code. Never throws. */
export async function run(options: {
  readonly argv: readonly string[];
  readonly programFolder: string;
}): Promise<number> {
  const { argv, programFolder } = options;
  try {
    const invocation = await parseArguments(argv);
    switch (invocation.command) {
      case "help":
        console.log(USAGE);
        return EXIT.fine;
      case "version": {
        const { VERSION } = await import("./version.ts");
        console.log(VERSION);
        return EXIT.fine;
      }
      case "serve": {
        return await serve({ invocation, programFolder });
      }
      default: {
        const { runCommand } = await import("./commands/run-command.ts");
        return await runCommand({ invocation, programFolder }, invocation.command);
      }
    }
  } catch (error) {
    console.error(renderError(error));
    return error instanceof FacadeError ? error.exitCode : EXIT.bug;
  }
}
