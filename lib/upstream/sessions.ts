// The session with the upstream: opened once for everybody who needs it, opened again after it
// ended, replaced on the same wire when the upstream has forgotten it (HTTP 404).
// Invariants: one opening or replacing at a time; no failure sticks; nothing is opened after end().
import { UpstreamError } from "../errors.ts";
import type { JsonObject, JsonRpcResponse } from "../json-rpc.ts";
import type { Log } from "../log.ts";
import { type AttemptLimits, createAttempts } from "./attempts.ts";
import type { Connection } from "./connection.ts";
import { type HostIdentity, initializeParams, requireHandshake } from "./handshake.ts";
import type { Schedule } from "./in-flight.ts";
import type { Replay } from "./replay.ts";
import type { Wires } from "./wires.ts";

export interface Session {
  readonly connection: Connection;
  /** The upstream's whole `initialize` result. */
  readonly handshake: JsonObject;
}

export interface Sessions {
  /** The open session, if a request can be sent over it at once. */
  ready(): Session | undefined;
  /** Whether there is one, or will be without any new need. */
  isWanted(): boolean;
  /** Opens one when there is none. Throws `UpstreamError` or `CredentialError`. */
  require(): Promise<Session>;
  /** Grows with every session; a request that met an older one just goes again. */
  readonly number: number;
  /** Whether a new session is being opened on the wire of a lost one. */
  readonly isReplacing: boolean;
  isOver(connection: Connection): boolean;
  /** A new session over the same wire, once for all requests that met the lost one. */
  replace(connection: Connection, lost: number): Promise<void>;
  /** The wire has ended by itself; true when the session went with it. */
  noteEnd(connection: Connection): boolean;
  /** An answer came: the upstream does not keep failing. */
  noteSuccess(): void;
  /** Nothing is opened any more. */
  end(): void;
}

const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" } as const;

export function createSessions(options: {
  readonly server: string;
  readonly host: HostIdentity;
  readonly wires: Wires;
  /** A request of our own over a wire. */
  readonly ask: (
    connection: Connection,
    method: string,
    params: JsonObject,
  ) => Promise<JsonRpcResponse>;
  readonly replay: Replay;
  readonly mayHedge: boolean;
  readonly explainFailure: () => string | undefined;
  readonly onOpen: (handshake: JsonObject) => void;
  readonly limits: AttemptLimits;
  readonly schedule: Schedule;
  readonly now: () => number;
  readonly log: Log;
}): Sessions {
  const { server, host, wires, ask, log } = options;
  let session: Session | undefined;
  let opening: Promise<Session> | undefined;
  let replacing: Promise<void> | undefined;
  let number = 0;
  let hasEnded = false;
  const attempts = createAttempts<Session>({
    attempt,
    discard: (late) => wires.close(late.connection),
    mayHedge: options.mayHedge,
    limits: options.limits,
    schedule: options.schedule,
    now: options.now,
  });

  async function shakeHands(connection: Connection): Promise<JsonObject> {
    const response = await ask(connection, "initialize", initializeParams(host));
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
    for (const { method, params } of options.replay.requests()) {
      const response = await ask(connection, method, params);
      if (response.error !== undefined)
        log.line(`Repeating ${method} failed: ${response.error.message}`);
    }
  }

  async function attempt(): Promise<Session> {
    const connection = await wires.open();
    try {
      if (hasEnded) throw shutdownError(server);
      return { connection, handshake: await shakeHands(connection) };
    } catch (error) {
      wires.close(connection);
      throw error;
    }
  }

  async function open(): Promise<Session> {
    try {
      const opened = await attempts.run();
      if (hasEnded) throw shutdownError(server);
      number += 1;
      session = opened;
      wires.closeOthers(opened.connection);
      await repeatSetup(opened.connection);
      if (hasEnded) throw shutdownError(server);
      if (session !== opened) {
        throw new UpstreamError("closed", `Cannot reach "${server}": it ended at once`);
      }
      options.onOpen(opened.handshake);
      return opened;
    } catch (error) {
      attempts.noteFailure();
      const known = options.explainFailure();
      if (known === undefined || !(error instanceof UpstreamError)) throw error;
      throw new UpstreamError(error.kind, error.message, { hint: known, cause: error });
    }
  }

  function require(): Promise<Session> {
    if (hasEnded) return Promise.reject(shutdownError(server));
    if (replacing !== undefined) return replacing.then(require, require);
    if (session !== undefined && opening === undefined) return Promise.resolve(session);
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function replaceOn(connection: Connection): Promise<void> {
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
    number += 1;
    session = { connection, handshake };
    await repeatSetup(connection);
    log.line("The session was lost; a new one is open");
  }

  return {
    ready() {
      const isBusy = opening !== undefined || replacing !== undefined || hasEnded;
      return isBusy ? undefined : session;
    },
    isWanted: () => session !== undefined || opening !== undefined,
    require,
    get number() {
      return number;
    },
    get isReplacing() {
      return replacing !== undefined;
    },
    isOver: (connection) => session?.connection === connection,
    replace(connection, lost) {
      // First: the number changes only when the new session is open.
      if (replacing !== undefined) return replacing;
      if (lost !== number) return Promise.resolve();
      replacing = replaceOn(connection).finally(() => {
        replacing = undefined;
      });
      return replacing;
    },
    noteEnd(connection) {
      if (session?.connection !== connection) return false;
      session = undefined;
      attempts.noteFailure();
      return true;
    },
    noteSuccess: attempts.noteSuccess,
    end() {
      hasEnded = true;
      session = undefined;
    },
  };
}

/** Why nothing can be had any more. */
export function shutdownError(server: string): UpstreamError {
  return new UpstreamError("shutdown", `Cannot reach "${server}": the facade is shutting down`);
}
