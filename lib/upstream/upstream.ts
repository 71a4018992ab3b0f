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
import { type AttemptLimits, createAttempts } from "./attempts.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import { type HostIdentity, initializeParams, requireHandshake } from "./handshake.ts";
import { createInFlight, type Pending, type Schedule, type Waiter } from "./in-flight.ts";
import { createIncoming, type IncomingEvents } from "./incoming.ts";
import { createReplay } from "./replay.ts";
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

export interface Upstream extends AsyncDisposable {
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

interface Session {
  readonly connection: Connection;
  readonly handshake: JsonObject;
}

const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" } as const;

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
  const { server, host, events, limits, schedule, log } = options;
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

  let session: Session | undefined;
  let opening: Promise<Session> | undefined;
  /** Number of the HTTP session in `session`; a request that met an older one just goes again. */
  let sessionNumber = 0;
  let replacing: Promise<void> | undefined;
  let isClosed = false;
  const wires = createWires({
    connect: options.connect,
    events: {
      onMessage: createIncoming({ inFlight, asked, events }),
      onRawResult: inFlight.answerRaw,
      onEnd,
    },
    log,
  });
  const attempts = createAttempts<Session>({
    attempt,
    discard: (late) => wires.close(late.connection),
    mayHedge: options.mayHedge,
    limits,
    schedule,
    now: options.now,
  });

  const closedError = () =>
    new UpstreamError("shutdown", `Cannot reach "${server}": the facade is shutting down`);

  function sendOwn(connection: Connection, message: JsonRpcNotification): void {
    // Courtesy only: whether a notification arrives changes nothing for the one who sends it.
    connection.send(message, JSON.stringify(message)).catch(() => undefined);
  }

  function onEnd(connection: Connection, reason: Error): void {
    wires.close(connection);
    if (session?.connection === connection) {
      session = undefined;
      attempts.noteFailure();
      log.line(reason.message);
    }
    inFlight.failAllOf(connection, reason);
    for (const id of asked.dropAllOf(connection)) events.onWithdrawn(id);
  }

  function send(pending: Pending, connection: Connection): void {
    pending.connection = connection;
    pending.session = sessionNumber;
    inFlight.startTimer(pending);
    const { message, text } = pending.request;
    connection
      .send(message, text)
      .catch((error: unknown) => onSendFailure(pending, connection, error));
  }

  function onSendFailure(pending: Pending, connection: Connection, error: unknown): void {
    if (!inFlight.has(pending)) return;
    const isLostSession = error instanceof UpstreamError && error.kind === "session";
    const mayGoAgain =
      isLostSession && !pending.sessionReplaced && session?.connection === connection;
    if (!mayGoAgain) {
      inFlight.fail(pending, error instanceof Error ? error : new Error(String(error)));
      return;
    }
    pending.sessionReplaced = true;
    replaceSession(connection, pending.session).then(
      () => {
        if (inFlight.has(pending)) send(pending, connection);
      },
      (reason: Error) => inFlight.fail(pending, reason),
    );
  }

  /** A new session over the same wire, once for all requests that met the lost one. */
  function replaceSession(connection: Connection, lost: number): Promise<void> {
    // First: the number changes only when the new session is open.
    if (replacing !== undefined) return replacing;
    if (lost !== sessionNumber) return Promise.resolve();
    replacing = (async () => {
      connection.resetSession();
      let handshake: JsonObject;
      try {
        handshake = await shakeHands(connection);
      } catch (error) {
        // The wire has no session any more: the next need opens another one.
        if (session?.connection === connection) session = undefined;
        wires.close(connection);
        attempts.noteFailure();
        throw error;
      }
      sessionNumber += 1;
      session = { connection, handshake };
      await repeatSetup(connection);
      log.line("The session was lost; a new one is open");
    })().finally(() => {
      replacing = undefined;
    });
    return replacing;
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
        session: sessionNumber,
        // The handshake itself is never repeated for a lost session.
        sessionReplaced: method === "initialize" || replacing !== undefined,
      };
      inFlight.add(pending);
      send(pending, connection);
    });
  }

  async function shakeHands(connection: Connection): Promise<JsonObject> {
    const response = await askOver(connection, "initialize", initializeParams(host));
    const handshake = requireHandshake(server, response);
    connection.ready(String(handshake.protocolVersion));
    try {
      await connection.send(INITIALIZED, JSON.stringify(INITIALIZED));
    } catch (error) {
      // Some servers answer a notification with an error status; the session is open all the same.
      const isHarmless =
        error instanceof UpstreamError && ["refused", "protocol"].includes(error.kind);
      if (!isHarmless) throw error;
    }
    return handshake;
  }

  async function repeatSetup(connection: Connection): Promise<void> {
    for (const { method, params } of replay.requests()) {
      const response = await askOver(connection, method, params);
      if (response.error !== undefined)
        log.line(`Repeating ${method} failed: ${response.error.message}`);
    }
  }

  async function attempt(): Promise<Session> {
    const connection = await wires.open();
    try {
      if (isClosed) throw closedError();
      return { connection, handshake: await shakeHands(connection) };
    } catch (error) {
      wires.close(connection);
      throw error;
    }
  }

  async function openSession(): Promise<Session> {
    try {
      const opened = await attempts.run();
      if (isClosed) throw closedError();
      sessionNumber += 1;
      session = opened;
      wires.closeOthers(opened.connection);
      await repeatSetup(opened.connection);
      if (isClosed) throw closedError();
      if (session !== opened) {
        throw new UpstreamError("closed", `Cannot reach "${server}": it ended at once`);
      }
      events.onOpen(opened.handshake);
      return opened;
    } catch (error) {
      attempts.noteFailure();
      const known = options.explainFailure();
      if (known === undefined || !(error instanceof UpstreamError)) throw error;
      throw new UpstreamError(error.kind, error.message, { hint: known, cause: error });
    }
  }

  function requireSession(): Promise<Session> {
    if (isClosed) return Promise.reject(closedError());
    if (replacing !== undefined) return replacing.then(requireSession, requireSession);
    if (session !== undefined && opening === undefined) return Promise.resolve(session);
    opening ??= openSession().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  return {
    async open() {
      return (await requireSession()).handshake;
    },
    async ask(method, params) {
      const { connection } = await requireSession();
      const response = await askOver(connection, method, params);
      attempts.noteSuccess();
      return response;
    },
    relay(request, waiter) {
      const pending: Pending = {
        request,
        timeoutMs: limits.timeoutMs,
        mayPause: true,
        waiter: {
          onAnswer(received) {
            attempts.noteSuccess();
            if (received.message.error === undefined) replay.note(request.message);
            waiter.onAnswer(received);
          },
          onRawResult(result) {
            attempts.noteSuccess();
            replay.note(request.message);
            waiter.onRawResult?.(result);
          },
          onFailure: waiter.onFailure,
        },
        connection: undefined,
        session: sessionNumber,
        sessionReplaced: false,
      };
      if (!inFlight.add(pending)) {
        const state = "a request with this id is still waiting";
        const id = JSON.stringify(request.message.id);
        waiter.onFailure(new FacadeError("duplicate-id", `Cannot relay request ${id}: ${state}`));
        return;
      }
      if (session !== undefined && opening === undefined && replacing === undefined && !isClosed) {
        send(pending, session.connection);
        return;
      }
      requireSession().then(
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
      const ready = session?.connection;
      if (ready === undefined && opening === undefined && !opens) return;
      // At once where that is possible, so that what the host says next cannot overtake it.
      const sent =
        ready?.send(message, text) ??
        requireSession().then(({ connection }) => connection.send(message, text));
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
      isClosed = true;
      session = undefined;
      inFlight.failAll(closedError());
      await wires.closeAll();
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}
