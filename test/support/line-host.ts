// A host that keeps every message it gets and answers what it is asked by a fixed table, in front
// of whatever speaks MCP: a process on stdio, or a Streamable HTTP server.
import {
  isJsonRpcMessage,
  isObject,
  isRequest,
  type JsonObject,
  type JsonRpcMessage,
} from "../../lib/json-rpc.ts";
import { until } from "./until.ts";

/** What the host answers to a question: `{ result }` or `{ error }`. */
export type AnswerQuestion = (question: JsonObject) => JsonObject;

export interface LineHost extends AsyncDisposable {
  /** Everything received, in order. */
  readonly messages: readonly JsonObject[];
  notify(method: string, params?: JsonObject): Promise<void>;
  /** The whole answer. */
  request(id: string | number, method: string, params?: JsonObject): Promise<JsonObject>;
}

interface Wire extends AsyncDisposable {
  send(message: JsonRpcMessage): Promise<void>;
  /** Told once the handshake is done. */
  ready(protocolVersion: string): void;
}

function createLineHost(
  open: (onMessage: (message: JsonObject) => void) => Wire,
  answer: AnswerQuestion,
): LineHost {
  const messages: JsonObject[] = [];
  const wire = open((message) => {
    messages.push(message);
    if (!isJsonRpcMessage(message) || !isRequest(message)) return;
    void wire.send({ jsonrpc: "2.0", id: message.id, ...answer(message) } as JsonRpcMessage);
  });
  return {
    messages,
    notify: (method, params) =>
      wire.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) }),
    async request(id, method, params) {
      await wire.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
      const reply = await until(
        () => messages.find((message) => message.method === undefined && message.id === id),
        () => `answer to ${method}; received: ${JSON.stringify(messages.slice(-5))}`,
        20_000,
      );
      if (method === "initialize" && isObject(reply.result)) {
        wire.ready(String(reply.result.protocolVersion));
      }
      return reply;
    },
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  };
}

/** Speaks to a process on its stdin and stdout. */
export function startStdioHost(options: {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly answer: AnswerQuestion;
}): LineHost {
  const { cwd, env, answer } = options;
  return createLineHost((onMessage) => {
    const child = Bun.spawn([...options.command], {
      cwd,
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    const read = (async () => {
      let rest = "";
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) onMessage(JSON.parse(line));
      }
    })();
    return {
      async send(message) {
        child.stdin.write(`${JSON.stringify(message)}\n`);
        child.stdin.flush();
      },
      ready() {},
      async [Symbol.asyncDispose]() {
        // The end of stdin alone does not end every reference server.
        child.kill("SIGTERM");
        await read;
        await child.exited;
      },
    };
  }, answer);
}

/** Speaks to a Streamable HTTP server by plain requests; a stream that ends is not taken up again. */
export function startHttpHost(options: {
  readonly url: string;
  readonly answer: AnswerQuestion;
}): LineHost {
  return createLineHost((onMessage) => {
    const ended = new AbortController();
    const headers: Record<string, string> = {
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
    };
    const fetchOver = (init: BunFetchRequestInit) =>
      fetch(options.url, { ...init, headers, signal: ended.signal });

    async function read(response: Response): Promise<void> {
      let rest = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const data = /^data:\s*(\S.*)$/.exec(line)?.[1];
          if (data !== undefined) onMessage(JSON.parse(data));
        }
      }
    }

    function readAside(response: Response): void {
      read(response).catch((error: unknown) => {
        if (!ended.signal.aborted) throw error;
      });
    }

    return {
      async send(message) {
        const response = await fetchOver({ method: "POST", body: JSON.stringify(message) });
        const session = response.headers.get("Mcp-Session-Id");
        if (session !== null) headers["Mcp-Session-Id"] = session;
        readAside(response);
        if (message.method === "notifications/initialized") {
          readAside(await fetchOver({ method: "GET" }));
        }
      },
      ready(version) {
        headers["MCP-Protocol-Version"] = version;
      },
      async [Symbol.asyncDispose]() {
        await fetchOver({ method: "DELETE" });
        ended.abort();
      },
    };
  }, options.answer);
}
