// ECMAScript regular expressions as a tree, as far as a matcher in linear time can run them. Pure.
// Characters and classes are kept as source text, so that what they match stays the engine's own
// business. The source is known to be valid; back references, lookbehind and inline flags are not
// read (undefined).

export type PatternNode =
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "start" | "end" | "boundary" | "no-boundary" }
  | { readonly kind: "sequence"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly node: PatternNode;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: "ahead"; readonly node: PatternNode; readonly negative: boolean };

interface Reading {
  readonly source: string;
  readonly unicode: boolean;
  at: number;
}

/** Deeper groups are nobody's honest pattern, and would use up the stack. */
const MAX_GROUPS = 100;
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
const ESCAPE_U = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^\dk])/iy;
const ESCAPE = /\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^\dkc])/iy;
const NULL_ESCAPE = /\\0(?!\d)/y;
const SURROGATE_PAIR = /\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/iy;

export function parsePattern(
  source: string,
  options: { readonly unicode: boolean },
): PatternNode | undefined {
  const reading: Reading = { source, unicode: options.unicode, at: 0 };
  const node = readChoice(reading, 0);
  return reading.at === source.length ? node : undefined;
}

function readChoice(reading: Reading, depth: number): PatternNode | undefined {
  if (depth > MAX_GROUPS) return undefined;
  const nodes: PatternNode[] = [];
  for (;;) {
    const sequence = readSequence(reading, depth);
    if (sequence === undefined) return undefined;
    nodes.push(sequence);
    if (reading.source[reading.at] !== "|") break;
    reading.at += 1;
  }
  const [only, ...more] = nodes;
  return only !== undefined && more.length === 0 ? only : { kind: "choice", nodes };
}

function readSequence(reading: Reading, depth: number): PatternNode | undefined {
  const nodes: PatternNode[] = [];
  while (reading.at < reading.source.length) {
    const character = reading.source[reading.at];
    if (character === "|" || character === ")") break;
    const node = readTerm(reading, depth);
    if (node === undefined) return undefined;
    nodes.push(node);
  }
  return { kind: "sequence", nodes };
}

function readTerm(reading: Reading, depth: number): PatternNode | undefined {
  const node = readAtom(reading, depth);
  if (node === undefined) return undefined;
  const quantifier = take(reading, QUANTIFIER);
  if (quantifier === undefined) return node;
  // A quantified assertion is a leftover of old engines.
  if (node.kind !== "character" && node.kind !== "sequence" && node.kind !== "choice") {
    return undefined;
  }
  if (reading.source[reading.at] === "?") reading.at += 1;
  return { kind: "repeat", node, ...boundsOf(quantifier) };
}

function boundsOf(quantifier: string): { readonly min: number; readonly max: number } {
  if (quantifier === "*") return { min: 0, max: Number.POSITIVE_INFINITY };
  if (quantifier === "+") return { min: 1, max: Number.POSITIVE_INFINITY };
  if (quantifier === "?") return { min: 0, max: 1 };
  const [min = "0", max] = quantifier.slice(1, -1).split(",");
  if (max === undefined) return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max === "" ? Number.POSITIVE_INFINITY : Number(max) };
}

function readAtom(reading: Reading, depth: number): PatternNode | undefined {
  switch (reading.source[reading.at]) {
    case "^":
      reading.at += 1;
      return { kind: "start" };
    case "$":
      reading.at += 1;
      return { kind: "end" };
    case "(":
      return readGroup(reading, depth);
    case "[":
      return readClass(reading);
    case "\\":
      return readEscape(reading);
    default:
      return readLiteral(reading);
  }
}

function readGroup(reading: Reading, depth: number): PatternNode | undefined {
  const opening = take(reading, /\((?:\?(?::|=|!|<(?![=!])[^>]*>))?/y) ?? "";
  // `(?<=`, `(?i:` and the like begin as a plain group but go on with a question mark.
  if (opening === "(" && reading.source[reading.at] === "?") return undefined;
  const node = readChoice(reading, depth + 1);
  if (node === undefined || reading.source[reading.at] !== ")") return undefined;
  reading.at += 1;
  if (opening === "(?=" || opening === "(?!") {
    return { kind: "ahead", node, negative: opening === "(?!" };
  }
  return { kind: "sequence", nodes: [node] };
}

function readClass(reading: Reading): PatternNode | undefined {
  const source = take(reading, /\[\^?(?:\\[\s\S]|[^\]\\])*\]/y);
  return source === undefined ? undefined : { kind: "character", source };
}

function readEscape(reading: Reading): PatternNode | undefined {
  const next = reading.source[reading.at + 1];
  if (next === "b" || next === "B") {
    reading.at += 2;
    return { kind: next === "b" ? "boundary" : "no-boundary" };
  }
  const pair = reading.unicode ? take(reading, SURROGATE_PAIR) : undefined;
  const source =
    pair ?? take(reading, NULL_ESCAPE) ?? take(reading, reading.unicode ? ESCAPE_U : ESCAPE);
  return source === undefined ? undefined : { kind: "character", source };
}

function readLiteral(reading: Reading): PatternNode | undefined {
  const literal = take(reading, reading.unicode ? /[\s\S]/uy : /[\s\S]/y);
  if (literal === undefined || "*+?".includes(literal)) return undefined;
  const source = /[\]{}/]/.test(literal) ? `\\${literal}` : literal;
  return { kind: "character", source };
}

function take(reading: Reading, expression: RegExp): string | undefined {
  expression.lastIndex = reading.at;
  const found = expression.exec(reading.source)?.[0];
  if (found !== undefined) reading.at += found.length;
  return found;
}
