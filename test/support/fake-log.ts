import type { Log } from "../../lib/log.ts";

/** Keeps the lines. */
export function createFakeLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, line: (text) => lines.push(text) };
}
