// A request that is a tool's name, or holds one as it is written, means that tool.
import type { Tool } from "../catalog/catalog.ts";
import { squash } from "./words.ts";

const MAX_NAME = 200;
const MAX_REQUEST = 2000;
/** Words joined by signs or by case: nobody writes these by chance. */
const IDENTIFIER = /[^_.\-/:][_.\-/:]+[^_.\-/:]|[a-z][A-Z]/;

export interface ExactNames {
  /** Tool numbers named by a request: 2 when it is nothing but the name, 1 when it holds it. */
  find(request: string): ReadonlyMap<number, number>;
}

export function createExactNames(tools: readonly Tool[]): ExactNames {
  const byName = new Map<string, number[]>();
  for (const [number, tool] of tools.entries()) {
    if (typeof tool.name !== "string") continue;
    const key = squash(tool.name.slice(0, MAX_NAME));
    const known = byName.get(key);
    if (known === undefined) byName.set(key, [number]);
    else known.push(number);
  }
  return {
    find(request) {
      const found = new Map<number, number>();
      const whole = request.length <= MAX_NAME ? squash(request) : "";
      for (const number of byName.get(whole) ?? []) found.set(number, 2);
      for (const piece of request.slice(0, MAX_REQUEST).split(/[\s,;"'`()]+/)) {
        if (piece.length > MAX_NAME || !IDENTIFIER.test(piece)) continue;
        for (const number of byName.get(squash(piece)) ?? []) {
          if (!found.has(number)) found.set(number, 1);
        }
      }
      return found;
    },
  };
}
