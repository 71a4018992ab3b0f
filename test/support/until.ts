/** Waits for a condition, never for a time. Throws what `describe` says when it does not come. */
export async function until<Value>(
  condition: () => Value | undefined | false | Promise<Value | undefined | false>,
  describe: string | (() => string),
  limitMs = 10_000,
): Promise<Value> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) {
      throw new Error(
        `not seen in ${limitMs} ms: ${typeof describe === "string" ? describe : describe()}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
