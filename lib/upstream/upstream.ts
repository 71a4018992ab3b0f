// The upstream as the facade sees it: opened at the first need, once for any number of requests,
// opened again after it ended, with a growing pause while it keeps failing.
// Invariants: a request is answered, failed or cancelled exactly once; it is sent a second time
// only after the upstream said that its session is unknown (HTTP 404), which it did not execute;
// nothing is opened after close().
import { FacadeError, renderError, UpstreamError } from "../errors.ts";
import {
  isRequestId,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Received,
  type RequestId,
} from "../json-rpc.ts";
import { replaceMember } from "../json-text.ts";
import type { Log } from "../log.ts";
import { createAsked } from "./asked.ts";
import type { AttemptLimits } from "./attempts.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import type { HostIdentity } from "./handshake.ts";
import { createInFlight, type Pending, type Schedule, type Waiter } from "./in-flight.ts";
import { createIncoming, type IncomingEvents } from "./incoming.ts";
import { createReplay } from "./replay.ts";
import { createSessions, shutdownError } from "./sessions.ts";
import { createWires } from "./wires.ts";

export interface UpstreamEvents extends IncomingEvents {
  /** The upstream ended; the host need not answer this request any more. */
  onWithdrawn(hostId: RequestId): void;
  /** A session is open; `handshake` is the upstream's whole `initialize` result. */
  onOpen(handshake: JsonObject): void;
}

export interface UpstreamLimits extends AttemptLimits {
  /** Longest wait for one call without any sign of life. */
  readonly timeoutMs: number;
  /** Longest time to open a session. */
  readonly connectTimeoutMs: number;
}

export const UPSTREAM_LIMITS = {
  reopenPausesMs: [0, 250, 500, 1000, 2000, 3000],
  hedgeAfterMs: [5000, 10_000],
} as const;

export interface Upstream {
  /** The handshake of the open session; opens one when there is none. Throws `UpstreamError`. */
  open(): Promise<JsonObject>;
  /** A request of our own. Throws `UpstreamError` or `CredentialError`. */
  ask(method: string, params: JsonObject | undefined): Promise<JsonRpcResponse>;
  /** The host's request, under the host's id. */
  relay(request: Received<JsonRpcRequest>, waiter: Waiter): void;
  /** The host gives up a request: not sent any more, or told to the upstream. */
  cancel(requestId: RequestId, notification: Received<JsonRpcNotification>): void;
  /** The host's notification. Without a session it goes nowhere, unless it `opens` one. */
  notify(notification: Received<JsonRpcNotification>, options: { readonly opens: boolean }): void;
  /** The host's or our own answer to a request of the upstream. */
  respond(response: Received<JsonRpcResponse>): void;
  /** Fails what is waiting, ends the connection in bounded time. Idempotent. */
  close(): Promise<void>;
}

export function createUpstream(options: {
  readonly server: string;
  readonly host: HostIdentity;
  readonly connect: (events: ConnectionEvents) => Promise<Connection>;
  /** Whether a second attempt beside a silent first one is harmless: HTTP yes, a process no. */
  readonly mayHedge: boolean;
  /** What is known to be amiss and may be why a session cannot be opened. */
  readonly explainFailure: () => string | undefined;
  readonly events: UpstreamEvents;
  readonly limits: UpstreamLimits;
  readonly schedule: Schedule;
  readonly now: () => number;
  readonly log: Log;
}): Upstream {
  const { server, events, limits, schedule, log } = options;
  const ownPrefix = `facade:${crypto.randomUUID().slice(0, 8)}:`;
  let ownIds = 0;
  const nextOwnId = () => `${ownPrefix}${++ownIds}`;

  const asked = createAsked(nextOwnId);
  const replay = createReplay();
  const inFlight = createInFlight({
    server,
    schedule,
    isPaused: () => asked.size > 0,
    onTimeout(pending) {
      const requestId = pending.request.message.id;
      const params = { requestId, reason: "no sign of life within the facade's time limit" };
      if (pending.connection !== undefined) {
        sendOwn(pending.connection, { jsonrpc: "2.0", method: "notifications/cancelled", params });
      }
    },
  });

  const wires = createWires({
    connect: options.connect,
    events: {
      onMessage: createIncoming({ inFlight, asked, events }),
      onRawResult: inFlight.answerRaw,
      onEnd,
    },
    log,
  });
  const sessions = createSessions({
    ...options,
    wires,
    ask: askOver,
    replay,
    onOpen: events.onOpen,
  });

  function sendOwn(connection: Connection, message: JsonRpcNotification): void {
    // Courtesy only: whether a notification arrives changes nothing for the one who sends it.
    connection.send(message, JSON.stringify(message)).catch(() => undefined);
  }

  function onEnd(connection: Connection, reason: Error): void {
    wires.close(connection);
    if (sessions.noteEnd(connection)) log.line(reason.message);
    inFlight.failAllOf(connection, reason);
    for (const id of asked.dropAllOf(connection)) events.onWithdrawn(id);
  }

  function send(pending: Pending, connection: Connection): void {
    pending.connection = connection;
    pending.session = sessions.number;
    inFlight.startTimer(pending);
    const { message, text } = pending.request;
    connection
      .send(message, text)
      .catch((error: unknown) => onSendFailure(pending, connection, error));
  }

  function onSendFailure(pending: Pending, connection: Connection, error: unknown): void {
    if (!inFlight.has(pending)) return;
    const isLostSession = error instanceof UpstreamError && error.kind === "session";
    const mayGoAgain = isLostSession && !pending.sessionReplaced && sessions.isOver(connection);
    if (!mayGoAgain) {
      inFlight.fail(pending, error instanceof Error ? error : new Error(String(error)));
      return;
    }
    pending.sessionReplaced = true;
    sessions.replace(connection, pending.session).then(
      () => {
        if (inFlight.has(pending)) send(pending, connection);
      },
      (reason: Error) => inFlight.fail(pending, reason),
    );
  }

  function askOver(
    connection: Connection,
    method: string,
    params: JsonObject | undefined,
  ): Promise<JsonRpcResponse> {
    const message: JsonRpcRequest = {
      jsonrpc: "2.0",
      id: nextOwnId(),
      method,
      ...(params === undefined ? {} : { params }),
    };
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        request: { message, text: JSON.stringify(message) },
        waiter: { onAnswer: (received) => resolve(received.message), onFailure: reject },
        timeoutMs: limits.connectTimeoutMs,
        mayPause: false,
        connection: undefined,
        session: sessions.number,
        // The handshake itself is never repeated for a lost session.
        sessionReplaced: method === "initialize" || sessions.isReplacing,
      };
      inFlight.add(pending);
      send(pending, connection);
    });
  }

  return {
    async open() {
      return (await sessions.require()).handshake;
    },
    async ask(method, params) {
      const { connection } = await sessions.require();
      const response = await askOver(connection, method, params);
      sessions.noteSuccess();
      return response;
    },
    relay(request, waiter) {
      const pending: Pending = {
        request,
        timeoutMs: limits.timeoutMs,
        mayPause: true,
        waiter: {
          onAnswer(received) {
            sessions.noteSuccess();
            if (received.message.error === undefined) replay.note(request.message);
            waiter.onAnswer(received);
          },
          onRawResult(result) {
            sessions.noteSuccess();
            replay.note(request.message);
            waiter.onRawResult?.(result);
          },
          onFailure: waiter.onFailure,
        },
        connection: undefined,
        session: sessions.number,
        sessionReplaced: false,
      };
      if (!inFlight.add(pending)) {
        const state = "a request with this id is still waiting";
        const id = JSON.stringify(request.message.id);
        waiter.onFailure(new FacadeError("duplicate-id", `Cannot relay request ${id}: ${state}`));
        return;
      }
      const ready = sessions.ready();
      if (ready !== undefined) {
        send(pending, ready.connection);
        return;
      }
      sessions.require().then(
        ({ connection }) => {
          if (inFlight.has(pending)) send(pending, connection);
        },
        (error: Error) => inFlight.fail(pending, error),
      );
    },
    cancel(requestId, notification) {
      const pending = inFlight.find(requestId);
      if (pending === undefined) return;
      inFlight.remove(pending);
      const { connection } = pending;
      if (connection === undefined) return;
      connection.send(notification.message, notification.text).catch(() => undefined);
    },
    notify({ message, text }, { opens }) {
      if (!sessions.isWanted() && !opens) return;
      const ready = sessions.ready()?.connection;
      // At once where that is possible, so that what the host says next cannot overtake it.
      const sent =
        ready?.send(message, text) ??
        sessions.require().then(({ connection }) => connection.send(message, text));
      sent.catch((error: unknown) => {
        if (opens) log.line(`The host's ${message.method} was lost: ${renderError(error)}`);
      });
    },
    respond({ message, text }) {
      if (!isRequestId(message.id)) return;
      const question = asked.take(message.id);
      if (question === undefined) return;
      const { connection, upstreamId, hostId } = question;
      const isSame = upstreamId === hostId;
      const id = JSON.stringify(upstreamId);
      connection
        .send({ ...message, id: upstreamId }, isSame ? text : replaceMember(text, ["id"], id))
        .catch((error: unknown) =>
          log.line(`An answer of the host was lost: ${renderError(error)}`),
        );
    },
    async close() {
      sessions.end();
      inFlight.failAll(shutdownError(server));
      await wires.closeAll();
    },
  };
}
