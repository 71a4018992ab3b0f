// What the parts of a schema's translation share: what is known so far, where they stand, and how
// they leave something out. Pure.
import type { JsonObject } from "../json-rpc.ts";

export type Plain = JsonObject | boolean;
export type Entry = [keyword: string, value: unknown];

/** Part of a schema that has no exact translation; the nearest keyword that may go goes. */
export class Untranslatable extends Error {}
/** The schema is too large to be worth a try. */
export class TooLarge extends Error {}

export interface Translation {
  readonly root: unknown;
  /** 4, 6, 7, 2019 or 2020. */
  readonly draft: number;
  readonly definitions: Map<string, Plain>;
  /** Names of definitions, by what they translate, loosely and exactly; "" if it has no such. */
  readonly names: Map<unknown, string>;
  readonly exactNames: Map<unknown, string>;
  readonly keepsUnevaluated: boolean;
  nodes: number;
  hasLoosened: boolean;
  hasUnevaluated: boolean;
}

/** Where a schema stands. */
export interface Place {
  /** The schema resource that references inside are relative to. */
  readonly base: unknown;
  /** Whether accepting more than the original would be wrong here. */
  readonly exact: boolean;
  readonly depth: number;
}

/** Accepts anything instead; not where that would be wrong. */
export function loosen(translation: Translation, place: Place): true {
  if (place.exact) throw new Untranslatable();
  translation.hasLoosened = true;
  return true;
}
