// Gets a token other than those the upstream refused: ask the token CLI, compare, force a new one.
// One renewal at a time on this machine (renew-lock.ts). A forced renewal consumes a grant, so one
// that did not help is not repeated within the back-off, by this process or another one.
import type { CredentialSource } from "../config/server-entry.ts";
import type { Log } from "../log.ts";
import type { CredentialLimits } from "./limits.ts";
import { createBackOff, type RefusedTokens } from "./refused-tokens.ts";
import { isLocked, type LockAttempt, tryLock } from "./renew-lock.ts";
import { type RenewalRecord, readRecord, writeRecord } from "./renewal-record.ts";
import { TokenCliError } from "./token-cli.ts";

export interface RenewalOptions {
  readonly source: CredentialSource;
  readonly lockFile: string;
  readonly limits: CredentialLimits;
  readonly refused: RefusedTokens;
  readonly log: Log;
  readonly now: () => number;
  /** Runs the token CLI; rejects with `TokenCliError`. */
  readonly run: (argv: readonly string[]) => Promise<string>;
  /** The error of a renewal that gave no token. */
  readonly fail: (state: string, cause?: unknown) => Error;
  readonly closing: AbortSignal;
}

export interface Renewal {
  /** Never gives a refused token. */
  renew(): Promise<string>;
  /** The upstream refused this token, which it was given after a renewal. */
  noteUseless(token: string): Promise<void>;
}

/** Rounds in a changing world (others renew again and again) before we give up. */
const MAX_ROUNDS = 5;
const USELESS = "the renewed token was refused as well";

export function createRenewal(options: RenewalOptions): Renewal {
  const { source, limits, refused, now, run, fail } = options;
  const lockOptions = { lockFile: options.lockFile, now, staleMs: limits.lockStaleMs };
  const recordFile = `${options.lockFile.replace(/\.lock$/, "")}.last`;
  const backOff = createBackOff({ now, pauseMs: limits.backOffMs });
  /** The last token that a forced renewal of ours gave. */
  let forced: string | undefined;
  let lockWarned = false;

  /** The current token; undefined when `tokenCommand` failed in a way that a renewal may mend. */
  const ask = async (): Promise<string | undefined> => {
    try {
      return await run(source.tokenCommand);
    } catch (error) {
      const isMendable =
        error instanceof TokenCliError && ["failed", "unusable"].includes(error.failure);
      if (isMendable && source.renewCommand !== undefined) return undefined;
      throw fail(stateOf(error), error);
    }
  };

  const force = async (renewCommand: readonly string[]): Promise<string> => {
    let token: string;
    try {
      token = await run(renewCommand);
    } catch (error) {
      const timedOut = error instanceof TokenCliError && error.failure === "timeout";
      if (timedOut) backOff.start(stateOf(error));
      else backOff.noteFailure(stateOf(error));
      throw fail(stateOf(error), error);
    }
    backOff.noteSuccess();
    const record = { credentialId: source.id, renewedAtMs: now() };
    if (refused.has(token)) {
      const state = "the renewal gave a token that had just been refused";
      backOff.start(state);
      await writeRecord(recordFile, { ...record, uselessAtMs: now() });
      throw fail(state);
    }
    await writeRecord(recordFile, record);
    options.log.line(`credential "${source.id}": the token was renewed`);
    forced = token;
    return token;
  };

  const requireNoBackOff = (): void => {
    const state = backOff.state();
    if (state !== undefined) throw fail(state);
  };

  /** With the lock: forces, unless the record says that it is useless or already done. */
  const renewLocked = async (askedAtMs: number): Promise<string | undefined> => {
    const record = await readRecord(recordFile, source.id);
    const nowMs = now();
    if (record !== undefined && record.renewedAtMs <= nowMs) {
      if (isUseless(record, nowMs)) backOff.start(USELESS, record.uselessAtMs);
      // Renewed since we asked: that token may be the one we need.
      else if (record.renewedAtMs > askedAtMs) return undefined;
    }
    requireNoBackOff();
    return await force(source.renewCommand ?? source.tokenCommand);
  };
  const isUseless = (record: RenewalRecord, nowMs: number): boolean =>
    record.uselessAtMs !== undefined && nowMs - record.uselessAtMs < limits.backOffMs;

  const waitForOthers = async (): Promise<void> => {
    while (await isLocked(lockOptions)) {
      if (options.closing.aborted) throw fail("we are closing");
      await Bun.sleep(limits.lockPollMs);
    }
  };

  const warnWithoutLock = (lock: LockAttempt): void => {
    if (lock.state !== "unavailable" || lockWarned) return;
    lockWarned = true;
    options.log.line(`cannot lock ${options.lockFile} (${lock.reason}): renewing without a lock`);
  };

  return {
    async renew() {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const askedAtMs = now();
        const asked = await ask();
        if (asked !== undefined && !refused.has(asked)) return asked;
        if (source.renewCommand === undefined) {
          throw fail("the token command still gives the refused token");
        }
        requireNoBackOff();
        const lock = await tryLock(lockOptions);
        if (lock.state === "busy") {
          await waitForOthers();
          continue;
        }
        try {
          warnWithoutLock(lock);
          const token = await renewLocked(askedAtMs);
          if (token !== undefined) return token;
        } finally {
          if (lock.state === "held") await lock.release();
        }
      }
      throw fail("other processes renew it again and again");
    },
    async noteUseless(token) {
      if (token !== forced) return;
      forced = undefined;
      backOff.start(USELESS);
      const atMs = now();
      await writeRecord(recordFile, {
        credentialId: source.id,
        renewedAtMs: atMs,
        uselessAtMs: atMs,
      });
    },
  };
}

export function stateOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
