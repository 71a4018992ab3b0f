// An MCP server on stdio with the tools, prompts and resources that the conformance suite asks for.
// Raw JSON-RPC without any SDK: what a scenario sees is what is written here.
import { isObject, isRequest, type JsonObject, type RequestId } from "../../lib/json-rpc.ts";
import { PROMPTS, RESOURCE_TEMPLATES, RESOURCES, readResource, renderPrompt } from "./offers.ts";
import { findTool, TOOL_DEFINITIONS, type ToolContext } from "./tools.ts";

/** A refusal with a JSON-RPC code. */
class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
};

const waiting = new Map<RequestId, (answer: JsonObject) => void>();
let questions = 0;

function send(message: JsonObject): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function ask(method: string, params: JsonObject): Promise<JsonObject> {
  const id = questions;
  questions += 1;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
}

async function callTool(params: JsonObject): Promise<JsonObject> {
  const tool = findTool(String(params.name));
  if (tool === undefined) throw new Refusal(-32602, `Unknown tool: ${params.name}`);
  const meta = isObject(params._meta) ? params._meta : {};
  const context: ToolContext = {
    ask,
    notify: (method, notified) => send({ method, params: notified }),
    progressToken: meta.progressToken,
  };
  return tool(isObject(params.arguments) ? params.arguments : {}, context);
}

async function resultOf(method: string, params: JsonObject): Promise<JsonObject> {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: CAPABILITIES,
        serverInfo: { name: "conformance-fixture", version: "1.0.0" },
      };
    case "ping":
    case "logging/setLevel":
    case "resources/subscribe":
    case "resources/unsubscribe":
      return {};
    case "completion/complete":
      return { completion: { values: ["test", "testing"], total: 2, hasMore: false } };
    case "tools/list":
      return { tools: TOOL_DEFINITIONS };
    case "tools/call":
      return callTool(params);
    case "prompts/list":
      return { prompts: PROMPTS };
    case "prompts/get": {
      const prompt = renderPrompt(
        String(params.name),
        isObject(params.arguments) ? params.arguments : {},
      );
      if (prompt === undefined) throw new Refusal(-32602, `Unknown prompt: ${params.name}`);
      return prompt;
    }
    case "resources/list":
      return { resources: RESOURCES };
    case "resources/templates/list":
      return { resourceTemplates: RESOURCE_TEMPLATES };
    case "resources/read": {
      const contents = readResource(String(params.uri));
      if (contents === undefined) throw new Refusal(-32002, `Resource not found: ${params.uri}`);
      return { contents: [contents] };
    }
    default:
      throw new Refusal(-32601, "Method not found");
  }
}

async function take(message: JsonObject): Promise<void> {
  if (message.method === undefined) {
    waiting.get(message.id as RequestId)?.(message);
    return;
  }
  if (!isRequest(message as { jsonrpc: "2.0"; method: string })) return;
  const params = isObject(message.params) ? message.params : {};
  try {
    send({ id: message.id, result: await resultOf(String(message.method), params) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send({ id: message.id, error: { code: error.code, message: error.message } });
  }
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) void take(JSON.parse(line));
});
process.stdin.on("end", () => process.exit(0));
