// Durations as the configuration writes them: a whole number and a unit, "30s" or "7d". Pure.

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The longest delay a timer can have; longer ones would fire at once. Just over 24 days. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Milliseconds of a text such as "15m"; undefined when it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^([0-9]{1,6})(ms|s|m|h|d)$/.exec(text);
  const unitMs = UNIT_MS[match?.[2] ?? ""];
  return unitMs === undefined ? undefined : Number(match?.[1]) * unitMs;
}
