// Tokens the upstream has refused lately, and the pause after renewals that did not help.

export interface RefusedTokens {
  note(token: string): void;
  has(token: string): boolean;
}

/** Forgets a token after `keepMs`: what was refused in an outage may be good again later. */
export function createRefusedTokens(options: {
  readonly now: () => number;
  readonly keepMs: number;
}): RefusedTokens {
  const { now, keepMs } = options;
  const refusedAtMs = new Map<string, number>();
  return {
    note(token) {
      for (const [old, atMs] of refusedAtMs) {
        if (now() - atMs >= keepMs) refusedAtMs.delete(old);
      }
      refusedAtMs.set(token, now());
    },
    has: (token) => refusedAtMs.has(token),
  };
}

export interface BackOff {
  /** No renewal from `sinceMs` on, for this reason. */
  start(reason: string, sinceMs?: number): void;
  /** Counts a failed renewal; the second in a row starts the pause. */
  noteFailure(reason: string): void;
  noteSuccess(): void;
  /** Why there is no renewal now, and until when; undefined when one may run. */
  state(): string | undefined;
}

/** A first failure may be an accident of the network: the next call may try again at once. */
const FAILURES_BEFORE_PAUSE = 2;

export function createBackOff(options: {
  readonly now: () => number;
  readonly pauseMs: number;
}): BackOff {
  const { now, pauseMs } = options;
  let untilMs = Number.NEGATIVE_INFINITY;
  let why = "";
  let failures = 0;
  const start = (reason: string, sinceMs = now()): void => {
    untilMs = sinceMs + pauseMs;
    why = reason;
  };
  return {
    start,
    noteFailure(reason) {
      failures += 1;
      if (failures >= FAILURES_BEFORE_PAUSE) start(reason);
    },
    noteSuccess() {
      failures = 0;
    },
    state() {
      const leftMs = untilMs - now();
      if (leftMs <= 0) return undefined;
      return `${why}; the next renewal is tried in ${Math.ceil(leftMs / 1000)} s`;
    },
  };
}
