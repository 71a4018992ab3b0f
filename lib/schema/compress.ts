// The tool as the host sees it, DESIGN.md section 6: name, first sentence, compressed schemas that
// model APIs accept, and everything else as the upstream sent it. Pure and deterministic.
import type { Tool } from "../catalog/catalog.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { compressDocument } from "./compress-schema.ts";
import { setMember } from "./member.ts";
import { repairInputSchema, repairOutputSchema } from "./provider-safe.ts";
import { firstSentence, SENTENCE_LIMIT } from "./sentence.ts";
import { visibleText } from "./visible-text.ts";

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

  const compressed: JsonObject = {};
  for (const member of Object.keys(tool)) setMember(compressed, member, tool[member]);
  compressed.name = exposedName;
  const description = describeTool(tool.description, input.note);
  if (description === "") delete compressed.description;
  else compressed.description = description;
  if (typeof tool.title === "string") compressed.title = visibleText(tool.title);
  const { annotations } = tool;
  if (isObject(annotations) && typeof annotations.title === "string") {
    compressed.annotations = { ...annotations, title: visibleText(annotations.title) };
  }
  compressed.inputSchema = compressInput(input.schema, description, repairs);
  const output = compressOutput(tool.outputSchema, description, repairs);
  if (output === undefined) delete compressed.outputSchema;
  else compressed.outputSchema = output;
  return { tool: compressed as Tool, repairs }; // `name` is set above
}

function compressInput(schema: JsonObject, saidBefore: string, repairs: string[]): JsonObject {
  const input = compressDocument(schema, { saidBefore, dropsFlaws: true });
  if (input.untouched !== undefined)
    repairs.push(`input schema ${input.untouched}: served as it is`);
  if (input.flaws > 0) {
    const places = input.flaws === 1 ? "one keyword" : `${input.flaws} keywords`;
    repairs.push(`input schema has ${places} that cannot be followed: served without`);
  }
  return input.schema;
}

/** Hosts refuse the whole list for an output schema that does not compile, and can do without. */
function compressOutput(
  schema: unknown,
  saidBefore: string,
  repairs: string[],
): JsonObject | undefined {
  const repaired = repairOutputSchema(schema);
  repairs.push(...repaired.reasons.map((reason) => `output schema ${reason}`));
  if (repaired.schema === undefined) return undefined;
  const output = compressDocument(repaired.schema, { saidBefore });
  const state = output.untouched ?? (output.flaws > 0 ? "cannot be compiled" : undefined);
  if (state === undefined) return output.schema;
  repairs.push(`output schema ${state}: served without one`);
  return undefined;
}

/** The first sentence and the note, together within the limit of a description. */
function describeTool(description: unknown, note: string): string {
  const text = typeof description === "string" ? visibleText(description) : "";
  if (note === "") return firstSentence(text);
  return `${firstSentence(text, SENTENCE_LIMIT - note.length - 1)} ${note}`.trim();
}
