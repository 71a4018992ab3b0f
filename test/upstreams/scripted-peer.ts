// An MCP server that does what each request tells it to, without any SDK: `params._meta.script` is
// the list of raw lines it shall write, so that a test decides every byte that reaches the facade.
// In a line, `$ID` stands for the JSON text of the request's id and `$TOKEN` for its progress token.
// Besides lines a script may hold `await ID` (the JSON text of the id whose answer is waited for),
// `await METHOD` (a message with that method), `aside LINE` (not on the request's own stream) and
// `exit CODE`.
import { isObject, isRequest, type JsonObject, type JsonRpcMessage } from "../../lib/json-rpc.ts";
import { memberText } from "../../lib/json-text.ts";

export interface PeerSetup {
  readonly capabilities?: JsonObject;
  readonly tools?: readonly JsonObject[];
  /** More members of the `initialize` result, such as `instructions`. */
  readonly handshake?: JsonObject;
  /** Answered instead of the `initialize` result. */
  readonly initializeError?: JsonObject;
}

/** Where the lines go that are written for one request. */
export interface PeerOutput {
  write(line: string): void;
  writeAside(line: string): void;
  /** Nothing more is written for the request. */
  end(): void;
}

export interface ScriptedPeer {
  /** Takes one line of the client. */
  receive(line: string, output: PeerOutput): void;
}

interface Taken {
  readonly line: string;
  readonly message: JsonRpcMessage;
}

/** What a tool without a script answers: its arguments as JSON text, as they were received. */
function plainResult(line: string): string {
  const args = memberText(line, ["params", "arguments"]) ?? "null";
  return JSON.stringify({ content: [{ type: "text", text: args }] });
}

function scriptOf(message: JsonRpcMessage): readonly string[] | undefined {
  const meta = isObject(message.params) ? message.params._meta : undefined;
  const script = isObject(meta) ? meta.script : undefined;
  return Array.isArray(script) ? script.map(String) : undefined;
}

export function createScriptedPeer(options: {
  readonly setup: PeerSetup;
  readonly onLine: (line: string) => void;
  readonly exit: (code: number) => void;
}): ScriptedPeer {
  const { setup, onLine, exit } = options;
  const taken: Taken[] = [];
  const wakers = new Set<() => void>();

  function isAwaited(awaited: string, { line, message }: Taken): boolean {
    if (message.method !== undefined) return message.method === awaited;
    return memberText(line, ["id"]) === awaited;
  }

  async function come(awaited: string, from: number): Promise<void> {
    while (!taken.slice(from).some((one) => isAwaited(awaited, one))) {
      await new Promise<void>((resolve) => wakers.add(resolve));
    }
  }

  async function run(script: readonly string[], line: string, output: PeerOutput): Promise<void> {
    const from = taken.length;
    const id = memberText(line, ["id"]) ?? "null";
    const token = memberText(line, ["params", "_meta", "progressToken"]) ?? "null";
    for (const step of script) {
      const filled = step.replaceAll("$ID", () => id).replaceAll("$TOKEN", () => token);
      const [command = "", rest = ""] = /^(await|aside|exit) (.*)$/s.exec(filled)?.slice(1) ?? [];
      if (command === "await") await come(rest, from);
      else if (command === "aside") output.writeAside(rest);
      else if (command === "exit") exit(Number(rest));
      else output.write(filled);
    }
    output.end();
  }

  function initializeOutcome(params: JsonObject | undefined): JsonObject {
    if (setup.initializeError !== undefined) return { error: setup.initializeError };
    const result = {
      protocolVersion: params?.protocolVersion,
      capabilities: setup.capabilities ?? { tools: {} },
      serverInfo: { name: "scripted", version: "1.0.0" },
      ...setup.handshake,
    };
    return { result };
  }

  return {
    receive(line, output) {
      const message: JsonRpcMessage = JSON.parse(line);
      onLine(line);
      taken.push({ line, message });
      for (const wake of wakers) wake();
      wakers.clear();
      if (!isRequest(message)) return;
      const answer = (outcome: JsonObject) => {
        output.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...outcome }));
        output.end();
      };
      const script = scriptOf(message);
      if (message.method === "initialize") answer(initializeOutcome(message.params));
      else if (message.method === "ping") answer({ result: {} });
      else if (message.method === "tools/list") answer({ result: { tools: setup.tools ?? [] } });
      else if (script !== undefined) void run(script, line, output);
      else if (message.method === "tools/call") {
        void run([`{"jsonrpc":"2.0","id":$ID,"result":${plainResult(line)}}`], line, output);
      } else answer({ result: {} });
    },
  };
}
