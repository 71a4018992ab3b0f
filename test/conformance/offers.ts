// Prompts and resources of the conformance fixture, as the suite's scenarios want them.
import type { JsonObject } from "../../lib/json-rpc.ts";

/** One red pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** No samples at all. */
export const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

function argument(name: string, description: string): JsonObject {
  return { name, description, required: true };
}

export const PROMPTS: readonly JsonObject[] = [
  { name: "test_simple_prompt", description: "A prompt without arguments." },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with two arguments.",
    arguments: [argument("arg1", "First argument"), argument("arg2", "Second argument")],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt around a resource.",
    arguments: [argument("resourceUri", "Resource to embed")],
  },
  { name: "test_prompt_with_image", description: "A prompt with an image." },
];

function user(content: JsonObject): JsonObject {
  return { role: "user", content };
}

/** The result of `prompts/get`; undefined for an unknown name. */
export function renderPrompt(name: string, args: JsonObject): JsonObject | undefined {
  const text = (words: string) => user({ type: "text", text: words });
  switch (name) {
    case "test_simple_prompt":
      return { messages: [text("This is a simple prompt for testing.")] };
    case "test_prompt_with_arguments":
      return {
        messages: [text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)],
      };
    case "test_prompt_with_embedded_resource": {
      const resource = {
        uri: args.resourceUri,
        mimeType: "text/plain",
        text: "Embedded resource content for testing.",
      };
      return {
        messages: [
          user({ type: "resource", resource }),
          text("Please process the embedded resource above."),
        ],
      };
    }
    case "test_prompt_with_image":
      return {
        messages: [
          user({ type: "image", data: PNG, mimeType: "image/png" }),
          text("Please analyze the image above."),
        ],
      };
    default:
      return undefined;
  }
}

export const RESOURCES: readonly JsonObject[] = [
  {
    uri: "test://static-text",
    name: "Static text",
    description: "A text that stays as it is.",
    mimeType: "text/plain",
  },
  {
    uri: "test://static-binary",
    name: "Static image",
    description: "An image that stays as it is.",
    mimeType: "image/png",
  },
  {
    uri: "test://watched-resource",
    name: "Watched",
    description: "A resource to subscribe to.",
    mimeType: "text/plain",
  },
];

export const RESOURCE_TEMPLATES: readonly JsonObject[] = [
  {
    uriTemplate: "test://template/{id}/data",
    name: "Data by id",
    description: "The data of an id.",
    mimeType: "application/json",
  },
];

/** One element of the result of `resources/read`; undefined for an unknown URI. */
export function readResource(uri: string): JsonObject | undefined {
  if (uri === "test://static-text") {
    const text = "This is the content of the static text resource.";
    return { uri, mimeType: "text/plain", text };
  }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: PNG };
  if (uri === "test://watched-resource") return { uri, mimeType: "text/plain", text: "Watched." };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: "application/json", text };
}
