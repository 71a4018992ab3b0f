// One run of the external token CLI: no shell, a process group of its own, bounded in time and
// output, ended with us. Its failures leave as `TokenCliError`; which credential they concern and
// what to do about it is credential.ts's to say.
import { accessSync, constants } from "node:fs";
import { createGroup } from "../child/process-group.ts";
import { errorCode, FacadeError } from "../errors.ts";
import { HIDDEN } from "../redactor.ts";
import { parseReason, parseTokenLine } from "./cli-output.ts";
import { renderCommand } from "./login-hint.ts";

/**
 * - `missing`: there is no such program, or it cannot be started
 * - `failed`: it ended with another exit code than 0
 * - `unusable`: it ended well, but what it printed is no token
 * - `timeout`: it was ended for taking too long
 * - `closed`: it was ended because we end
 */
export type TokenCliFailure = "missing" | "failed" | "unusable" | "timeout" | "closed";

/** A run that gave no token; the message reads on from "Cannot get a token: ". */
export class TokenCliError extends FacadeError {
  override readonly name = "TokenCliError";
  readonly failure: TokenCliFailure;

  constructor(failure: TokenCliFailure, message: string, options: { cause?: unknown } = {}) {
    super(`token-cli-${failure}`, message, options);
    this.failure = failure;
  }
}

export interface TokenCliRun {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Home folder: `omp` is looked for in its `.bun/bin` before PATH. */
  readonly home: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Time between SIGTERM and SIGKILL, and for output still in the pipe after the exit. */
  readonly graceMs?: number;
}

const MAX_OUTPUT_BYTES = 65_536;
const GRACE_MS = 500;

/** The token it prints. Throws `TokenCliError`. */
export async function runTokenCli(run: TokenCliRun): Promise<string> {
  const shown = `"${renderCommand(run.argv)}"`;
  if (run.signal?.aborted) {
    throw new TokenCliError("closed", `${shown} was not run: we are closing`);
  }
  const child = start(run);
  const group = createGroup(child.pid);
  const { timeoutMs, graceMs = GRACE_MS } = run;
  let ended: "timeout" | "closed" | "output" | undefined;
  let killTimer: Timer | undefined;
  let drainTimer: Timer | undefined;
  const end = (reason: typeof ended): void => {
    if (ended !== undefined) return;
    ended = reason;
    group.signal("SIGTERM");
    killTimer = setTimeout(() => group.signal("SIGKILL"), graceMs);
  };
  const onAbort = (): void => end("closed");
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  run.signal?.addEventListener("abort", onAbort, { once: true });
  const stdout = collect(child.stdout, () => end("output"));
  const stderr = collect(child.stderr, () => {});
  try {
    const exitCode = await child.exited;
    // A helper the CLI left behind may hold its pipes; what the CLI wrote is there by now.
    drainTimer = setTimeout(() => {
      stdout.cancel();
      stderr.cancel();
    }, graceMs);
    await Promise.all([stdout.done, stderr.done]);
    if (ended === "timeout") {
      throw new TokenCliError("timeout", `${shown} gave no answer within ${timeoutMs / 1000} s`);
    }
    if (ended === "closed") throw new TokenCliError("closed", `${shown} was ended: we are closing`);
    if (ended === "output") {
      const limit = `more than ${MAX_OUTPUT_BYTES / 1024} KB`;
      throw new TokenCliError(
        "unusable",
        `${shown} printed ${limit}, wanted a token on its first line`,
      );
    }
    return readToken({ shown, exitCode, stdout: stdout.text(), stderr: stderr.text() });
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    clearTimeout(drainTimer);
    run.signal?.removeEventListener("abort", onAbort);
    // Whoever of the group is left has no business any more.
    group.signal("SIGKILL");
  }
}

function readToken(ended: {
  readonly shown: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}): string {
  const { shown, exitCode } = ended;
  const line = parseTokenLine(ended.stdout);
  // A CLI that prints a token and fails all the same may name it on stderr as well.
  const printed = "token" in line && line.token.length >= 6 ? line.token : undefined;
  const stderr = printed === undefined ? ended.stderr : ended.stderr.replaceAll(printed, HIDDEN);
  const reason = parseReason(stderr);
  const because = reason === undefined ? "" : ` (${reason})`;
  if (exitCode !== 0) {
    throw new TokenCliError("failed", `${shown} ended with exit code ${exitCode}${because}`);
  }
  if ("token" in line) return line.token;
  const wanted = "wanted the bare token on its first line";
  throw new TokenCliError("unusable", `${shown} ${line.refusal}${because}, ${wanted}`);
}

function start(run: TokenCliRun) {
  const [program = "", ...args] = run.argv;
  const path = findProgram(program, run);
  if (path === undefined) {
    const places = program === "omp" ? "at ~/.bun/bin/omp nor on PATH" : "on PATH";
    const found = program === "omp" ? "found neither" : "not found";
    throw new TokenCliError("missing", `the command "${program}" was ${found} ${places}`);
  }
  try {
    return Bun.spawn([path, ...args], {
      env: { ...run.environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new TokenCliError("missing", `the command "${program}" cannot be started (${code})`, {
      cause: error,
    });
  }
}

function findProgram(program: string, run: TokenCliRun): string | undefined {
  if (program === "omp") {
    const own = `${run.home}/.bun/bin/omp`;
    if (isExecutable(own)) return own;
  }
  return Bun.which(program, { PATH: run.environment.PATH ?? "" }) ?? undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not for us to run: PATH is asked next.
    return false;
  }
}

interface Collected {
  /** Settles at the end of the stream. */
  readonly done: Promise<void>;
  text(): string;
  cancel(): void;
}

/** Keeps the first bytes of a stream and drains the rest, telling once that there is a rest. */
function collect(stream: ReadableStream<Uint8Array>, onOverflow: () => void): Collected {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (size < MAX_OUTPUT_BYTES) chunks.push(value);
      size += value.length;
      if (size > MAX_OUTPUT_BYTES) onOverflow();
    }
  };
  return {
    // A broken pipe is the end of the output like any other.
    done: read().catch(() => {}),
    text: () => Buffer.concat(chunks).subarray(0, MAX_OUTPUT_BYTES).toString("utf8"),
    cancel: () => void reader.cancel().catch(() => {}),
  };
}
