// The time limits of a credential, as values, so that tests need not wait for them.

export interface CredentialLimits {
  /** Longest run of the token CLI. */
  readonly cliTimeoutMs: number;
  /** How long no renewal is forced after one that was useless. */
  readonly backOffMs: number;
  /** An older lock is taken over; not less than a renewal can take. */
  readonly lockStaleMs: number;
  /** Pause between two looks at a lock that another process holds. */
  readonly lockPollMs: number;
}

export const CREDENTIAL_LIMITS: CredentialLimits = {
  cliTimeoutMs: 30_000,
  backOffMs: 60_000,
  lockStaleMs: 60_000,
  lockPollMs: 50,
};
