// `call TOOL JSON`: calls a tool as a model would through the call tool.
import { UsageError } from "../errors.ts";
import type { CommandContext } from "./entry.ts";
import { runMetaTool } from "./meta-tool.ts";
import type { Output } from "./output.ts";

export function call(context: CommandContext, output: Output): Promise<number> {
  const [tool, args = "{}", ...rest] = context.invocation.operands;
  if (tool === undefined || rest.length > 0) {
    throw new UsageError("Cannot call a tool: its name and one JSON object are wanted", {
      hint: `Write "call TOOL '{...}' --server NAME"`,
    });
  }
  return runMetaTool(context, output, "call", { tool, args: parseArguments(args) });
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const state = `the arguments ${JSON.stringify(text)} are not valid JSON`;
    throw new UsageError(`Cannot call a tool: ${state}`, {
      hint: `Write them as '{"name": "value"}', in single quotes`,
    });
  }
}
