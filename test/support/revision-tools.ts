// Tools that touch every rule of compression. Their compressed form is hashed, so that no change of
// output goes unnoticed; add to them when a rule is added.
import type { Tool } from "../../lib/catalog/catalog.ts";

export const REVISION_TOOLS: readonly Tool[] = [
  {
    name: "createTicket",
    title: "Create ticket",
    description:
      "Opens a ticket in a project, e.g. for a defect, with all fields that the project's form has, checked against the workflow and its rules for who may open what. Sends mail.",
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "createTicketArguments",
      type: "object",
      properties: {
        project: { type: "string", description: "Project" },
        summary: { type: "string", minLength: 1, description: "Optional. Shown in lists. More." },
        kind: { type: "string", enum: ["defect", "task"], default: "task", title: "Kind" },
        labels: {
          type: "array",
          items: { type: "string", description: "Labels to set." },
          description: "Labels to set.",
          examples: [["a"]],
        },
        fields: { type: "object", additionalProperties: {}, propertyNames: { type: "string" } },
        due: { anyOf: [{ type: "string", format: "date" }, { type: "null" }], "x-ui": { row: 1 } },
        start: { $ref: "#/properties/due/anyOf/0", description: "说明。更多。" },
      },
      required: ["project", "summary"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { key: { type: "string", title: "Key" } } },
    annotations: { destructiveHint: false },
  },
  {
    name: "Search",
    description: "Finds rows\u200b by words.",
    inputSchema: {
      type: "object",
      properties: {
        filter: { $ref: "#/$defs/Filter" },
        other: { $ref: "#/$defs/Filter" },
        page: { $ref: "#/$defs/Page" },
      },
      required: [],
      $defs: {
        Filter: { type: "object", properties: { and: { items: { $ref: "#/$defs/Filter" } } } },
        Page: { type: "object", title: "Page", properties: { size: { type: "integer" } } },
        Unused: { type: "null" },
      },
    },
  },
  {
    name: "pick",
    description: "Picks.",
    inputSchema: {
      properties: { id: { type: "string" }, url: { type: "string" }, mode: { enum: null } },
      oneOf: [{ required: ["id"] }, { required: ["url"] }],
    },
    outputSchema: { type: "array" },
  },
  {
    name: "old",
    inputSchema: {
      $schema: "http://json-schema.org/draft-04/schema#",
      type: "object",
      properties: { n: { type: "integer", minimum: 0, exclusiveMinimum: true } },
      dependencies: { n: ["m"] },
    },
  },
  { name: "bare" },
];
