// When an attempt to open a session is made: a growing pause while attempts keep failing, and for
// wires where that is harmless another attempt beside one that stays silent.
import type { Schedule } from "./in-flight.ts";

export interface AttemptLimits {
  /** Pauses before the 2nd, 3rd, ... attempt in a row; the last one repeats. */
  readonly reopenPausesMs: readonly number[];
  /** Without an outcome after these, another attempt is made beside the first. */
  readonly hedgeAfterMs: readonly number[];
}

export interface Attempts<Opened> {
  /** Waits out the pause, then gives the first attempt that succeeds. Throws the first failure. */
  run(): Promise<Opened>;
  noteFailure(): void;
  noteSuccess(): void;
}

export function createAttempts<Opened>(options: {
  readonly attempt: () => Promise<Opened>;
  /** An attempt that succeeded after another one had won. */
  readonly discard: (late: Opened) => void;
  /** Whether a second attempt beside a silent first one is harmless: HTTP yes, a process no. */
  readonly mayHedge: boolean;
  readonly limits: AttemptLimits;
  readonly schedule: Schedule;
  readonly now: () => number;
}): Attempts<Opened> {
  const { attempt, limits, schedule, now } = options;
  let failures = 0;
  let failedAtMs = 0;

  async function pause(): Promise<void> {
    if (failures === 0) return;
    const pauses = limits.reopenPausesMs;
    const pauseMs = pauses[Math.min(failures, pauses.length) - 1] ?? 0;
    const waitMs = failedAtMs + pauseMs - now();
    if (waitMs > 0) await new Promise<void>((resolve) => schedule(waitMs, resolve));
  }

  function firstOfSeveral(): Promise<Opened> {
    const { promise, resolve, reject } = Promise.withResolvers<Opened>();
    let isWon = false;
    const start = () => {
      attempt().then((opened) => {
        if (isWon) options.discard(opened);
        isWon = true;
        resolve(opened);
        // A refusal is an answer: no other attempt would do better.
      }, reject);
    };
    const cancels = limits.hedgeAfterMs.map((delayMs) => schedule(delayMs, start));
    start();
    return promise.finally(() => {
      isWon = true;
      for (const cancel of cancels) cancel();
    });
  }

  return {
    async run() {
      await pause();
      return options.mayHedge ? firstOfSeveral() : attempt();
    },
    noteFailure() {
      failures += 1;
      failedAtMs = now();
    },
    noteSuccess() {
      failures = 0;
    },
  };
}
