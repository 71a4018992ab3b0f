// One message sent by POST, and everything that can come back for it: a JSON answer, an event
// stream that is resumed where the server offers it, or a refusal. The message is sent once, and
// once more only with a renewed token.
import { UpstreamError } from "../errors.ts";
import {
  isRequest,
  type JsonRpcError,
  type JsonRpcMessage,
  type RawResult,
  type Received,
  type RequestId,
} from "../json-rpc.ts";
import type { ByteParts } from "./byte-parts.ts";
import { isResumable, resumeHeaders } from "./event-stream.ts";
import { type Authorization, discard, type UpstreamFetch } from "./fetch.ts";
import { isAnswerTo, parseMessages } from "./messages.ts";
import { closingError, outcomeUnknown } from "./network-error.ts";
import { pause } from "./pause.ts";
import { findRawResult, flattenLines } from "./raw-result.ts";
import {
  isRpcError,
  readRefusal,
  renderRefusal,
  strangeAnswer,
  tooLarge,
  withoutAnswer,
} from "./refusal.ts";
import { bodyKind, type FollowedStream, followEvents, readBody } from "./response-body.ts";
import { saysUnauthorized } from "./unauthorized.ts";

export interface ExchangeLimits {
  readonly messageBytes: number;
  /** How long an event stream may stay open after it has brought the answer. */
  readonly tailMs: number;
  /** Failed attempts in a row to take up a broken event stream. */
  readonly resumeAttempts: number;
  /** Pause before the first of them when the server names none; doubled each time. */
  readonly resumePauseMs: number;
}

export const EXCHANGE_LIMITS: ExchangeLimits = {
  messageBytes: 64 * 1024 * 1024,
  tailMs: 1000,
  resumeAttempts: 5,
  resumePauseMs: 1000,
};

export interface ExchangeContext {
  readonly server: string;
  readonly fetch: UpstreamFetch;
  readonly hasCredential: boolean;
  readonly limits: ExchangeLimits;
  onMessage(received: Received): void;
  /** True when a large result is taken as it is. */
  onRawResult(result: RawResult): boolean;
  /** Something came that is no JSON-RPC message. */
  onStranger(): void;
}

export interface Outgoing {
  readonly message: JsonRpcMessage;
  readonly text: string;
  /** Session and version, as they are when it is sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isInSession: boolean;
  readonly signal: AbortSignal;
  /** The upstream has taken the message; called before its answer is delivered. */
  onAccepted(response: Response): void;
  /** An error of status 400 says that the session is not known; the message was not carried out. */
  onSessionRefused(): void;
  /** The answer is there, but its stream goes on for a while. */
  onTail(ended: Promise<void>): void;
}

const SHORTEST_RESUME_PAUSE_MS = 100;
const LONGEST_RESUME_PAUSE_MS = 30_000;

/** Settles as `Connection.send` does. */
export async function exchange(context: ExchangeContext, outgoing: Outgoing): Promise<void> {
  const authorization: Authorization = { token: undefined, isRenewed: false };
  while ((await attempt(context, outgoing, authorization)) === "unauthorized") {
    await context.fetch.renew(authorization);
  }
}

type Outcome = "done" | "unauthorized";

async function attempt(
  context: ExchangeContext,
  outgoing: Outgoing,
  authorization: Authorization,
): Promise<Outcome> {
  const { message, text, signal } = outgoing;
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...outgoing.headers,
  };
  const request = { method: "POST", headers, body: text, signal } as const;
  const response = await context.fetch.send(request, authorization);
  if (!response.ok) return await takeRefusal(context, outgoing, response);
  outgoing.onAccepted(response);
  if (!isRequest(message)) {
    await discard(response);
    return "done";
  }
  const answer = createAnswer(context, message.id);
  switch (bodyKind(response)) {
    case "json":
      return await takeJson(context, outgoing, answer, response);
    case "events":
      return await takeEvents(context, outgoing, answer, { response, authorization });
    default:
      await discard(response);
      throw strangeAnswer(context.server, response);
  }
}

/** Tells the answer to a request from whatever else comes with it. */
interface Answer {
  state: "awaited" | "delivered" | "unauthorized";
  /** An error without id: the upstream could not even read which request it was. */
  anonymousError: JsonRpcError | undefined;
  take(text: string): void;
  /** True when these bytes are the answer and taken as they are. */
  takeParts(parts: ByteParts): boolean;
}

function createAnswer(context: ExchangeContext, id: RequestId): Answer {
  const takeOne = (received: Received): void => {
    const { error } = received.message;
    if (isAnswerTo(received, id)) {
      if (answer.state !== "awaited") return;
      const isUnauthorized = context.hasCredential && isRpcError(error) && saysUnauthorized(error);
      answer.state = isUnauthorized ? "unauthorized" : "delivered";
      if (!isUnauthorized) context.onMessage(received);
    } else if (isRpcError(error) && (received.message.id ?? null) === null) {
      // The only request of this exchange is meant, whatever could not be read of it.
      answer.anonymousError = error;
      if (answer.state === "awaited" && context.hasCredential && saysUnauthorized(error)) {
        answer.state = "unauthorized";
      }
    } else {
      context.onMessage(received);
    }
  };
  const answer: Answer = {
    state: "awaited",
    anonymousError: undefined,
    take(text) {
      const parsed = parseMessages(text);
      if (parsed === undefined || parsed.strangers > 0) context.onStranger();
      for (const received of parsed?.received ?? []) takeOne(received);
    },
    takeParts(parts) {
      const result = answer.state === "awaited" ? findRawResult(parts) : undefined;
      if (result === undefined || result.id !== id) return false;
      if (!context.onRawResult(result)) return false;
      answer.state = "delivered";
      return true;
    },
  };
  return answer;
}

async function takeJson(
  context: ExchangeContext,
  outgoing: Outgoing,
  answer: Answer,
  response: Response,
): Promise<Outcome> {
  const { server, limits } = context;
  let body: string | Uint8Array | undefined;
  try {
    body = await readBody(response, limits.messageBytes);
  } catch (error) {
    if (outgoing.signal.aborted) throw closingError(server);
    throw outcomeUnknown(server, "the connection broke in the middle of the answer", error);
  }
  if (body === undefined) throw tooLarge(server, limits.messageBytes);
  if (typeof body === "string") {
    answer.take(body);
  } else {
    flattenLines(body);
    if (!answer.takeParts([body])) answer.take(new TextDecoder().decode(body));
  }
  if (answer.state === "awaited") throw withoutAnswer(server, response, answer.anonymousError);
  return answer.state === "unauthorized" ? "unauthorized" : "done";
}

async function takeEvents(
  context: ExchangeContext,
  outgoing: Outgoing,
  answer: Answer,
  first: { readonly response: Response; readonly authorization: Authorization },
): Promise<Outcome> {
  const { server, limits } = context;
  const { signal } = outgoing;
  let { response } = first;
  let lastEventId: string | undefined;
  let barren = 0;
  for (;;) {
    const { stream } = await followUntilAnswered(context, outgoing, answer, response);
    if (answer.state === "unauthorized") return "unauthorized";
    if (answer.state === "delivered") return "done";
    if (signal.aborted) throw closingError(server);
    if (answer.anonymousError !== undefined)
      throw withoutAnswer(server, response, answer.anonymousError);
    barren = stream.lastEventId === undefined ? barren + 1 : 0;
    lastEventId = stream.lastEventId ?? lastEventId;
    if (!isResumable(lastEventId)) {
      throw outcomeUnknown(server, "its event stream ended without the answer");
    }
    const growingMs = SHORTEST_RESUME_PAUSE_MS * 2 ** Math.min(barren, 6);
    const firstPauseMs =
      stream.retryMs === undefined ? limits.resumePauseMs : Math.max(stream.retryMs, growingMs);
    response = await resume(context, outgoing, {
      lastEventId,
      firstPauseMs,
      authorization: first.authorization,
    });
  }
}

/** Reads until the answer is there, or the stream has ended or broken. */
async function followUntilAnswered(
  context: ExchangeContext,
  outgoing: Outgoing,
  answer: Answer,
  response: Response,
): Promise<FollowedStream> {
  const { limits, server } = context;
  const settled = Promise.withResolvers<void>();
  const followed = followEvents(response, {
    maxEventBytes: limits.messageBytes,
    onEvent({ type, data }) {
      if (type === "" || type === "message") answer.take(data);
      if (answer.state !== "awaited") settled.resolve();
    },
    takesParts({ type, parts }) {
      const isTaken = (type === "" || type === "message") && answer.takeParts(parts);
      if (isTaken) settled.resolve();
      return isTaken;
    },
    onOversized: () => settled.reject(tooLarge(server, limits.messageBytes)),
  });
  // A broken stream is told by the answer that did not come.
  const ended = followed.ended.catch(() => undefined);
  try {
    await Promise.race([settled.promise, ended]);
  } catch (error) {
    followed.cancel();
    throw error;
  }
  // A server should end the stream after the answer; one that does not would keep a connection.
  const timer = setTimeout(followed.cancel, answer.state === "delivered" ? limits.tailMs : 0);
  outgoing.onTail(ended.then(() => clearTimeout(timer)));
  return followed;
}

/** The stream after `lastEventId`, once the server gives it. */
async function resume(
  context: ExchangeContext,
  outgoing: Outgoing,
  from: {
    readonly lastEventId: string;
    readonly firstPauseMs: number;
    readonly authorization: Authorization;
  },
): Promise<Response> {
  const { server, fetch, limits } = context;
  const { signal } = outgoing;
  let pauseMs = from.firstPauseMs;
  let state = "";
  for (let attempts = 0; attempts < limits.resumeAttempts; attempts += 1) {
    await pause(pauseMs, signal);
    if (signal.aborted) throw closingError(server);
    pauseMs = Math.min(Math.max(2 * pauseMs, SHORTEST_RESUME_PAUSE_MS), LONGEST_RESUME_PAUSE_MS);
    const headers = { ...outgoing.headers, ...resumeHeaders(from.lastEventId) };
    try {
      const response = await fetch.send({ method: "GET", headers, signal }, from.authorization);
      if (response.status === 200 && bodyKind(response) === "events") return response;
      await discard(response);
      state = `HTTP ${response.status}`;
      if (response.status < 500) break;
    } catch (error) {
      if (signal.aborted) throw closingError(server);
      if (!(error instanceof UpstreamError)) throw error;
      state = error.kind;
      if (error.kind !== "unreachable" && error.kind !== "closed") break;
    }
  }
  const what = "its event stream ended without the answer and was not resumed";
  throw outcomeUnknown(server, `${what} (${state})`);
}

/** A status outside 200 to 299: an answer all the same when it carries a JSON-RPC error for it. */
async function takeRefusal(
  context: ExchangeContext,
  outgoing: Outgoing,
  response: Response,
): Promise<Outcome> {
  const { server, hasCredential } = context;
  const { message } = outgoing;
  const { status } = response;
  if (status === 404 && outgoing.isInSession) {
    await discard(response);
    throw new UpstreamError("session", `Cannot reach "${server}": its session is over (HTTP 404)`, {
      hint: "Try again",
    });
  }
  const body = await readRefusal(response);
  const mayBeAnswer = status !== 429 && !response.headers.has("Retry-After");
  const own = isRequest(message) && body !== undefined && isAnswerTo(body, message.id);
  const error = isRpcError(body?.message.error) ? body.message.error : undefined;
  if (body !== undefined && error !== undefined && own && mayBeAnswer) {
    const isUnauthorized = hasCredential && status !== 403 && saysUnauthorized(error);
    if (isUnauthorized) return "unauthorized";
    context.onMessage(body);
    return "done";
  }
  const isAboutSession = status === 400 && /\bsession\b/i.test(String(error?.message ?? ""));
  if (isAboutSession && outgoing.isInSession) {
    outgoing.onSessionRefused();
    throw new UpstreamError(
      "refused",
      `Cannot get an answer from "${server}": its session is over (HTTP 400)`,
      {
        hint: "Try again: a new session is opened, and nothing was carried out",
      },
    );
  }
  throw renderRefusal(server, response, error);
}
