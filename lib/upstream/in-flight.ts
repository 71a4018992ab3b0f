// Requests that wait for the upstream's answer: who gets it, until when, and which progress tokens
// are alive. Every request leaves the table exactly once: answered, failed or cancelled.
import { UpstreamError } from "../errors.ts";
import {
  isObject,
  isRequestId,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RawResult,
  type Received,
  type RequestId,
} from "../json-rpc.ts";
import type { Connection } from "./connection.ts";

/** Runs `task` after a delay; the result cancels it. */
export type Schedule = (delayMs: number, task: () => void) => () => void;

/** Who waits for the answer. One of these is called, once, synchronously. */
export interface Waiter {
  onAnswer(received: Received<JsonRpcResponse>): void;
  /** For those who can do with a large result as it is; without it `onAnswer` gets it. */
  onRawResult?(result: RawResult): void;
  onFailure(error: Error): void;
}

export interface Pending {
  readonly request: Received<JsonRpcRequest>;
  readonly waiter: Waiter;
  /** Longest wait without any sign of life. */
  readonly timeoutMs: number;
  /** Whether its time stands still while the host owes the upstream an answer. */
  readonly mayPause: boolean;
  /** The wire it was sent over; undefined while it waits for one. */
  connection: Connection | undefined;
  /** Which session of that wire it was sent in. */
  session: number;
  /** A lost session was replaced for this request already. */
  sessionReplaced: boolean;
}

export interface InFlight {
  readonly size: number;
  /** False when a request with this id is waiting already. */
  add(pending: Pending): boolean;
  /** Called when the request is sent: the wait for a connection has a limit of its own. */
  startTimer(pending: Pending): void;
  has(pending: Pending): boolean;
  find(id: unknown): Pending | undefined;
  /** Takes the request out without telling its waiter. */
  remove(pending: Pending): void;
  answer(received: Received<JsonRpcResponse>): void;
  /** False when nobody waits who takes it as it is. A task's start is never that large. */
  answerRaw(result: RawResult): boolean;
  fail(pending: Pending, error: Error): void;
  /** Fails every request that was sent over this wire. */
  failAllOf(connection: Connection, error: Error): void;
  failAll(error: Error): void;
  /** Whether a request with this token is waiting, or a task it started goes on; restarts its time. */
  progress(token: unknown): boolean;
}

function progressTokenOf(request: JsonRpcRequest): RequestId | undefined {
  const meta = request.params?._meta;
  const token = isObject(meta) ? meta.progressToken : undefined;
  return isRequestId(token) ? token : undefined;
}

/** A result that only says that a task was started; its progress token lives on (2025-11-25, tasks). */
function startsTask(result: unknown): boolean {
  return isObject(result) && isObject(result.task) && result.content === undefined;
}

function timeoutError(server: string, { request, timeoutMs }: Pending): UpstreamError {
  const { method } = request.message;
  const silence = `no sign of life for ${Math.round(timeoutMs / 1000)} s`;
  if (method !== "tools/call") {
    return new UpstreamError(
      "timeout",
      `Cannot get an answer to "${method}" from "${server}": ${silence}`,
      {
        hint: "Check that the server runs and can be reached",
      },
    );
  }
  const state = `${silence}, the outcome is unknown`;
  return new UpstreamError("timeout", `Cannot finish the call at "${server}": ${state}`, {
    hint: 'Check whether it took effect before calling again; "timeout" in the configuration sets the limit',
  });
}

/** How many tokens of started tasks are remembered; the oldest go first. */
const TASK_TOKEN_LIMIT = 1000;

export function createInFlight(options: {
  readonly server: string;
  readonly schedule: Schedule;
  /** True while the host owes the upstream an answer: a person may be thinking. */
  readonly isPaused: () => boolean;
  /** Told after a request failed for want of any sign of life. */
  readonly onTimeout: (pending: Pending) => void;
}): InFlight {
  const { server, schedule } = options;
  const table = new Map<RequestId, Pending>();
  const timers = new Map<Pending, () => void>();
  const byProgress = new Map<RequestId, Pending>();
  const taskTokens = new Set<RequestId>();

  function startTimer(pending: Pending): void {
    timers.get(pending)?.();
    timers.set(
      pending,
      schedule(pending.timeoutMs, () => {
        if (pending.mayPause && options.isPaused()) {
          startTimer(pending);
          return;
        }
        const error = timeoutError(server, pending);
        if (!table.has(pending.request.message.id)) return;
        remove(pending);
        options.onTimeout(pending);
        pending.waiter.onFailure(error);
      }),
    );
  }

  function remove(pending: Pending): void {
    const key = pending.request.message.id;
    if (table.get(key) !== pending) return;
    table.delete(key);
    timers.get(pending)?.();
    timers.delete(pending);
    const token = progressTokenOf(pending.request.message);
    if (token !== undefined && byProgress.get(token) === pending) byProgress.delete(token);
  }

  function fail(pending: Pending, error: Error): void {
    if (table.get(pending.request.message.id) !== pending) return;
    remove(pending);
    pending.waiter.onFailure(error);
  }

  return {
    get size() {
      return table.size;
    },
    add(pending) {
      const key = pending.request.message.id;
      if (table.has(key)) return false;
      table.set(key, pending);
      const token = progressTokenOf(pending.request.message);
      if (token !== undefined) byProgress.set(token, pending);
      return true;
    },
    startTimer,
    has: (pending) => table.get(pending.request.message.id) === pending,
    find: (id) => (isRequestId(id) ? table.get(id) : undefined),
    remove,
    answer(received) {
      const { id, result } = received.message;
      const pending = isRequestId(id) ? table.get(id) : undefined;
      if (pending === undefined) return;
      const token = progressTokenOf(pending.request.message);
      if (token !== undefined && startsTask(result)) {
        taskTokens.add(token);
        const oldest = taskTokens.values().next().value;
        if (taskTokens.size > TASK_TOKEN_LIMIT && oldest !== undefined) taskTokens.delete(oldest);
      }
      remove(pending);
      pending.waiter.onAnswer(received);
    },
    answerRaw(result) {
      const pending = table.get(result.id);
      if (pending?.waiter.onRawResult === undefined) return false;
      remove(pending);
      pending.waiter.onRawResult(result);
      return true;
    },
    fail,
    failAllOf(connection, error) {
      for (const pending of [...table.values()]) {
        if (pending.connection === connection) fail(pending, error);
      }
    },
    failAll(error) {
      for (const pending of [...table.values()]) fail(pending, error);
    },
    progress(token) {
      if (!isRequestId(token)) return false;
      const pending = byProgress.get(token);
      if (pending !== undefined) startTimer(pending);
      return pending !== undefined || taskTokens.has(token);
    },
  };
}
