// The stdio wire: one child process, JSON-RPC lines on its stdin and stdout. A line that is not
// JSON-RPC is skipped, a message that is too large costs its own request only.
import type { StdioUpstream } from "../config/server-entry.ts";
import { UpstreamError } from "../errors.ts";
import type { Log } from "../log.ts";
import { type ExitState, startChild } from "./child-process.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import { createLineReader, type LineReader } from "./lines.ts";
import { findAnsweredId, parseMessages, refusal } from "./messages.ts";
import { findRawResult } from "./raw-result.ts";
import { createStderrReader, STDERR_LIMITS, type StderrLimits } from "./stderr.ts";

export interface StdioLimits {
  readonly messageBytes: number;
  /** After the end of stdin, and again after SIGTERM. */
  readonly graceMs: number;
  /** How long the rest of the output and the exit code are waited for when one end is seen. */
  readonly lastOutputMs: number;
  readonly stderr: StderrLimits;
}

const CR = 13;

const STDIO_LIMITS: StdioLimits = {
  messageBytes: 64 * 1024 * 1024,
  graceMs: 1000,
  lastOutputMs: 500,
  stderr: STDERR_LIMITS,
};

export interface StdioOptions {
  readonly upstream: StdioUpstream;
  readonly server: string;
  /** The whole environment of the child: ours, then `envFrom`, then `env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly events: ConnectionEvents;
  readonly log: Log;
  /** Takes secrets out of what the child writes to stderr, before it is cut or told. */
  readonly redact?: (text: string) => string;
  readonly limits?: Partial<StdioLimits>;
}

/** Resolves once the child runs. Rejects with `UpstreamError` `unreachable` when it cannot start. */
export async function openStdio(options: StdioOptions): Promise<Connection> {
  const { upstream, server, environment, events, log } = options;
  const limits = { ...STDIO_LIMITS, ...options.limits };
  const { command, args, cwd } = upstream;
  const child = startChild({ server, command, args, cwd, environment, graceMs: limits.graceMs });
  const stderr = createStderrReader({
    log,
    limits: limits.stderr,
    now: () => performance.now(),
    redact: options.redact ?? ((text) => text),
  });
  let ending: Promise<UpstreamError> | undefined;
  let isClosing = false;

  const stdout = createMessageReader({ server, events, log, maxBytes: limits.messageBytes });
  const stdoutEnd = drain(child.stdout, stdout, () => isClosing);
  const stderrEnd = drain(child.stderr, stderr, () => false);

  const end = async (state: string): Promise<UpstreamError> => {
    // A dead leader takes its group along; one that lives is asked to go in the usual order.
    void child.end({ closeStdinFirst: state !== EXITED });
    const exit = await within(limits.lastOutputMs, child.exited);
    await within(limits.lastOutputMs, Promise.all([stdoutEnd, stderrEnd]));
    const reason = endReason({
      server,
      state: exit === undefined ? state : renderExit(exit),
      lastWords: stderr.lastWords(),
    });
    if (!isClosing) events.onEnd(reason);
    return reason;
  };
  /** Whatever shows the end first, it is told once and with all that can be known of it. */
  const endByItself = (state: string): Promise<UpstreamError> => {
    ending ??= end(state);
    return ending;
  };
  const endUnlessClosing = (state: string): void => {
    if (!isClosing) void endByItself(state);
  };
  void child.exited.then(() => endUnlessClosing(EXITED));
  void stdoutEnd.then(() => endUnlessClosing("it closed its output"));

  const close = async (): Promise<void> => {
    isClosing = true;
    await child.end();
  };
  return {
    async send(_message, text) {
      if (isClosing) throw closedByUs(server);
      if (ending !== undefined) throw await ending;
      try {
        await child.write(`${text}\n`);
      } catch {
        if (isClosing) throw closedByUs(server);
        // Whatever the system calls it, nobody reads this pipe any more.
        throw await endByItself("it no longer reads its input");
      }
    },
    ready() {},
    resetSession() {},
    close,
    [Symbol.asyncDispose]: close,
  };
}

const EXITED = "it ended";

/** Lines of stdout to messages. What is no message is told once for each kind. */
function createMessageReader(options: {
  readonly server: string;
  readonly events: ConnectionEvents;
  readonly log: Log;
  readonly maxBytes: number;
}): LineReader {
  const { server, events, log, maxBytes } = options;
  const told = new Set<string>();
  const tellOnce = (what: string, line: string): void => {
    if (told.has(what)) return;
    told.add(what);
    const shown = JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}...` : line);
    log.line(`skipped a line of its stdout that is not ${what}: ${shown} (told once)`);
  };
  return createLineReader({
    maxBytes,
    takesParts(line) {
      // A line has no LF, and a CR between the tokens is rare: parsing puts a blank in its place.
      const result = line.some((part) => part.includes(CR)) ? undefined : findRawResult(line);
      return result !== undefined && events.onRawResult?.(result) === true;
    },
    onLine(line) {
      if (line.trim() === "") return;
      const parsed = parseMessages(line);
      if (parsed === undefined) return tellOnce("JSON", line);
      if (parsed.strangers > 0) tellOnce("JSON-RPC", line);
      for (const received of parsed.received) events.onMessage(received);
    },
    onOversized(line) {
      const size = `${Math.ceil(line.sizeBytes / 2 ** 20)} MB`;
      const limit = `${Math.floor(maxBytes / 2 ** 20)} MB`;
      log.line(`dropped a message of ${size} on its stdout, wanted at most ${limit}`);
      const id = findAnsweredId(line);
      if (id === undefined) return;
      const text = `Cannot take the answer of "${server}": it has ${size}, wanted at most ${limit}`;
      events.onMessage(refusal(id, text));
    },
  });
}

/** Reads a pipe to its end; what comes once `isOver` is read and thrown away. */
async function drain(
  stream: ReadableStream<Uint8Array>,
  reader: LineReader,
  isOver: () => boolean,
): Promise<void> {
  const pipe = stream.getReader();
  let turnMs = performance.now();
  for (;;) {
    // A pipe that breaks has ended; the exit of the child tells why.
    const { value: chunk } = await pipe.read().catch(() => ({ value: undefined }));
    if (chunk === undefined) break;
    if (!isOver()) reader.push(chunk);
    // Chunks that are there already come without a turn of the event loop: a child that floods
    // a pipe would keep timers, signals and the host waiting for ever.
    if (performance.now() - turnMs < 5) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    turnMs = performance.now();
  }
  if (!isOver()) reader.end();
}

/** Undefined when the promise takes longer. */
async function within<T>(limitMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: Timer | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function renderExit(exit: ExitState): string {
  if (exit.signal !== null) return `it was ended by ${exit.signal}`;
  return `it ended with exit code ${exit.code ?? "unknown"}`;
}

function endReason(options: {
  readonly server: string;
  readonly state: string;
  readonly lastWords: string | undefined;
}): UpstreamError {
  const { server, state, lastWords } = options;
  const words = lastWords === undefined ? "" : `; its last words: ${lastWords}`;
  return new UpstreamError("closed", `Cannot reach "${server}": ${state}${words}`);
}

function closedByUs(server: string): UpstreamError {
  return new UpstreamError("closed", `Cannot reach "${server}": the connection is being closed`);
}
