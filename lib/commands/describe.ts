// `describe TOOL [full]`: what a model gets from the describe tool.
import { UsageError } from "../errors.ts";
import type { CommandContext } from "./entry.ts";
import { runMetaTool } from "./meta-tool.ts";
import type { Output } from "./output.ts";

export function describe(context: CommandContext, output: Output): Promise<number> {
  const [tool, detail] = context.invocation.operands;
  if (tool === undefined || (detail !== undefined && detail !== "full")) {
    throw new UsageError("Cannot describe a tool: the name of one tool is wanted", {
      hint: 'Write "describe TOOL --server NAME", or "describe TOOL full --server NAME" for the original definition',
    });
  }
  return runMetaTool(context, output, "describe", {
    tool,
    ...(detail === undefined ? {} : { detail }),
  });
}
