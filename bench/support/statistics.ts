// Medians and spreads of timings. A bench shows both, so that a reader sees what is noise.

export interface Summary {
  readonly median: number;
  /** First and third quartile: half of all runs lie between them. */
  readonly low: number;
  readonly high: number;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function summarize(values: readonly number[]): Summary {
  return {
    median: median(values),
    low: quantile(values, 0.25),
    high: quantile(values, 0.75),
  };
}

/** `12.3 (11.9..13.0)` */
export function renderSummary(values: readonly number[], digits = 1): string {
  const { median: middle, low, high } = summarize(values);
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}..${high.toFixed(digits)})`;
}

/** Each value divided by its partner of the same run, so that slow moments of the machine cancel out. */
export function ratios(values: readonly number[], base: readonly number[]): number[] {
  return values.map((value, run) => value / (base[run] ?? Number.NaN));
}

/** Each value minus its partner of the same run. */
export function differences(values: readonly number[], base: readonly number[]): number[] {
  return values.map((value, run) => value - (base[run] ?? Number.NaN));
}
