// A facade without a host process, for commands: what a person gets is what a model would get.
import { createFacade } from "../facade/facade.ts";
import type { JsonObject, JsonRpcResponse, RequestId } from "../json-rpc.ts";
import { VERSION } from "../version.ts";
import { openCommandEdges } from "./command-edges.ts";
import type { WrittenEntry } from "./entry.ts";

export interface CommandSession extends AsyncDisposable {
  /** Throws `InterruptedError`. */
  request(method: string, params: JsonObject): Promise<JsonRpcResponse>;
  /** The last failure of our own, for the exit code. */
  lastFailure(): unknown;
}

export async function openSession(written: WrittenEntry): Promise<CommandSession> {
  const answers = new Map<RequestId, (response: JsonRpcResponse) => void>();
  let lastFailure: unknown;
  const commandEdges = openCommandEdges({
    written,
    write(text) {
      const message: JsonRpcResponse = JSON.parse(text);
      if (message.id !== null && message.method === undefined) answers.get(message.id)?.(message);
    },
    onFailure(error) {
      lastFailure = error;
    },
  });
  const { edges, host, orInterrupted } = commandEdges;
  const { entry } = written;
  const facade = createFacade({ entry, version: VERSION, edges: edges.facadeEdges });
  let ids = 0;

  function request(method: string, params: JsonObject): Promise<JsonRpcResponse> {
    const id = ++ids;
    const message = { jsonrpc: "2.0", id, method, params } as const;
    const answered = new Promise<JsonRpcResponse>((resolve) => {
      answers.set(id, resolve);
      facade.onMessage({ message, text: JSON.stringify(message) });
    });
    return orInterrupted(answered);
  }

  await request("initialize", host.params);
  return {
    request,
    lastFailure: () => lastFailure,
    async [Symbol.asyncDispose]() {
      await facade.close();
      await commandEdges[Symbol.asyncDispose]();
    },
  };
}
