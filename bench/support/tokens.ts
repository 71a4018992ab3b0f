// Counts tokens (o200k_base) for the benches. What a model sees of a tool are three texts: its name,
// its description, and its inputSchema as JSON without white space. Hosts wrap them differently; the
// wrapping, which no server can change, is not counted, except by `countJsonTokens`.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { JsonObject } from "../../lib/json-rpc.ts";

/** Texts may hold `<|endoftext|>` and the like; they are counted as plain text. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

export function countTokens(text: string): number {
  return encode(text, PLAIN_TEXT).length;
}

/** Name, description and inputSchema of all tools. */
export function countToolTokens(tools: readonly JsonObject[]): number {
  let sum = 0;
  for (const { name, description, inputSchema } of tools) {
    if (typeof name === "string") sum += countTokens(name);
    if (typeof description === "string") sum += countTokens(description);
    if (inputSchema !== undefined) sum += countTokens(JSON.stringify(inputSchema));
  }
  return sum;
}

/** The same three as one JSON text a tool, with their keys and quotes. */
export function countJsonTokens(tools: readonly JsonObject[]): number {
  let sum = 0;
  for (const { name, description, inputSchema } of tools) {
    sum += countTokens(JSON.stringify({ name, description, inputSchema }));
  }
  return sum;
}
