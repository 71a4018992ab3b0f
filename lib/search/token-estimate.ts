// How many tokens a short text costs at most, without a tokenizer: rather too many than too few.

/** An upper estimate of a text's tokens in the encodings current models use. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(/[a-z]+|[A-Z]+|\d+|\s+|[^\p{L}\p{N}\s]+|[^a-zA-Z\d\s]+/gu)) {
    const first = run.charCodeAt(0);
    if (first > 127) tokens += Array.from(run).length * 2;
    else if (/[a-z]/.test(run)) tokens += Math.ceil(run.length / (/[aeiou]/.test(run) ? 5 : 2));
    else if (/[A-Z]/.test(run)) tokens += Math.ceil(run.length / 2);
    else if (/\d/.test(run)) tokens += 1 + Math.ceil(run.length / 3);
    else if (/\S/.test(run)) tokens += run.length;
  }
  return tokens;
}
