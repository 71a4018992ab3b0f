// How many tokens a short text costs at most, without a tokenizer: rather too many than too few.

const RUN = /[a-z]+|[A-Z]+|\d+|\s+|[!-~]|[^\0-\u007f]+/g;
/** Random letters, which tokenizers have no words for. */
const UNSPEAKABLE = /[^aeiouy]{4}|[aeiouy]{3}|^[^aeiouy]+$|q[^u]|[jvwx][^aeiouy]|[^aeiouy][jqx]/;

/** An upper estimate of a text's tokens in the encodings current models use. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUN)) tokens += estimateRun(run);
  return Math.ceil(tokens);
}

function estimateRun(run: string): number {
  const first = run.charCodeAt(0);
  if (first > 127) {
    let sum = 0;
    for (const character of run) sum += character.length > 1 ? 4 : 2.5;
    return sum;
  }
  // Before a word a space is part of it; before a number it is not.
  if (/\d/.test(run)) return 1 + Math.ceil(run.length / 3);
  if (/\s/.test(run)) return 0;
  if (!/[a-z]/i.test(run)) return 1;
  const letters = run.toLowerCase();
  return Math.ceil(run.length / (UNSPEAKABLE.test(letters) ? 1.7 : 5));
}
