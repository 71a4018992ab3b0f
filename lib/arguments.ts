// The command line: argv to what is asked for. Pure but for what it loads to word a mistake.
import { UsageError } from "./errors.ts";

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
