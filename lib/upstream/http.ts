// The Streamable HTTP wire (2025-11-25, basic/transports): every message a POST of its own, one
// GET stream for what the server sends unasked, a session that ends with DELETE.
import type { HttpUpstream } from "../config/server-entry.ts";
import type { Credential } from "../credential/credential.ts";
import { UpstreamError } from "../errors.ts";
import {
  isNotification,
  isRequest,
  isRequestId,
  type JsonRpcMessage,
  type RawResult,
  type Received,
  type RequestId,
} from "../json-rpc.ts";
import type { Log } from "../log.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import { EXCHANGE_LIMITS, type ExchangeLimits, exchange } from "./exchange.ts";
import { createUpstreamFetch, discard } from "./fetch.ts";
import { listen } from "./listen.ts";
import { parseMessages } from "./messages.ts";
import { closingError } from "./network-error.ts";
import { pause } from "./pause.ts";

export interface HttpLimits extends ExchangeLimits {
  /** Longest time for the DELETE that ends the session. */
  readonly closeMs: number;
  /** How long a cancelled request may go on before its connection is given up. */
  readonly cancelledMs: number;
}

const HTTP_LIMITS: HttpLimits = { ...EXCHANGE_LIMITS, closeMs: 2000, cancelledMs: 1000 };

export interface HttpOptions {
  readonly upstream: HttpUpstream;
  readonly server: string;
  readonly events: ConnectionEvents;
  readonly log: Log;
  readonly credential?: Credential | undefined;
  readonly limits?: Partial<HttpLimits>;
}

interface HttpSession {
  readonly id: string | undefined;
  readonly protocolVersion: string | undefined;
}

/** A new object each time: an answer to the handshake of an older one is told by identity. */
function noSession(): HttpSession {
  return { id: undefined, protocolVersion: undefined };
}

/** Connects to nothing yet: the first message does. */
export function openHttp(options: HttpOptions): Connection {
  const { upstream, server, events, log, credential } = options;
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const fetch = createUpstreamFetch({ upstream, server, credential });
  /** What gives up each message on its way, and the requests among them by id. */
  const controllers = new Set<AbortController>();
  const requests = new Map<RequestId, AbortController>();
  let session = noSession();
  let listening: AbortController | undefined;
  let closing: Promise<void> | undefined;
  let hasToldStranger = false;

  const onStranger = (): void => {
    if (!hasToldStranger) log.line("skipped something it sent that is not JSON-RPC (told once)");
    hasToldStranger = true;
  };
  const context = {
    server,
    fetch,
    hasCredential: credential !== undefined,
    limits,
    onMessage: (received: Received) => {
      if (closing === undefined) events.onMessage(received);
    },
    onRawResult: (result: RawResult) =>
      closing === undefined && events.onRawResult?.(result) === true,
    onStranger,
  };

  const startListening = (): void => {
    listening?.abort();
    listening = new AbortController();
    void listen({
      fetch,
      headers: sessionHeaders(session),
      signal: listening.signal,
      maxEventBytes: limits.messageBytes,
      now: () => performance.now(),
      pause,
      onText(text) {
        const parsed = parseMessages(text);
        if (parsed === undefined || parsed.strangers > 0) onStranger();
        for (const received of parsed?.received ?? []) context.onMessage(received);
      },
    });
  };

  const post = async (message: JsonRpcMessage, text: string): Promise<void> => {
    const used = session;
    const own = new AbortController();
    let isSessionRefused = false;
    let tail: Promise<void> | undefined;
    const key = isRequest(message) ? message.id : undefined;
    controllers.add(own);
    if (key !== undefined) requests.set(key, own);
    try {
      await exchange(context, {
        message,
        text,
        headers: sessionHeaders(used),
        isInSession: used.id !== undefined,
        signal: own.signal,
        onAccepted(response) {
          if (message.method !== "initialize" || session !== used) return;
          session = { ...used, id: response.headers.get("Mcp-Session-Id") || undefined };
        },
        onSessionRefused() {
          isSessionRefused = session === used;
        },
        onTail(ended) {
          tail = ended;
        },
      });
    } catch (error) {
      // Not a 404, so the message is not sent again; but the next one begins a new session.
      if (isSessionRefused && closing === undefined && error instanceof UpstreamError) {
        session = noSession();
        events.onEnd(error);
      }
      throw error;
    } finally {
      if (key !== undefined && requests.get(key) === own) requests.delete(key);
      void Promise.resolve(tail).then(() => controllers.delete(own));
    }
  };

  const endSession = async (): Promise<void> => {
    if (session.id === undefined) return;
    const headers = sessionHeaders(session);
    const limit = AbortSignal.timeout(limits.closeMs);
    const farewell = fetch.send({ method: "DELETE", headers, signal: limit }).then(discard);
    // The session ends by itself in time, so no answer and no refusal matters.
    await Promise.race([farewell.catch(() => undefined), pause(limits.closeMs, limit)]);
  };

  const close = (): Promise<void> => {
    closing ??= (async () => {
      listening?.abort();
      for (const controller of controllers) controller.abort();
      await endSession();
    })();
    return closing;
  };

  return {
    async send(message, text) {
      if (closing !== undefined) throw closingError(server);
      try {
        await post(message, text);
      } finally {
        // A server may refuse the stream before it knows that the handshake is done.
        const isReady = session.protocolVersion !== undefined && closing === undefined;
        if (message.method === "notifications/initialized" && isReady) startListening();
        if (isNotification(message)) giveUpCancelled(message.method, message.params?.requestId);
      }
    },
    ready(protocolVersion) {
      session = { ...session, protocolVersion };
    },
    resetSession() {
      session = noSession();
      listening?.abort();
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  function giveUpCancelled(method: string, requestId: unknown): void {
    if (method !== "notifications/cancelled" || !isRequestId(requestId)) return;
    const own = requests.get(requestId);
    // Nothing need come back for it any more; an open stream would only keep a connection.
    if (own !== undefined) void pause(limits.cancelledMs, own.signal).then(() => own.abort());
  }
}

function sessionHeaders({ id, protocolVersion }: HttpSession): Record<string, string> {
  return {
    ...(protocolVersion === undefined ? {} : { "MCP-Protocol-Version": protocolVersion }),
    ...(id === undefined ? {} : { "Mcp-Session-Id": id }),
  };
}
