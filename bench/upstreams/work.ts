// The one tool of the soak's upstreams.
import type { JsonObject } from "../../lib/json-rpc.ts";

export const WORK_TOOL = {
  name: "work",
  description: "Does a piece of work once.",
  inputSchema: {
    type: "object",
    properties: { key: { type: "integer", minimum: 0 } },
    required: ["key"],
  },
};

export function renderWork(key: number, sizeBytes: number): JsonObject {
  return { content: [{ type: "text", text: `done ${key} ${"x".repeat(sizeBytes)}` }] };
}
