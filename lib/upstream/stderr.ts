// What an upstream writes to stderr: always drained, told line by line within a bounded rate, and
// remembered for the reason of its end.
import type { Log } from "../log.ts";
import { createLineReader, type LineReader } from "./lines.ts";

export interface StderrLimits {
  /** Longer lines are cut. */
  readonly lineLength: number;
  /** So many lines may come at once. */
  readonly burstLines: number;
  readonly linesPerSecond: number;
}

export const STDERR_LIMITS: StderrLimits = { lineLength: 500, burstLines: 100, linesPerSecond: 5 };

export interface StderrReader extends LineReader {
  /** The last line that says something, without escapes, for an error message. */
  lastWords(): string | undefined;
}

/** Lines kept, so that a stack trace does not push out the message above it. */
const KEPT_LINES = 40;
const MAX_LINE_BYTES = 65_536;
const LAST_WORDS_LENGTH = 200;

export function createStderrReader(options: {
  readonly log: Log;
  readonly limits: StderrLimits;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** Takes secrets out before a line is cut, as half a secret would not be recognised. */
  readonly redact: (text: string) => string;
}): StderrReader {
  const { log, limits, now, redact } = options;
  const kept: string[] = [];
  let budget = limits.burstLines;
  let filledAt = now();
  let leftOut = 0;

  const tell = (line: string): void => {
    const at = now();
    const gained = ((at - filledAt) / 1000) * limits.linesPerSecond;
    budget = Math.min(limits.burstLines, budget + gained);
    filledAt = at;
    if (budget < 1) {
      leftOut += 1;
      return;
    }
    budget -= 1;
    tellLeftOut();
    log.line(line.length > limits.lineLength ? `${cut(line, limits.lineLength)}...` : line);
  };
  const tellLeftOut = (): void => {
    if (leftOut > 0) log.line(`lines of its stderr left out: ${leftOut}`);
    leftOut = 0;
  };
  const take = (raw: string): void => {
    // A carriage return overwrites what stood before it: only the last state was meant to stay.
    const shown = raw.slice(raw.lastIndexOf("\r") + 1);
    const line = redact(withoutEscapes(shown)).trimEnd();
    if (line === "") return;
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    tell(line);
  };

  const lines = createLineReader({
    maxBytes: MAX_LINE_BYTES,
    onLine: take,
    onOversized: ({ head, sizeBytes }) => take(`${head} (a line of ${sizeBytes} bytes)`),
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      tellLeftOut();
    },
    lastWords() {
      const line = kept.findLast(saysSomething)?.trim();
      if (line === undefined || line.length <= LAST_WORDS_LENGTH) return line;
      return `${cut(line, LAST_WORDS_LENGTH)}...`;
    },
  };
}

/** Frames of a stack trace, source markers and the version line that runtimes end with. */
function saysSomething(line: string): boolean {
  return !/^\s*(?:at\s.*|[\^~}\])]+;?|(?:Node\.js|Bun) v\d.*)$/.test(line);
}

/** ANSI escape sequences; the log removes other control characters. */
function withoutEscapes(text: string): string {
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g, "");
}

/** Never ends inside a surrogate pair. */
function cut(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
