// Runs the `pattern`s of foreign schemas in bounded time. Simple ones go to the engine of the
// runtime; all others run as sets of states, whose time is the length of the text times the size
// of the pattern, never exponential. What cannot be run that way is no pattern (undefined). Pure.
import { type PatternNode, parsePattern } from "./pattern-syntax.ts";

export interface Pattern {
  /** `spend` is told the steps taken, and may throw to end a test that takes too many. */
  test(text: string, spend: (steps: number) => void): boolean;
}

type Matcher = (codePoint: number) => boolean;

type Instruction =
  | { readonly op: "character"; readonly matches: Matcher }
  | { readonly op: "split"; readonly to: readonly number[] }
  | { readonly op: "assert"; readonly kind: "start" | "end" | "boundary" | "no-boundary" }
  | { readonly op: "ahead"; readonly program: Program; readonly negative: boolean }
  | { readonly op: "match" };

type Program = Instruction[];

const MAX_INSTRUCTIONS = 10_000;
/** How many characters the runtime's engine looks at in the time of one step here. */
const PLAIN_SPEED = 50;
const WORD = /^\w$/;

/**
 * A pattern as JSON Schema means it: ECMAScript, with the `u` flag if it is valid so, anywhere in
 * the text. Undefined if it is no valid pattern or one that has no bounded form.
 */
export function compilePattern(source: string): Pattern | undefined {
  const expression = compileNative(source, "u") ?? compileNative(source, "");
  if (expression === undefined) return undefined;
  const { unicode } = expression;
  const tree = parsePattern(source, { unicode });
  if (tree === undefined) return undefined;
  if (isPlain(tree)) {
    return {
      test(text, spend) {
        spend(Math.ceil(text.length / PLAIN_SPEED));
        return expression.test(text);
      },
    };
  }
  const program: Program = [];
  const compiled = emit(program, tree, new Map(), unicode);
  if (!compiled) return undefined;
  program.push({ op: "match" });
  return {
    test: (text, spend) => run(program, text, { from: 0, anchored: false, unicode }, spend),
  };
}

function compileNative(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    // The pattern of an upstream; whether it is valid is the question.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Whether backtracking has next to nothing to try: one choice at most, not inside a repetition,
 * and if the choice is a repetition, then from the start of the text only.
 */
function isPlain(tree: PatternNode): boolean {
  const counts = { choices: 0, repeats: 0, size: 0, nested: false, ahead: false };
  const visit = (node: PatternNode, repeated: boolean, times: number): void => {
    counts.size += times;
    if (node.kind === "sequence" || node.kind === "choice") {
      if (node.kind === "choice") {
        counts.choices += 1;
        counts.nested ||= repeated;
      }
      for (const inner of node.nodes) visit(inner, repeated, times);
    } else if (node.kind === "repeat") {
      if (node.min !== node.max) {
        counts.choices += 1;
        counts.repeats += 1;
        counts.nested ||= repeated;
      }
      visit(node.node, true, times * Math.max(1, node.min));
    } else if (node.kind === "ahead") {
      counts.ahead = true;
    }
  };
  visit(tree, false, 1);
  if (counts.ahead || counts.nested || counts.choices > 1 || counts.size > 1000) return false;
  return counts.repeats === 0 || (tree.kind === "sequence" && tree.nodes[0]?.kind === "start");
}

/** Adds the instructions for `node`; false if the program would be too long. */
function emit(
  program: Program,
  node: PatternNode,
  matchers: Map<string, Matcher>,
  unicode: boolean,
): boolean {
  if (program.length > MAX_INSTRUCTIONS) return false;
  switch (node.kind) {
    case "character": {
      const matches = matchers.get(node.source) ?? createMatcher(node.source, unicode);
      matchers.set(node.source, matches);
      program.push({ op: "character", matches });
      return true;
    }
    case "sequence":
      return node.nodes.every((inner) => emit(program, inner, matchers, unicode));
    case "choice":
      return emitChoice(program, node.nodes, (inner) => emit(program, inner, matchers, unicode));
    case "repeat":
      return emitRepeat(program, node, () => emit(program, node.node, matchers, unicode));
    case "ahead": {
      const inner: Program = [];
      if (!emit(inner, node.node, matchers, unicode)) return false;
      inner.push({ op: "match" });
      program.push({ op: "ahead", program: inner, negative: node.negative });
      return true;
    }
    default:
      program.push({ op: "assert", kind: node.kind });
      return true;
  }
}

function emitChoice(
  program: Program,
  nodes: readonly PatternNode[],
  emitOne: (node: PatternNode) => boolean,
): boolean {
  const starts: number[] = [];
  const ends: number[][] = [];
  program.push({ op: "split", to: starts });
  for (const node of nodes) {
    starts.push(program.length);
    if (!emitOne(node)) return false;
    const end: number[] = [];
    ends.push(end);
    program.push({ op: "split", to: end });
  }
  for (const end of ends) end.push(program.length);
  return true;
}

function emitRepeat(
  program: Program,
  { min, max }: { readonly min: number; readonly max: number },
  emitOne: () => boolean,
): boolean {
  for (let count = 0; count < min; count += 1) if (!emitOne()) return false;
  if (max === Number.POSITIVE_INFINITY) {
    const start = program.length;
    const to = [start + 1];
    program.push({ op: "split", to });
    if (!emitOne()) return false;
    program.push({ op: "split", to: [start] });
    to.push(program.length);
    return true;
  }
  const skips: number[][] = [];
  for (let count = min; count < max; count += 1) {
    const to = [program.length + 1];
    skips.push(to);
    program.push({ op: "split", to });
    if (!emitOne()) return false;
  }
  for (const to of skips) to.push(program.length);
  return true;
}

/** Asks the runtime's engine about one character at a time, and remembers its answers for ASCII. */
function createMatcher(source: string, unicode: boolean): Matcher {
  const expression = new RegExp(`^(?:${source})$`, unicode ? "u" : "");
  const known = new Int8Array(128);
  return (codePoint) => {
    if (codePoint >= 128) return expression.test(String.fromCodePoint(codePoint));
    if (known[codePoint] === 0) {
      known[codePoint] = expression.test(String.fromCharCode(codePoint)) ? 1 : -1;
    }
    return known[codePoint] === 1;
  };
}

interface Run {
  readonly from: number;
  /** Whether the match has to begin at `from`. */
  readonly anchored: boolean;
  readonly unicode: boolean;
}

function run(
  program: Program,
  text: string,
  options: Run,
  spend: (steps: number) => void,
): boolean {
  const { from, anchored, unicode } = options;
  const seenAt = new Int32Array(program.length).fill(-1);
  let current: number[] = [];
  let steps = 0;

  /** Puts `start` and all that is reached from it without a character; true on a match. */
  function enter(states: number[], start: number, at: number): boolean {
    const pending = [start];
    for (let pc = pending.pop(); pc !== undefined; pc = pending.pop()) {
      if (seenAt[pc] === at) continue;
      seenAt[pc] = at;
      steps += 1;
      const instruction = program[pc];
      if (instruction === undefined) continue;
      if (instruction.op === "match") return true;
      if (instruction.op === "character") states.push(pc);
      else if (instruction.op === "split") pending.push(...instruction.to);
      else if (holds(instruction, at)) pending.push(pc + 1);
    }
    return false;
  }

  function holds(instruction: Instruction, at: number): boolean {
    if (instruction.op === "ahead") {
      const ahead = { from: at, anchored: true, unicode };
      return run(instruction.program, text, ahead, spend) !== instruction.negative;
    }
    if (instruction.op !== "assert") return false;
    if (instruction.kind === "start") return at === 0;
    if (instruction.kind === "end") return at === text.length;
    return isBoundary(text, at) === (instruction.kind === "boundary");
  }

  for (let at = from; ; ) {
    if ((at === from || !anchored) && enter(current, 0, at)) return true;
    if (at >= text.length || (anchored && current.length === 0)) return false;
    spend(steps + current.length + 1);
    steps = 0;
    const codePoint = (unicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0;
    const next: number[] = [];
    const after = at + (codePoint > 0xffff ? 2 : 1);
    for (const pc of current) {
      const instruction = program[pc];
      const matches = instruction?.op === "character" && instruction.matches(codePoint);
      if (matches && enter(next, pc + 1, after)) return true;
    }
    current = next;
    at = after;
  }
}

function isBoundary(text: string, at: number): boolean {
  return WORD.test(text.charAt(at - 1)) !== WORD.test(text.charAt(at));
}
