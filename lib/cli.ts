// The command line: argv to serving or to a command, errors to words and an exit code.
import { parseArguments } from "./arguments.ts";
import { serve } from "./commands/serve.ts";
import { EXIT, FacadeError, renderError } from "./errors.ts";

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
