// The three tools of our own: what the host sees of them, and which one a name means.
// Together at most 180 tokens (o200k_base) without the capability map, 240 with it.
import type { JsonObject } from "../json-rpc.ts";

export const META_TOOLS = ["discover", "describe", "call"] as const;
export type MetaTool = (typeof META_TOOLS)[number];

/** The meta-tool this name stands for exactly, prefix included. */
export function findMetaTool(name: string, prefix: string): MetaTool | undefined {
  return META_TOOLS.find((meta) => name === `${prefix}${meta}`);
}

/** As `findMetaTool`, but regardless of case, of the prefix, and of a host's `mcp__server__`. */
export function guessMetaTool(name: string, prefix: string): MetaTool | undefined {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/^mcp__.+?__/s, "");
  return META_TOOLS.find((meta) => bare === meta || bare === `${prefix}${meta}`.toLowerCase());
}

/** Definitions for tools/list. `capabilityMap` says in a few words what the catalog is about. */
export function metaToolDefinitions(prefix: string, capabilityMap: string): readonly JsonObject[] {
  const has = capabilityMap === "" ? "" : ` Has: ${capabilityMap}`;
  const readOnly = { annotations: { readOnlyHint: true } };
  return [
    {
      name: `${prefix}discover`,
      description: `Search this server's further tools by task; empty query lists all.${has}`,
      inputSchema: {
        type: "object",
        properties: { query: { type: "string" }, limit: { type: "integer" } },
      },
      ...readOnly,
    },
    {
      name: `${prefix}describe`,
      description: "Parameters of tools found by discover.",
      inputSchema: {
        type: "object",
        properties: {
          tool: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
          detail: { type: "string", enum: ["full"] },
        },
        required: ["tool"],
      },
      ...readOnly,
    },
    {
      name: `${prefix}call`,
      description: "Run any tool of this server, also unlisted ones.",
      inputSchema: {
        type: "object",
        properties: { tool: { type: "string" }, args: { type: "object" } },
        required: ["tool"],
      },
    },
  ];
}
