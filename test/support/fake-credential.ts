// A credential whose tokens are `token-1`, `token-2`, ...: each renewal of the newest gives the next.
import type { Credential } from "../../lib/credential/credential.ts";
import { CredentialError } from "../../lib/errors.ts";

export interface FakeCredential extends Credential {
  /** Tokens that were renewed, in order. */
  readonly renewed: readonly string[];
  readonly refusedTwice: readonly string[];
}

export function createFakeCredential(): FakeCredential {
  const renewed: string[] = [];
  const refusedTwice: string[] = [];
  let number = 1;
  return {
    id: "acme-login",
    renewed,
    refusedTwice,
    token: async () => `token-${number}`,
    async renew(refused) {
      renewed.push(refused);
      if (refused === `token-${number}`) number += 1;
      return `token-${number}`;
    },
    refusedAgain(token) {
      refusedTwice.push(token);
      return new CredentialError('Cannot use credential "acme-login": refused again');
    },
    async close() {},
  };
}
