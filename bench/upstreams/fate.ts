// What happens to a call of the soak, decided by its number and the run's seed alone, so that a run
// can be repeated and no upstream has to remember what it did before it died.

/** Chances in a thousand; what is left is good luck. */
export type Odds<Fate extends string> = readonly (readonly [fate: Fate, perMille: number])[];

export function fateOf<Fate extends string>(
  odds: Odds<Fate>,
  call: { readonly seed: number; readonly key: number },
): Fate | "good" {
  let draw = randomBelow(1000, call);
  for (const [fate, perMille] of odds) {
    if (draw < perMille) return fate;
    draw -= perMille;
  }
  return "good";
}

/** A number from 0 on, the same for the same call. */
export function randomBelow(
  limit: number,
  { seed, key }: { readonly seed: number; readonly key: number },
): number {
  // Two rounds of a 32-bit mixing function (splitmix32): plain, and even enough for a soak.
  let mixed = (Math.imul(key + 1, 0x9e3779b9) ^ Math.imul(seed + 1, 0x85ebca6b)) >>> 0;
  for (let round = 0; round < 2; round += 1) {
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad) >>> 0;
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) >>> 0;
  }
  return ((mixed ^ (mixed >>> 15)) % limit) >>> 0;
}
