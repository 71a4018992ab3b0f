// Counts tokens (o200k_base) for the benches. A tool counts as a model sees it: the JSON text of
// its name, description and inputSchema, in this order, without white space.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Tool } from "../../lib/catalog/catalog.ts";

/** Texts may hold `<|endoftext|>` and the like; they are counted as plain text. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

export function countTokens(text: string): number {
  return encode(text, PLAIN_TEXT).length;
}

export function toolText(tool: Tool): string {
  const { name, description, inputSchema } = tool;
  return JSON.stringify({ name, description, inputSchema });
}

export function countToolTokens(tools: readonly Tool[]): number {
  let sum = 0;
  for (const tool of tools) sum += countTokens(toolText(tool));
  return sum;
}
