// A session that has only begun: answers what every host asks at its start from a quick start's
// record, and hands the session over, with what was said so far, at the first message that needs
// more. Invariants: messages stay in order; what the whole facade would answer otherwise is left
// to it.
import type { QuickStart } from "../catalog/start.ts";
import {
  isObject,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type Received,
  RPC_ERROR,
} from "../json-rpc.ts";
import type { Beginning, Facade } from "./facade.ts";
import { negotiateVersion, renderInitializeResult } from "./initialize.ts";
import { renderResult, renderRpcError } from "./results.ts";

/** What a session that goes on needs of the facade. */
export type WholeFacade = Pick<Facade, "onMessage" | "onUnreadable" | "close">;

export function createFront(options: {
  readonly server: string;
  readonly version: string;
  readonly start: QuickStart;
  /** One line of JSON to the host. */
  readonly write: (text: string) => void;
  readonly now: () => number;
  /** Loads the whole facade and lets it go on from here. */
  readonly open: (beginning: Beginning | undefined) => Promise<WholeFacade>;
  /** The whole facade cannot be had, so this session is over. */
  readonly onOpenFailure: (error: unknown) => void;
}): WholeFacade {
  const { start, write } = options;
  let initialize: JsonRpcRequest | undefined;
  let viewText: string | undefined;
  let opening: Promise<WholeFacade> | undefined;
  let whole: WholeFacade | undefined;
  const queue: ((facade: WholeFacade) => void)[] = [];

  function answerInitialize(request: JsonRpcRequest): boolean {
    const { id, params } = request;
    const capabilities = isObject(params?.capabilities) ? params.capabilities : {};
    if (initialize !== undefined || JSON.stringify(capabilities) !== start.hostCapabilities) {
      return false;
    }
    initialize = request;
    const result = renderInitializeResult({
      entry: { name: options.server, metaPrefix: start.metaPrefix },
      facadeVersion: options.version,
      protocolVersion: negotiateVersion(params?.protocolVersion),
      handshake: start.handshake,
    });
    write(renderResult(id, JSON.stringify(result)));
    return true;
  }

  function answerList({ id }: JsonRpcRequest): boolean {
    if (initialize === undefined || !start.isFresh(options.now())) return false;
    viewText = start.viewText;
    write(renderResult(id, viewText));
    return true;
  }

  /** False for whatever is not ours. */
  function answer(message: JsonRpcMessage): boolean {
    const { id, method } = message;
    if (id === undefined) return method === "notifications/initialized";
    // Ids that a number cannot hold need more care than is taken here.
    if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
    const request = message as JsonRpcRequest;
    switch (method) {
      case "initialize":
        return answerInitialize(request);
      case "tools/list":
        return answerList(request);
      case "ping":
        write(renderResult(request.id, "{}"));
        return true;
      case "server/discover":
        write(renderRpcError(request.id, RPC_ERROR.methodNotFound, "Method not found"));
        return true;
      default:
        return false;
    }
  }

  async function open(): Promise<WholeFacade> {
    const beginning = initialize === undefined ? undefined : { initialize, viewText };
    whole = await options.open(beginning);
    for (const task of queue) task(whole);
    return whole;
  }

  function handOver(task: (facade: WholeFacade) => void): void {
    if (whole !== undefined) {
      task(whole);
      return;
    }
    queue.push(task);
    if (opening !== undefined) return;
    opening = open();
    opening.catch(options.onOpenFailure);
  }

  return {
    onMessage(received: Received) {
      if (opening === undefined && answer(received.message)) return;
      handOver((facade) => facade.onMessage(received));
    },
    onUnreadable: (line) => handOver((facade) => facade.onUnreadable(line)),
    async close() {
      if (opening === undefined) return;
      const opened = await opening.catch(() => undefined);
      await opened?.close();
    },
  };
}
