// `discover [WORDS]`: what a model gets from the discover tool.
import type { CommandContext } from "./entry.ts";
import { runMetaTool } from "./meta-tool.ts";
import type { Output } from "./output.ts";

export function discover(context: CommandContext, output: Output): Promise<number> {
  const query = context.invocation.operands.join(" ");
  return runMetaTool(context, output, "discover", { query });
}
