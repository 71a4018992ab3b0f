// The program's errors. Every failure of our own is one of these from the moment it is known;
// it is thrown as an object and turned into words in one place (`renderError`).
// Form of a message: Cannot <action> "<thing>": <state>. The hint is one imperative line.

/** Process exit codes, DESIGN.md section 3. */
export const EXIT = { fine: 0, bug: 1, usage: 2, credential: 3, upstream: 4 } as const;

interface ErrorOptionsWithHint {
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Base of all errors made by this program. `code` is stable and machine-readable. */
export class FacadeError extends Error {
  override readonly name: string = "FacadeError";
  readonly code: string;
  /** One imperative line: what to do now. */
  readonly hint: string | undefined;
  /** Exit code of a command that ends with this error. */
  readonly exitCode: number = EXIT.bug;

  constructor(code: string, message: string, options: ErrorOptionsWithHint = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** The command line cannot be understood. */
export class UsageError extends FacadeError {
  override readonly name = "UsageError";
  override readonly exitCode = EXIT.usage;

  constructor(message: string, options: ErrorOptionsWithHint = {}) {
    super("usage", message, options);
  }
}

/** A person or the system asked a command to end. */
export class InterruptedError extends FacadeError {
  override readonly name = "InterruptedError";
  override readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM" | "SIGHUP") {
    super("interrupted", `Cannot finish: ended by ${signal}`);
    // As shells count: 128 and the signal's number.
    this.exitCode = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal];
  }
}

/** One thing wrong in a configuration: where, what was found, what is wanted. */
export interface ConfigProblem {
  readonly file: string;
  /** Server name; absent when the file as a whole is meant. */
  readonly server?: string;
  /** Dotted path below the server entry, such as `upstream.url`. */
  readonly field?: string;
  /** What was found and what is wanted, in one line. */
  readonly state: string;
}

/** All problems of a configuration at once, one line each in the message. */
export class ConfigError extends FacadeError {
  override readonly name = "ConfigError";
  override readonly exitCode = EXIT.usage;
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], options: ErrorOptionsWithHint = {}) {
    super("config", problems.map(renderProblem).join("\n"), options);
    this.problems = problems;
  }
}

/** The token CLI failed, or gave a token that is refused as well. */
export class CredentialError extends FacadeError {
  override readonly name = "CredentialError";
  override readonly exitCode = EXIT.credential;

  constructor(message: string, options: ErrorOptionsWithHint = {}) {
    super("credential", message, options);
  }
}

/**
 * - `auth`: refused for want of a valid credential (HTTP 401, 403, or a JSON-RPC error that says so)
 * - `timeout`: no sign of life within the limit
 * - `unreachable`: no connection could be made; nothing was sent
 * - `closed`: the connection ended while an answer was awaited; the outcome is unknown
 * - `session`: the HTTP session is unknown to the upstream (404); the request was not executed
 * - `protocol`: the answer is not what MCP or HTTP promise
 * - `shutdown`: we are ending; nothing failed
 * - `refused`: a well-formed refusal (4xx, 5xx, a JSON-RPC error at the handshake)
 */
export type UpstreamErrorKind =
  | "auth"
  | "timeout"
  | "unreachable"
  | "closed"
  | "session"
  | "protocol"
  | "shutdown"
  | "refused";

/** The upstream, or the way to it, failed. */
export class UpstreamError extends FacadeError {
  override readonly name = "UpstreamError";
  override readonly exitCode: number;
  readonly kind: UpstreamErrorKind;

  constructor(kind: UpstreamErrorKind, message: string, options: ErrorOptionsWithHint = {}) {
    super(`upstream-${kind}`, message, options);
    this.kind = kind;
    this.exitCode = kind === "auth" ? EXIT.credential : EXIT.upstream;
  }
}

/** The system's name for what went wrong, such as `ENOENT`; undefined when the error has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/** `file: server "acme": upstream.url: found 5, wanted a string` */
export function renderProblem(problem: ConfigProblem): string {
  const server = problem.server === undefined ? "" : `server "${problem.server}": `;
  const field = problem.field === undefined ? "" : `${problem.field}: `;
  return `${problem.file}: ${server}${field}${problem.state}`;
}

/**
 * The words of a failure, for a model or a person: message, then hint, without stack or cause.
 * Errors that are not ours are bugs; only their message is shown.
 */
export function renderError(error: unknown): string {
  if (error instanceof FacadeError) {
    return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
