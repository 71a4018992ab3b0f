// A facade without a host process, for commands: what a person gets is what a model would get.
import type { CatalogKey } from "../catalog/store.ts";
import { InterruptedError } from "../errors.ts";
import { createFacade } from "../facade/facade.ts";
import type { JsonObject, JsonRpcResponse, RequestId } from "../json-rpc.ts";
import { PROTOCOL_VERSIONS, VERSION } from "../version.ts";
import { type Edges, openEdges } from "./edges.ts";
import type { WrittenEntry } from "./entry.ts";

export interface CommandSession extends AsyncDisposable {
  readonly edges: Edges;
  /** What the catalog on disk is kept under. */
  readonly key: CatalogKey;
  /** The `initialize` params this session speaks with. */
  readonly params: JsonObject;
  /** Throws `InterruptedError`. */
  request(method: string, params: JsonObject): Promise<JsonRpcResponse>;
  /** The outcome of the work, or the signal that ends this session. */
  orInterrupted<Value>(work: Promise<Value>): Promise<Value>;
  /** The last failure of our own, for the exit code. */
  lastFailure(): unknown;
}

export async function openSession({ entry, configText }: WrittenEntry): Promise<CommandSession> {
  const answers = new Map<RequestId, (response: JsonRpcResponse) => void>();
  let lastFailure: unknown;
  const edges = openEdges({
    entry,
    configText,
    write(text) {
      const message: JsonRpcResponse = JSON.parse(text);
      if (message.id !== null && message.method === undefined) answers.get(message.id)?.(message);
    },
    writeLog: (line) => console.error(line),
    onFailure(error) {
      lastFailure = error;
    },
  });
  const facade = createFacade({ entry, version: VERSION, edges: edges.facadeEdges });
  let ids = 0;

  // Whoever waits unwinds, and so closes what it opened: nothing is left running.
  const { promise: interrupted, reject: interrupt } = Promise.withResolvers<never>();
  interrupted.catch(() => undefined);
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const handler = () => interrupt(new InterruptedError(signal));
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  const orInterrupted = <Value>(work: Promise<Value>) => Promise.race([work, interrupted]);

  function request(method: string, params: JsonObject): Promise<JsonRpcResponse> {
    const id = ++ids;
    const message = { jsonrpc: "2.0", id, method, params } as const;
    const answered = new Promise<JsonRpcResponse>((resolve) => {
      answers.set(id, resolve);
      facade.onMessage({ message, text: JSON.stringify(message) });
    });
    return orInterrupted(answered);
  }

  // The catalog belongs to the capabilities a host declared: go on with those of the last host.
  const hostCapabilities = edges.store.storedHostCapabilities() ?? {};
  const params = {
    protocolVersion: PROTOCOL_VERSIONS[0],
    capabilities: hostCapabilities,
    clientInfo: { name: "mcp-facade", version: VERSION },
  };
  await request("initialize", params);
  return {
    edges,
    key: { identity: entry.identity, hostCapabilities },
    params,
    request,
    orInterrupted,
    lastFailure: () => lastFailure,
    async [Symbol.asyncDispose]() {
      await Promise.all([facade.close(), edges.close()]);
      for (const forget of handlers) forget();
    },
  };
}
