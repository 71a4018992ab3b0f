// Which file does which command.
import type { CommandName } from "../arguments.ts";
import type { CommandContext } from "./entry.ts";
import { CONSOLE_OUTPUT } from "./output.ts";

/** Runs a command other than serving; resolves with its exit code. Throws `FacadeError`. */
export async function runCommand(context: CommandContext, command: CommandName): Promise<number> {
  switch (command) {
    case "check": {
      const { check } = await import("./check.ts");
      return check(context, CONSOLE_OUTPUT);
    }
    case "refresh": {
      const { refresh } = await import("./refresh.ts");
      return refresh(context, CONSOLE_OUTPUT);
    }
    case "discover": {
      const { discover } = await import("./discover.ts");
      return discover(context, CONSOLE_OUTPUT);
    }
    case "describe": {
      const { describe } = await import("./describe.ts");
      return describe(context, CONSOLE_OUTPUT);
    }
    case "call": {
      const { call } = await import("./call.ts");
      return call(context, CONSOLE_OUTPUT);
    }
  }
}
