// Time that passes only when a test says so.

export interface FakeClock {
  now(): number;
  schedule(delayMs: number, task: () => void): () => void;
  /** Runs what falls due, in order, with pending promises settled in between. */
  advance(ms: number): Promise<void>;
}

/** Lets everything that waits on settled promises run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

export function createFakeClock(startMs = 1_700_000_000_000): FakeClock {
  let nowMs = startMs;
  const tasks = new Set<{ readonly dueMs: number; readonly task: () => void }>();
  return {
    now: () => nowMs,
    schedule(delayMs, task) {
      const one = { dueMs: nowMs + delayMs, task };
      tasks.add(one);
      return () => tasks.delete(one);
    },
    async advance(ms) {
      const endMs = nowMs + ms;
      await settle();
      for (;;) {
        const due = [...tasks]
          .filter((one) => one.dueMs <= endMs)
          .sort((a, b) => a.dueMs - b.dueMs)[0];
        if (due === undefined) break;
        tasks.delete(due);
        nowMs = Math.max(nowMs, due.dueMs);
        due.task();
        await settle();
      }
      nowMs = endMs;
    },
  };
}
