// What Bun's fetch throws, sorted by code into the two things that matter: nothing was sent, or
// something was and the outcome is unknown.
import { errorCode, UpstreamError } from "../errors.ts";

/** States of the ways in which no connection comes about. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ConnectionRefused: "refused the connection",
  FailedToOpenSocket: "could not be connected to",
  ENOTFOUND: "is not a known host name",
  EAI_AGAIN: "could not be looked up; the name service does not answer",
  EHOSTUNREACH: "is not reachable from here",
  ENETUNREACH: "is not reachable from here",
  ETIMEDOUT: "did not take the connection in time",
};

const PROXY_CODE = /proxy/i;
const TLS_CODE = /CERT|SSL|TLS|UNABLE_TO_|HOSTNAME_MISMATCH/;

/** The request was sent, or may have been. */
export function outcomeUnknown(server: string, state: string, cause?: unknown): UpstreamError {
  return new UpstreamError(
    "closed",
    `Cannot get an answer from "${server}": ${state}; whether the request was carried out is unknown`,
    { hint: "Check what it did before you repeat it", cause },
  );
}

export function closingError(server: string): UpstreamError {
  return new UpstreamError("closed", `Cannot reach "${server}": the connection is being closed`);
}

/** `host` is shown; the URL is not, as it may carry secrets. */
export function networkError(options: {
  readonly server: string;
  readonly host: string;
  readonly error: unknown;
}): UpstreamError {
  const { server, host, error } = options;
  const code = errorCode(error);
  const state = code === undefined ? undefined : UNREACHABLE[code];
  if (state !== undefined) {
    return new UpstreamError("unreachable", `Cannot reach "${server}": ${host} ${state}`, {
      hint: "Check that the server runs, and upstream.url",
      cause: error,
    });
  }
  if (code === "EPROTO") {
    return new UpstreamError(
      "unreachable",
      `Cannot reach "${server}": ${host} does not speak TLS`,
      {
        hint: "Write http: instead of https: in upstream.url, if that is meant",
        cause: error,
      },
    );
  }
  if (code !== undefined && PROXY_CODE.test(code)) {
    return new UpstreamError(
      "unreachable",
      `Cannot reach "${server}": the proxy gave no way to ${host} (${code})`,
      { hint: "Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY", cause: error },
    );
  }
  if (code !== undefined && TLS_CODE.test(code)) {
    return new UpstreamError(
      "unreachable",
      `Cannot reach "${server}": the certificate of ${host} was not accepted (${code})`,
      { hint: "Name the authority's certificate in NODE_EXTRA_CA_CERTS", cause: error },
    );
  }
  const how =
    code === undefined || code === "ECONNRESET" || code === "ConnectionClosed"
      ? "the connection broke"
      : `the connection broke (${code})`;
  return outcomeUnknown(server, how, error);
}
