// Runs a meta-tool for a person at a terminal and prints what a model would get.
import { EXIT, FacadeError } from "../errors.ts";
import type { MetaTool } from "../facade/meta-tools.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { type CommandContext, requireEntry } from "./entry.ts";
import type { Output } from "./output.ts";
import { openSession } from "./session.ts";

/** A text block as it is, any other block as JSON. */
function renderBlock(block: unknown): string {
  const isText = isObject(block) && block.type === "text" && typeof block.text === "string";
  return isText ? String(block.text) : JSON.stringify(block);
}

/** Prints the result; a failure goes to stderr and gives the exit code of its kind. */
export async function runMetaTool(
  context: CommandContext,
  output: Output,
  meta: MetaTool,
  parameters: JsonObject,
): Promise<number> {
  const written = await requireEntry(context);
  const { entry } = written;
  await using session = await openSession(written);
  const { result, error } = await session.request("tools/call", {
    name: `${entry.metaPrefix}${meta}`,
    arguments: parameters,
  });
  if (error !== undefined) {
    output.complain(`error ${error.code}: ${error.message}`);
    return EXIT.upstream;
  }
  const { content, isError } = isObject(result) ? result : {};
  const blocks = Array.isArray(content) ? content : [];
  const text = blocks.map(renderBlock).join("\n");
  if (isError !== true) {
    output.print(text);
    return EXIT.fine;
  }
  output.complain(text);
  const failure = session.lastFailure();
  return failure instanceof FacadeError ? failure.exitCode : EXIT.upstream;
}
