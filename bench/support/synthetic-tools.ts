// Catalogs of any size, the same on every machine: tools as real servers offer them, about 1.2 KB
// each, with nested objects, enums, bounds and descriptions of several sentences.
import type { Tool } from "../../lib/catalog/catalog.ts";

const VERBS = ["list", "get", "create", "update", "delete", "search", "move", "archive"];
const NOUNS = [
  "issue",
  "project",
  "comment",
  "label",
  "milestone",
  "branch",
  "release",
  "user",
  "team",
  "webhook",
  "pipeline",
  "artifact",
  "schedule",
  "report",
  "invoice",
];

/** Names are unique for any count; the first one is always `list_issue`. */
export function makeTools(count: number): Tool[] {
  return Array.from({ length: count }, (_, index) => makeTool(index));
}

function makeTool(index: number): Tool {
  const verb = VERBS[index % VERBS.length] ?? "";
  const noun = NOUNS[Math.floor(index / VERBS.length) % NOUNS.length] ?? "";
  const round = Math.floor(index / (VERBS.length * NOUNS.length));
  return {
    name: `${verb}_${noun}${round === 0 ? "" : `_${round}`}`,
    title: `${verb} ${noun}`,
    description:
      `${verb} one ${noun} of the workspace, or several at once when a filter is given. ` +
      `Answers with the ${noun} as it is afterwards, with its id, its owner and its links. ` +
      `Needs the permission "${noun}:${verb}"; a call without it is refused.`,
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", description: `What to ${verb}. Markdown is allowed here.` },
        id: { type: "string", description: `The id of the ${noun}, as listed.`, minLength: 1 },
        limit: {
          type: "integer",
          description: "How many to give at most. Larger numbers are cut to the maximum.",
          minimum: 1,
          maximum: 100,
          default: 20,
        },
        state: {
          type: "string",
          enum: ["open", "closed", "all"],
          description: `Which ones are wanted, by their state. Without it every ${noun} counts.`,
        },
        filter: {
          type: "object",
          description: "Further conditions. All of them have to hold.",
          properties: {
            owner: { type: "string", description: "Login name of the owner." },
            since: { type: "string", format: "date-time", description: "Changed at or after." },
            labels: { type: "array", items: { type: "string" }, maxItems: 10 },
          },
          additionalProperties: false,
        },
      },
      required: ["text"],
    },
    annotations: { readOnlyHint: verb === "list" || verb === "get" },
  };
}
