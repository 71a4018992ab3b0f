// What a bench prints: a table in Markdown, and its bars with a verdict each.

/** A limit that DESIGN.md section 11 sets, and what was measured. */
export interface Bar {
  readonly what: string;
  readonly measured: number;
  readonly limit: number;
  /** Behind both numbers: " x", " ms". */
  readonly unit: string;
}

export function renderTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? "", width, column)).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(headers), line(rule), ...rows.map(line)].join("\n");
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}

/** Prints each bar with its verdict; true when all are met. */
export function reportBars(bars: readonly Bar[]): boolean {
  for (const { what, measured, limit, unit } of bars) {
    const isMet = measured <= limit;
    const digits = limit < 1 ? 3 : 2;
    const found = `${measured.toFixed(digits)}${unit}`;
    console.log(`- ${isMet ? "met" : "NOT MET"}: ${what}: ${found}, at most ${limit}${unit}`);
  }
  return bars.every(({ measured, limit }) => measured <= limit);
}

/** `--name VALUE` on the command line, as a number. */
export function numberFlag(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  const given = at < 0 ? undefined : process.argv[at + 1];
  const value = given === undefined ? fallback : Number(given);
  if (!Number.isFinite(value) || value <= 0) {
    console.error(`Cannot use flag "--${name}": found "${given}", wanted a positive number`);
    process.exit(2);
  }
  return value;
}
