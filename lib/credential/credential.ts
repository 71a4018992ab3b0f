// The credential of one upstream: asked from the token CLI once, kept in memory, renewed when the
// upstream refuses it. Invariants: one run of each kind at a time; every token ever seen is known
// to the redactor before anybody else sees it; an error names the credential, the server and how
// to log in again.
import type { CredentialSource } from "../config/server-entry.ts";
import { CredentialError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Redactor } from "../redactor.ts";
import { CREDENTIAL_LIMITS, type CredentialLimits } from "./limits.ts";
import { renderLoginHint } from "./login-hint.ts";
import { createRefusedTokens } from "./refused-tokens.ts";
import { createRenewal, stateOf } from "./renewal.ts";
import { runTokenCli, TokenCliError } from "./token-cli.ts";

/** What authorises us to the upstream: the seam between upstream/ and the token CLI. */
export interface Credential {
  readonly id: string;
  /** The token to send with, without line break. Asks the CLI at the first call, then from memory. */
  token(): Promise<string>;
  /**
   * A token other than `refused`, which the upstream has just answered with 401.
   * Concurrent calls share one renewal, in this process and across processes.
   * Throws `CredentialError` when there is none to be had, saying what to do.
   */
  renew(refused: string): Promise<string>;
  /** The error for a request whose renewed token was refused as well; starts the back-off. */
  refusedAgain(token: string): Error;
  /** Ends a running CLI. */
  close(): Promise<void>;
}

export interface CredentialOptions {
  readonly source: CredentialSource;
  /** Server name, for messages. */
  readonly server: string;
  /** `X.renew.lock` beside the catalogs; the record of the last renewal is `X.renew.last`. */
  readonly lockFile: string;
  /** Must know the configured secrets already: a command line is shown in messages. */
  readonly redactor: Redactor;
  readonly log: Log;
  /** Wall now in ms, the same for all processes. */
  readonly now: () => number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Home folder: `omp` is looked for in its `.bun/bin` first. */
  readonly home: string;
  readonly limits?: Partial<CredentialLimits>;
}

const MISSING_HINT = "Install it, or name another program in upstream.tokenCommand";

export function createCredential(options: CredentialOptions): Credential {
  const { source, redactor, now } = options;
  const limits = { ...CREDENTIAL_LIMITS, ...options.limits };
  const closing = new AbortController();
  const subject = `credential "${source.id}" of "${options.server}"`;
  const fail = (message: string, cause?: unknown): CredentialError => {
    const isMissing = cause instanceof TokenCliError && cause.failure === "missing";
    const hint = isMissing ? MISSING_HINT : redactor.redact(renderLoginHint(source.tokenCommand));
    return new CredentialError(redactor.redact(message), { hint, cause });
  };
  const run = async (argv: readonly string[]): Promise<string> => {
    const token = await runTokenCli({
      argv,
      environment: options.environment,
      home: options.home,
      timeoutMs: limits.cliTimeoutMs,
      signal: closing.signal,
    });
    redactor.add(token);
    return token;
  };
  const refused = createRefusedTokens({ now, keepMs: limits.backOffMs });
  const renewal = createRenewal({
    source,
    lockFile: options.lockFile,
    limits,
    refused,
    log: options.log,
    now,
    run,
    fail: (state, cause) => fail(`Cannot renew ${subject} after 401 unauthorized: ${state}`, cause),
    closing: closing.signal,
  });
  let current: string | undefined;
  let asking: Promise<string> | undefined;
  let renewing: Promise<string> | undefined;
  let recording: Promise<void> | undefined;

  const ask = async (): Promise<string> => {
    try {
      current = await run(source.tokenCommand);
      return current;
    } catch (error) {
      throw fail(`Cannot get a token for ${subject}: ${stateOf(error)}`, error);
    } finally {
      asking = undefined;
    }
  };
  const renew = async (): Promise<string> => {
    try {
      current = await renewal.renew();
      return current;
    } finally {
      renewing = undefined;
    }
  };

  return {
    id: source.id,
    async token() {
      if (current !== undefined) return current;
      asking ??= ask();
      return await asking;
    },
    async renew(refusedToken) {
      refused.note(refusedToken);
      for (;;) {
        if (current !== undefined && !refused.has(current)) return current;
        renewing ??= renew();
        await renewing;
      }
    },
    refusedAgain(token) {
      refused.note(token);
      recording = renewal.noteUseless(token);
      return fail(`Cannot use ${subject}: 401 unauthorized, also with another token`);
    },
    async close() {
      closing.abort();
      await Promise.allSettled([asking, renewing, recording]);
    },
  };
}
