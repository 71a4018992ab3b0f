// The known word a mistyped one was probably meant to be. Pure.
import { editDistance } from "../edit-distance.ts";

/**
 * The member of `known` closest to `word`, without regard to case; undefined when none is near
 * (more than a third of the letters differ, swapped neighbours counting once).
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const limit = Math.max(1, Math.floor(Math.max(candidate.length, wanted.length) / 3));
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
