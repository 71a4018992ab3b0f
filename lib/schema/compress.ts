// The tool as the host sees it, DESIGN.md section 6: name, first sentence, compressed schemas that
// model APIs accept, and everything else as the upstream sent it. Pure and deterministic.
import type { Tool } from "../catalog/catalog.ts";
import type { JsonObject } from "../json-rpc.ts";
import { compressSchema } from "./compress-schema.ts";
import { setMember } from "./member.ts";
import { repairInputSchema, repairOutputSchema } from "./provider-safe.ts";
import { firstSentence, SENTENCE_LIMIT } from "./sentence.ts";
import { visibleText } from "./visible-text.ts";

/**
 * Raised by one whenever the output for any tool changes: lists made ready earlier lie on disk and
 * are served only under the revision they were made with.
 */
export const COMPRESSION_REVISION = 1;

export interface CompressedTool {
  readonly tool: Tool;
  /** One line for each thing that was repaired or could not be compressed, without the tool's name. */
  readonly repairs: readonly string[];
}

/** The tool under its exposed name; members that are not about its schemas stay as they are. */
export function compressTool(tool: Tool, exposedName: string): CompressedTool {
  const repairs: string[] = [];
  const input = repairInputSchema(tool.inputSchema);
  repairs.push(...input.reasons.map((reason) => `input schema ${reason}`));
  const output = repairOutputSchema(tool.outputSchema);
  repairs.push(...output.reasons.map((reason) => `output schema ${reason}`));

  const compressed: JsonObject = {};
  for (const member of Object.keys(tool)) setMember(compressed, member, tool[member]);
  compressed.name = exposedName;
  const description = describeTool(tool.description, input.note);
  if (description === "") delete compressed.description;
  else compressed.description = description;
  if (typeof tool.title === "string") compressed.title = visibleText(tool.title);
  compressed.inputSchema = compressSchema(input.schema, { saidBefore: description });
  if (output.schema === undefined) delete compressed.outputSchema;
  else compressed.outputSchema = compressSchema(output.schema, { saidBefore: description });
  return { tool: compressed as Tool, repairs }; // `name` is set above
}

/** The first sentence and the note, together within the limit of a description. */
function describeTool(description: unknown, note: string): string {
  const text = typeof description === "string" ? visibleText(description) : "";
  if (note === "") return firstSentence(text);
  return `${firstSentence(text, SENTENCE_LIMIT - note.length - 1)} ${note}`.trim();
}
