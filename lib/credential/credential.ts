// What authorises us to the upstream: the seam between upstream/ and the token CLI.

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
