// Tools of the conformance fixture, as the suite's scenarios want them.
import type { JsonObject } from "../../lib/json-rpc.ts";
import { PNG, WAV } from "./offers.ts";

/** What a tool may do beside answering. */
export interface ToolContext {
  /** A request to the client; resolves with its whole answer. */
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>;
  readonly notify: (method: string, params: JsonObject) => void;
  readonly progressToken: unknown;
}

type Run = (args: JsonObject, context: ToolContext) => JsonObject | Promise<JsonObject>;

interface FixtureTool {
  readonly description: string;
  readonly inputSchema?: JsonObject;
  readonly run: Run;
}

/** The suite wants work that takes a moment. */
const STEP_MS = 20;

const text = (words: string): JsonObject => ({ type: "text", text: words });
const result = (...content: readonly JsonObject[]): JsonObject => ({ content });

function resource(uri: string, mimeType: string, words: string): JsonObject {
  return { type: "resource", resource: { uri, mimeType, text: words } };
}

function strings(...names: readonly string[]): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: names };
}

function elicit(message: string, properties: JsonObject, required: readonly string[] = []): Run {
  return async (_args, { ask }) => {
    const requestedSchema = { type: "object", properties, required };
    const answer = await ask("elicitation/create", { message, requestedSchema });
    return result(text(`Elicitation completed: ${JSON.stringify(answer.result ?? answer.error)}`));
  };
}

const titled = (...values: readonly string[]): JsonObject[] =>
  values.map((value) => ({ const: value, title: `Option ${value}` }));

const TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: {
    description: "Gives a text.",
    run: () => result(text("This is a simple text response for testing.")),
  },
  test_image_content: {
    description: "Gives an image.",
    run: () => result({ type: "image", data: PNG, mimeType: "image/png" }),
  },
  test_audio_content: {
    description: "Gives a sound.",
    run: () => result({ type: "audio", data: WAV, mimeType: "audio/wav" }),
  },
  test_embedded_resource: {
    description: "Gives a resource.",
    run: () =>
      result(
        resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
      ),
  },
  test_multiple_content_types: {
    description: "Gives a text, an image and a resource.",
    run: () =>
      result(
        text("Multiple content types test:"),
        { type: "image", data: PNG, mimeType: "image/png" },
        resource(
          "test://mixed-content-resource",
          "application/json",
          '{"test":"data","value":123}',
        ),
      ),
  },
  test_error_handling: {
    description: "Fails.",
    run: () => ({
      ...result(text("This tool intentionally returns an error for testing")),
      isError: true,
    }),
  },
  test_tool_with_logging: {
    description: "Logs while it works.",
    async run(_args, { notify }) {
      for (const data of ["execution started", "processing data", "execution completed"]) {
        notify("notifications/message", { level: "info", data: `Tool ${data}` });
        await Bun.sleep(STEP_MS);
      }
      return result(text("Logged three times."));
    },
  },
  test_tool_with_progress: {
    description: "Tells its progress.",
    async run(_args, { notify, progressToken }) {
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          notify("notifications/progress", { progressToken, progress, total: 100 });
        await Bun.sleep(STEP_MS);
      }
      return result(text("Done."));
    },
  },
  test_reconnection: {
    description: "Works for a moment, so that its stream may be closed and taken up again.",
    async run() {
      await Bun.sleep(STEP_MS);
      return result(text("Reconnection test completed successfully."));
    },
  },
  test_sampling: {
    description: "Asks the client's model.",
    inputSchema: strings("prompt"),
    async run({ prompt }, { ask }) {
      const messages = [{ role: "user", content: text(String(prompt)) }];
      const answer = await ask("sampling/createMessage", { messages, maxTokens: 100 });
      return result(text(`LLM response: ${JSON.stringify(answer.result ?? answer.error)}`));
    },
  },
  test_elicitation: {
    description: "Asks the client's user.",
    inputSchema: strings("message"),
    run: (args, context) =>
      elicit(
        String(args.message),
        {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        ["username", "email"],
      )(args, context),
  },
  test_elicitation_sep1034_defaults: {
    description: "Asks with a default for each primitive type.",
    run: elicit("Please review the defaults", {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    }),
  },
  test_elicitation_sep1330_enums: {
    description: "Asks with every form of choice.",
    run: elicit("Please choose", {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: { type: "string", oneOf: titled("value1", "value2") },
      legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["One", "Two"] },
      untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2"] } },
      titledMulti: { type: "array", items: { anyOf: titled("value1", "value2") } },
    }),
  },
  json_schema_2020_12_tool: {
    description: "Tool with JSON Schema 2020-12 features",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    run: (args) => result(text(JSON.stringify(args))),
  },
};

export const TOOL_DEFINITIONS: readonly JsonObject[] = Object.entries(TOOLS).map(
  ([name, { description, inputSchema = { type: "object", properties: {} } }]) => ({
    name,
    description,
    inputSchema,
  }),
);

export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

export function findTool(name: string): Run | undefined {
  return TOOLS[name]?.run;
}
