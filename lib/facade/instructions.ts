// The `instructions` of our initialize result (2025-11-25, basic/lifecycle).

/** One paragraph on how the meta-tools work together, then the upstream's own text unchanged. */
export function renderInstructions(prefix: string, upstreamInstructions: unknown): string {
  const own =
    `Only some tools of this server are listed. ${prefix}discover finds the others, ` +
    `${prefix}describe gives a tool's parameters, ${prefix}call runs it: ` +
    `{"tool": "NAME", "args": {...}}. Signatures shown by ${prefix}discover are often enough to call.`;
  const hasMore = typeof upstreamInstructions === "string" && upstreamInstructions !== "";
  return hasMore ? `${own}\n\n${upstreamInstructions}` : own;
}
