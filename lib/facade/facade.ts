// One session between one host and one upstream: for each message answer, meta-tool or relay.
// Invariants: nothing is started before the host's initialize; a request is answered once; a
// message that is not ours to change leaves as it came.
import type { CatalogSource, NoteTelling } from "../catalog/refresh.ts";
import type { ServerEntry } from "../config/server-entry.ts";
import { FacadeError, renderError } from "../errors.ts";
import {
  isNotification,
  isObject,
  isRequest,
  isRequestId,
  isResponse,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RawResult,
  type Received,
  type RequestId,
  RPC_ERROR,
} from "../json-rpc.ts";
import type { Log } from "../log.ts";
import type { HostIdentity } from "../upstream/handshake.ts";
import type { Upstream, UpstreamEvents } from "../upstream/upstream.ts";
import {
  emptyListResult,
  missingHostCapability,
  missingUpstreamCapability,
} from "./capabilities.ts";
import { negotiateVersion, renderInitializeResult } from "./initialize.ts";
import { renderFailure, renderResult, renderRpcError, renderTextResult } from "./results.ts";
import type { ToolCaller } from "./tools-call.ts";

/** What the host was told before the whole facade was there. */
export interface Beginning {
  readonly initialize: JsonRpcRequest;
  /** The `tools/list` result it has seen, if it has asked. */
  readonly viewText: string | undefined;
}

export interface Facade {
  /** Goes on with a session that has begun already; the host is not answered again. */
  resume(beginning: Beginning): void;
  onMessage(received: Received): void;
  onUnreadable(line: { readonly isJson: boolean; readonly id: RequestId | null }): void;
  /** Ends the upstream, in bounded time. Idempotent. */
  close(): Promise<void>;
}

/** The rooms at the edge, handed in. */
export interface FacadeEdges {
  /** One line of JSON to the host. */
  readonly write: (text: string) => void;
  /** The same for a large result as it came. */
  readonly writeRaw: (result: RawResult) => void;
  /** Made at the first need; nothing is opened by this alone. */
  readonly createUpstream: (host: HostIdentity, events: UpstreamEvents) => Promise<Upstream>;
  /** Made at the host's initialize, since a catalog belongs to the capabilities the host declares. */
  readonly createSource: (options: {
    readonly hostCapabilities: JsonObject;
    readonly upstream: () => Promise<Upstream>;
    readonly onRefreshed: () => void;
    /** The host was given the catalog's list already, and people its notes. */
    readonly tellsNotes: NoteTelling;
  }) => CatalogSource;
  readonly log: Log;
  /** A request failed by our own doing or for want of the upstream; the host is told as well. */
  readonly onFailure: (error: unknown) => void;
}

interface Session {
  readonly host: HostIdentity;
  readonly source: CatalogSource;
}

/** Notifications that mean nothing to an upstream which is not there yet: it has seen nothing else. */
const NEWS_OF_HOST: readonly string[] = [
  "notifications/cancelled",
  "notifications/roots/list_changed",
  "notifications/progress",
  "notifications/tasks/status",
];

/** How many unreadable lines of the host are told on stderr; each is answered. */
const UNREADABLE_TOLD = 5;

export function createFacade(options: {
  readonly entry: ServerEntry;
  readonly version: string;
  readonly edges: FacadeEdges;
}): Facade {
  const { entry, version, edges } = options;
  const { log, write } = edges;
  let session: Session | undefined;
  let upstream: Promise<Upstream> | undefined;
  /** Set when `upstream` has resolved, for notifications that must not wait or start anything. */
  let madeUpstream: Upstream | undefined;
  let handshake: JsonObject | undefined;
  let caller: Promise<ToolCaller> | undefined;
  /** The list the host has seen last; list_changed is sent only when it would see another one. */
  let servedView: string | undefined;
  let isClosed = false;
  let unreadable = 0;
  /** Requests that still wait in here, and may be dropped here. */
  const waiting = new Map<RequestId, { isCancelled: boolean }>();

  function requireUpstream(): Promise<Upstream> {
    if (session === undefined) throw new Error("no upstream before initialize");
    const { host } = session;
    upstream ??= edges.createUpstream(host, upstreamEvents).then(
      (made) => {
        madeUpstream = made;
        return made;
      },
      (error: unknown) => {
        upstream = undefined;
        throw error;
      },
    );
    return upstream;
  }

  const upstreamEvents: UpstreamEvents = {
    onRequest(received) {
      const { id, method } = received.message;
      const missing = missingHostCapability(method, session?.host.params.capabilities);
      if (missing === undefined) {
        write(received.text);
        return;
      }
      const message = `Method not found: the host does not declare ${missing}`;
      const error = { code: RPC_ERROR.methodNotFound, message };
      const response = { jsonrpc: "2.0", id, error } as const;
      madeUpstream?.respond({ message: response, text: JSON.stringify(response) });
    },
    onNotification(received) {
      if (received.message.method === "notifications/tools/list_changed")
        session?.source.noteListChanged();
      else write(received.text);
    },
    onWithdrawn(requestId) {
      const params = { requestId, reason: "the upstream's connection ended" };
      write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
    },
    onOpen(opened) {
      handshake = opened;
      session?.source.noteHandshake(opened);
    },
  };

  function onRefreshed(): void {
    const view = session?.source.current()?.view.text;
    if (servedView === undefined || view === undefined || view === servedView) return;
    servedView = view;
    write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
  }

  function openSession(host: HostIdentity, tellsNotes: NoteTelling): Session {
    const { capabilities } = host.params;
    const hostCapabilities = isObject(capabilities) ? capabilities : {};
    const source = edges.createSource({
      hostCapabilities,
      upstream: requireUpstream,
      onRefreshed,
      tellsNotes,
    });
    return { host, source };
  }

  function hostOf({ params }: JsonRpcRequest): HostIdentity {
    return { protocolVersion: negotiateVersion(params?.protocolVersion), params: params ?? {} };
  }

  function initialize(request: JsonRpcRequest): void {
    const { id } = request;
    const host = hostOf(request);
    session ??= openSession(host, "always");
    const result = renderInitializeResult({
      entry,
      facadeVersion: version,
      protocolVersion: host.protocolVersion,
      handshake: session.source.handshake(),
    });
    write(renderResult(id, JSON.stringify(result)));
  }

  function listTools(id: RequestId, source: CatalogSource): void {
    const serve = (viewText: string) => {
      servedView = viewText;
      write(renderResult(id, viewText));
    };
    const fresh = source.fresh();
    if (fresh !== undefined) {
      serve(fresh.view.text);
      return;
    }
    const entryInWaiting = wait(id);
    const obtained = source.obtain().then(async (catalog) => {
      if (catalog !== undefined) return catalog.view.text;
      const bare = await renderBareView();
      // A catalog that came meanwhile would be told of to nobody.
      return source.current()?.view.text ?? bare;
    });
    obtained.then(
      (viewText) => stopWaiting(id, entryInWaiting) && serve(viewText),
      (error: unknown) => stopWaiting(id, entryInWaiting) && write(renderFailure(id, error)),
    );
  }

  /** The meta-tools alone, while no catalog can be had. */
  async function renderBareView(): Promise<string> {
    const { metaToolDefinitions } = await import("./meta-tools.ts");
    return JSON.stringify({ tools: metaToolDefinitions(entry.metaPrefix, "") });
  }

  function wait(id: RequestId): { isCancelled: boolean } {
    const one = { isCancelled: false };
    waiting.set(id, one);
    return one;
  }

  /** False when the host gave the request up meanwhile. */
  function stopWaiting(id: RequestId, one: { isCancelled: boolean }): boolean {
    if (waiting.get(id) === one) waiting.delete(id);
    return !one.isCancelled && !isClosed;
  }

  function failCall(id: RequestId, error: unknown): void {
    edges.onFailure(error);
    // A protocol mistake of the host is not for the model.
    const isOfHost = error instanceof FacadeError && error.code === "duplicate-id";
    const text = isOfHost
      ? renderFailure(id, error)
      : renderTextResult(id, renderError(error), { isError: true });
    write(text);
  }

  function callTool(received: Received<JsonRpcRequest>, source: CatalogSource): void {
    const { id } = received.message;
    const one = wait(id);
    caller ??= import("./tools-call.ts").then(
      ({ createToolCaller }) => createToolCaller({ entry, source, upstream: requireUpstream }),
      (error: unknown) => {
        caller = undefined;
        throw error;
      },
    );
    const calling = caller.then((ready) =>
      ready.run({
        received,
        isCancelled: () => one.isCancelled,
        answer(text) {
          if (stopWaiting(id, one)) write(text);
        },
        fail(error) {
          if (stopWaiting(id, one)) failCall(id, error);
        },
        relay(target, request, onAnswer) {
          if (!stopWaiting(id, one)) return;
          target.relay(request, {
            onAnswer,
            onRawResult: edges.writeRaw,
            onFailure: (error) => failCall(id, error),
          });
        },
      }),
    );
    calling.catch((error: unknown) => stopWaiting(id, one) && failCall(id, error));
  }

  function relay(received: Received<JsonRpcRequest>): void {
    const { id, method } = received.message;
    const known = handshake ?? session?.source.handshake();
    const missing = missingUpstreamCapability(method, known);
    if (missing !== undefined) {
      const empty = emptyListResult(method);
      const message = `Method not found: "${entry.name}" does not declare ${missing}`;
      write(
        empty === undefined
          ? renderRpcError(id, RPC_ERROR.methodNotFound, message)
          : renderResult(id, empty),
      );
      return;
    }
    const relayTo = (target: Upstream) =>
      target.relay(received, {
        onAnswer: (answer) => write(answer.text),
        onRawResult: edges.writeRaw,
        onFailure: (error) => write(renderFailure(id, error)),
      });
    if (madeUpstream !== undefined) {
      relayTo(madeUpstream);
      return;
    }
    const one = wait(id);
    requireUpstream().then(
      (target) => stopWaiting(id, one) && relayTo(target),
      (error: unknown) => stopWaiting(id, one) && write(renderFailure(id, error)),
    );
  }

  function onRequest(received: Received<JsonRpcRequest>): void {
    const { id, method } = received.message;
    const refuse = (code: number, message: string) => write(renderRpcError(id, code, message));
    if (method === "initialize") {
      initialize(received.message);
    } else if (method === "ping") {
      write(renderResult(id, "{}"));
    } else if (method === "server/discover") {
      // A probe of the 2026-07-28 era: this error tells the host to go on with initialize.
      refuse(RPC_ERROR.methodNotFound, "Method not found");
    } else if (session === undefined) {
      const state = "the session is not open; send initialize first";
      refuse(RPC_ERROR.invalidRequest, `Cannot serve "${method}": ${state}`);
    } else if (waiting.has(id)) {
      const state = "a request with this id is still waiting";
      refuse(RPC_ERROR.invalidRequest, `Cannot serve request ${JSON.stringify(id)}: ${state}`);
    } else if (method === "tools/list") {
      listTools(id, session.source);
    } else if (method === "tools/call") {
      callTool(received, session.source);
    } else {
      relay(received);
    }
  }

  function onNotification(received: Received<JsonRpcNotification>): void {
    const { method, params } = received.message;
    if (method === "notifications/initialized") return;
    if (method === "notifications/cancelled" && isRequestId(params?.requestId)) {
      const one = waiting.get(params.requestId);
      if (one === undefined) madeUpstream?.cancel(params.requestId, received);
      else {
        one.isCancelled = true;
        waiting.delete(params.requestId);
      }
      return;
    }
    if (session === undefined) return;
    // What nobody here knows is for the upstream to judge, as an unknown request is.
    const opens = !NEWS_OF_HOST.includes(method);
    if (madeUpstream !== undefined) madeUpstream.notify(received, { opens });
    else if (opens || upstream !== undefined) {
      void requireUpstream().then((target) => target.notify(received, { opens }));
    }
  }

  return {
    resume({ initialize: request, viewText }) {
      session = openSession(hostOf(request), "fetched");
      servedView = viewText;
      onRefreshed();
    },
    onMessage({ message, text }) {
      if (isClosed) return;
      if (isResponse(message)) madeUpstream?.respond({ message: message as JsonRpcResponse, text });
      else if (isRequest(message)) onRequest({ message, text });
      else if (isNotification(message)) onNotification({ message, text });
    },
    onUnreadable({ isJson, id }) {
      const code = isJson ? RPC_ERROR.invalidRequest : RPC_ERROR.parse;
      const state = isJson
        ? "found JSON that is no JSON-RPC 2.0 message"
        : "found a line that is not JSON";
      // A host that writes nothing else would fill the log with it.
      unreadable += 1;
      if (unreadable <= UNREADABLE_TOLD) log.line(`Cannot read the host's message: ${state}`);
      write(renderRpcError(id, code, `Cannot read the message: ${state}`));
    },
    async close() {
      isClosed = true;
      await (await upstream)?.close();
    },
  };
}
