// The legacy wire (2024-11-05, HTTP with SSE): one GET stream brings every message and, first of
// all, the address that takes ours. The stream is the connection: when it ends, all ends.
import type { HttpUpstream } from "../config/server-entry.ts";
import type { Credential } from "../credential/credential.ts";
import { FacadeError, UpstreamError } from "../errors.ts";
import {
  isRequest,
  isRequestId,
  type JsonRpcMessage,
  type Received,
  type RequestId,
} from "../json-rpc.ts";
import type { Log } from "../log.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import type { StreamEvent } from "./event-stream.ts";
import { type Authorization, createUpstreamFetch, discard } from "./fetch.ts";
import { findAnsweredId, isAnswerTo, parseMessages } from "./messages.ts";
import { closingError, outcomeUnknown } from "./network-error.ts";
import { findRawResult } from "./raw-result.ts";
import { isRpcError, readRefusal, renderRefusal, strangeAnswer, tooLarge } from "./refusal.ts";
import { bodyKind, followEvents } from "./response-body.ts";
import { saysUnauthorized } from "./unauthorized.ts";

export interface SseOptions {
  readonly upstream: HttpUpstream;
  readonly server: string;
  readonly events: ConnectionEvents;
  readonly log: Log;
  readonly credential?: Credential | undefined;
  readonly limits?: { readonly messageBytes: number };
}

/** A request whose answer the stream will bring; kept to be sent once more with another token. */
interface Asked {
  readonly message: JsonRpcMessage;
  readonly text: string;
  readonly authorization: Authorization;
  readonly answered: PromiseWithResolvers<void>;
}

const MESSAGE_BYTES = 64 * 1024 * 1024;

/** Opens the stream at once; messages wait until it has named their address. */
export function openSse(options: SseOptions): Connection {
  const { upstream, server, events, log, credential } = options;
  const messageBytes = options.limits?.messageBytes ?? MESSAGE_BYTES;
  const fetch = createUpstreamFetch({ upstream, server, credential });
  const over = new AbortController();
  const address = Promise.withResolvers<URL>();
  const asked = new Map<RequestId, Asked>();
  let ended: Error | undefined;
  let hasToldStranger = false;

  /** The first reason counts. */
  const end = (reason: Error): void => {
    if (ended !== undefined) return;
    ended = reason;
    over.abort();
    address.reject(reason);
    for (const { answered } of asked.values()) answered.reject(reason);
    asked.clear();
  };

  const deliver = (received: Received): void => {
    const { id, error } = received.message;
    const key = received.message.method === undefined && isRequestId(id) ? id : undefined;
    const request = key === undefined ? undefined : asked.get(key);
    if (key === undefined || request === undefined) {
      events.onMessage(received);
    } else if (credential !== undefined && isRpcError(error) && saysUnauthorized(error)) {
      sendAgain(request).catch(request.answered.reject);
    } else {
      asked.delete(key);
      events.onMessage(received);
      request.answered.resolve();
    }
  };

  const sendAgain = async (request: Asked): Promise<void> => {
    await fetch.renew(request.authorization);
    await post(request);
  };

  const onEvent = ({ type, data }: StreamEvent): void => {
    if (ended !== undefined) return;
    if (type === "endpoint") {
      const url = URL.parse(data.trim(), upstream.url);
      if (url !== null && url.origin === new URL(upstream.url).origin) address.resolve(url);
      else end(foreignAddress(server, url));
    } else if (type === "" || type === "message") {
      const parsed = parseMessages(data);
      const isStrange = parsed === undefined || parsed.strangers > 0;
      if (isStrange && !hasToldStranger) {
        log.line("skipped something it sent that is not JSON-RPC (told once)");
        hasToldStranger = true;
      }
      for (const received of parsed?.received ?? []) deliver(received);
    }
  };

  const readStream = async (): Promise<Error> => {
    const headers = { Accept: "text/event-stream" };
    const response = await fetch.send({ method: "GET", headers, signal: over.signal });
    if (!response.ok) return renderRefusal(server, response, undefined);
    if (bodyKind(response) !== "events") {
      await discard(response);
      return strangeAnswer(server, response);
    }
    const followed = followEvents(response, {
      maxEventBytes: messageBytes,
      onEvent,
      takesParts({ type, parts }) {
        const isMessage = ended === undefined && (type === "" || type === "message");
        const result = isMessage ? findRawResult(parts) : undefined;
        const request = result === undefined ? undefined : asked.get(result.id);
        if (result === undefined || request === undefined) return false;
        if (events.onRawResult?.(result) !== true) return false;
        asked.delete(result.id);
        request.answered.resolve();
        return true;
      },
      onOversized(event) {
        const id = findAnsweredId(event);
        const request = id === undefined ? undefined : asked.get(id);
        log.line(`dropped a message of ${event.sizeBytes} bytes`);
        request?.answered.reject(tooLarge(server, messageBytes));
      },
    });
    await followed.ended.catch(() => undefined);
    return outcomeUnknown(server, "its event stream ended");
  };
  const endByItself = (reason: Error): void => {
    if (ended !== undefined) return;
    end(reason);
    events.onEnd(asEnd(reason));
  };
  // Nobody may be waiting for the address when it turns out that there is none.
  address.promise.catch(() => undefined);
  readStream().then(endByItself, endByItself);

  const post = async ({ message, text, authorization }: Asked): Promise<void> => {
    const headers = { "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: text, signal: over.signal } as const;
    const url = await address.promise;
    const response = await fetch.send({ ...request, url }, authorization);
    if (response.ok) {
      await discard(response);
      return;
    }
    const body = await readRefusal(response);
    const error = isRpcError(body?.message.error) ? body.message.error : undefined;
    if (body === undefined || !isRequest(message) || !isAnswerTo(body, message.id)) {
      throw renderRefusal(server, response, error);
    }
    deliver(body);
  };

  const close = async (): Promise<void> => end(closingError(server));
  return {
    async send(message, text) {
      if (ended !== undefined) throw ended;
      const authorization = { token: undefined, isRenewed: false };
      const answered = Promise.withResolvers<void>();
      const request: Asked = { message, text, authorization, answered };
      const key = isRequest(message) ? message.id : undefined;
      if (key !== undefined) asked.set(key, request);
      // Awaited below, but it may be rejected while the message is still on its way.
      answered.promise.catch(() => undefined);
      try {
        await post(request);
        if (key !== undefined) await answered.promise;
      } catch (error) {
        throw ended ?? error;
      } finally {
        if (key !== undefined && asked.get(key) === request) asked.delete(key);
      }
    },
    ready() {},
    resetSession() {},
    close,
    [Symbol.asyncDispose]: close,
  };
}

function foreignAddress(server: string, url: URL | null): UpstreamError {
  const target = url === null ? "no valid address" : url.origin;
  const state = `it wants messages sent to ${target}, outside its own origin`;
  return new UpstreamError("protocol", `Cannot reach "${server}": ${state}`, {
    hint: "Set upstream.url to the server's own address",
  });
}

/** The credential's own words, as an end of the connection. */
function asEnd(reason: Error): UpstreamError {
  if (reason instanceof UpstreamError) return reason;
  const hint = reason instanceof FacadeError ? reason.hint : undefined;
  const options = hint === undefined ? { cause: reason } : { hint, cause: reason };
  return new UpstreamError("auth", reason.message, options);
}
