// One text for equal JSON values. Pure.
import { isObject } from "./json-rpc.ts";

/** JSON with the members of every object sorted by name, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (!isObject(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
