import { describe, expect, test } from "bun:test";
import { networkError } from "../../lib/upstream/network-error.ts";

// Codes and texts as Bun 1.4.5 throws them.
const TABLE: readonly (readonly [string | undefined, string, string])[] = [
  ["ECONNREFUSED", "unreachable", 'Cannot reach "acme": host:80 refused the connection'],
  ["ENOTFOUND", "unreachable", 'Cannot reach "acme": host:80 is not a known host name'],
  [
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "unreachable",
    'Cannot reach "acme": the certificate of host:80 was not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "unreachable",
    'Cannot reach "acme": the certificate of host:80 was not accepted (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "unreachable",
    'Cannot reach "acme": the certificate of host:80 was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  [
    "ERR_PROXY_TUNNEL",
    "unreachable",
    'Cannot reach "acme": the proxy gave no way to host:80 (ERR_PROXY_TUNNEL)',
  ],
  [
    "UnsupportedProxyProtocol",
    "unreachable",
    'Cannot reach "acme": the proxy gave no way to host:80 (UnsupportedProxyProtocol)',
  ],
  [
    "ECONNRESET",
    "closed",
    'Cannot get an answer from "acme": the connection broke; whether the request was carried out is unknown',
  ],
  [
    undefined,
    "closed",
    'Cannot get an answer from "acme": the connection broke; whether the request was carried out is unknown',
  ],
  [
    "Malformed_HTTP_Response",
    "closed",
    'Cannot get an answer from "acme": the connection broke (Malformed_HTTP_Response); whether the request was carried out is unknown',
  ],
];

describe("networkError()", () => {
  for (const [code, kind, message] of TABLE) {
    test(`sorts ${code ?? "an error without code"}`, () => {
      const error = Object.assign(new TypeError('fetching "https://host/?key=s3cret"'), { code });
      const sorted = networkError({ server: "acme", host: "host:80", error });
      expect([sorted.kind, sorted.message]).toEqual([kind, message] as [
        typeof sorted.kind,
        string,
      ]);
    });
  }
});
