// One HTTP request to the upstream: configured headers and token on it, 401 answered with a
// renewed token once, redirects followed inside the origin only. Secrets never leave the origin,
// and a request is repeated in no other case.
import type { HttpUpstream } from "../config/server-entry.ts";
import type { Credential } from "../credential/credential.ts";
import { CredentialError, UpstreamError } from "../errors.ts";
import { closingError, networkError } from "./network-error.ts";

export interface UpstreamRequest {
  readonly method: "POST" | "GET" | "DELETE";
  /** The protocol's own headers; they win over configured ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Another address of the same origin than `upstream.url`. */
  readonly url?: URL;
  /** The upstream may refuse it without harm, so that a second 401 says nothing about the token. */
  readonly isOptional?: boolean;
}

/** How far one message has got with its token; shared by all requests made for it. */
export interface Authorization {
  token: string | undefined;
  isRenewed: boolean;
}

export interface UpstreamFetch {
  /**
   * Any status but 401 and redirects is a response. Throws `UpstreamError`, or the credential's
   * own error when no accepted token could be had.
   */
  send(request: UpstreamRequest, authorization?: Authorization): Promise<Response>;
  /** The upstream has refused the token in another way than by 401. Throws when it may not go again. */
  renew(authorization: Authorization): Promise<void>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const KEEPING_METHOD: readonly number[] = [307, 308];

export function createUpstreamFetch(options: {
  readonly upstream: HttpUpstream;
  readonly server: string;
  readonly credential: Credential | undefined;
}): UpstreamFetch {
  const { upstream, server, credential } = options;
  const base = new URL(upstream.url);

  const buildHeaders = (request: UpstreamRequest, token: string | undefined): Headers => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(upstream.headers)) {
      setHeader(
        headers,
        name,
        value,
        () =>
          new UpstreamError(
            "unreachable",
            `Cannot send header "${name}" to "${server}": HTTP allows no such name or value`,
            {
              hint: "Correct upstream.headers",
            },
          ),
      );
    }
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, value);
    if (token !== undefined && credential !== undefined) {
      setHeader(headers, "Authorization", `Bearer ${token}`, () => unusableToken(credential));
    }
    return headers;
  };

  const follow = async (request: UpstreamRequest, token: string | undefined): Promise<Response> => {
    const headers = buildHeaders(request, token);
    let url = request.url ?? base;
    if (url.origin !== base.origin) throw leavesOrigin(server, base, url);
    for (let hops = 0; ; hops += 1) {
      if (request.signal.aborted) throw closingError(server);
      const response = await fetchOnce(server, url, request, headers);
      const target = redirectTarget(response, url);
      if (target === undefined) return response;
      await discard(response);
      if (target.origin !== base.origin) throw leavesOrigin(server, base, target);
      if (request.method === "POST" && !KEEPING_METHOD.includes(response.status)) {
        const state = `it moves requests to ${withoutQuery(target)} by HTTP ${response.status}, which drops their content`;
        throw new UpstreamError("refused", `Cannot reach "${server}": ${state}`, {
          hint: "Set upstream.url to that address",
        });
      }
      if (hops === MAX_REDIRECTS) {
        throw new UpstreamError(
          "refused",
          `Cannot reach "${server}": it redirects more than ${MAX_REDIRECTS} times`,
          {
            hint: "Set upstream.url to the address it ends at",
          },
        );
      }
      url = target;
    }
  };

  const renew = async (authorization: Authorization): Promise<void> => {
    const { token } = authorization;
    if (credential === undefined || token === undefined) throw unauthorized(server, undefined);
    if (authorization.isRenewed) throw credential.refusedAgain(token);
    authorization.isRenewed = true;
    authorization.token = await credential.renew(token);
  };

  return {
    async send(request, authorization = { token: undefined, isRenewed: false }) {
      if (credential !== undefined) authorization.token ??= await credential.token();
      for (;;) {
        const response = await follow(request, authorization.token);
        if (response.status !== 401) return response;
        await discard(response);
        // Ending a session is a courtesy, and no reason to ask for a token.
        const isFinal = credential === undefined || request.method === "DELETE";
        const isGivenUp = request.isOptional === true && authorization.isRenewed;
        if (isFinal || isGivenUp) throw unauthorized(server, response);
        await renew(authorization);
      }
    },
    renew,
  };
}

/** Lets go of a body nobody wants, so that its connection can be used again or closed. */
export async function discard(response: Response): Promise<void> {
  try {
    await response.body?.cancel();
  } catch {
    // It has failed or ended already.
  }
}

async function fetchOnce(
  server: string,
  url: URL,
  request: UpstreamRequest,
  headers: Headers,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: request.signal,
      redirect: "manual",
      // A call may take its time; Bun would end a silent connection after five minutes.
      timeout: false,
    });
  } catch (error) {
    if (request.signal.aborted) throw closingError(server);
    throw networkError({ server, host: url.host, error });
  }
}

function redirectTarget(response: Response, from: URL): URL | undefined {
  if (!REDIRECTS.includes(response.status)) return undefined;
  const location = response.headers.get("Location");
  const target = location === null ? null : URL.parse(location, from.href);
  if (target === null) return undefined;
  // A login in upstream.url holds for the whole origin, as headers do.
  if (target.origin === from.origin) {
    target.username = from.username;
    target.password = from.password;
  }
  return target;
}

function leavesOrigin(server: string, base: URL, target: URL): UpstreamError {
  const state = `it redirects from ${base.origin} to ${originOf(target)}, where no secrets may go`;
  return new UpstreamError("refused", `Cannot reach "${server}": ${state}`, {
    hint: "Set upstream.url to the server's own address, and log in again if that is a login page",
  });
}

function originOf(url: URL): string {
  return url.origin === "null" ? url.protocol : url.origin;
}

function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Errors of `Headers` may show the value, so they are replaced whole. */
function setHeader(headers: Headers, name: string, value: string, fail: () => Error): void {
  try {
    headers.set(name, value);
  } catch {
    throw fail();
  }
}

function unusableToken(credential: Credential): CredentialError {
  const subject = `Cannot use the token of credential "${credential.id}"`;
  return new CredentialError(`${subject}: it holds characters that HTTP headers do not allow`, {
    hint: "Let the token command print the token alone",
  });
}

function unauthorized(server: string, response: Response | undefined): UpstreamError {
  const wanted = response === undefined ? "" : renderChallenge(response);
  return new UpstreamError("auth", `Cannot reach "${server}": it answered HTTP 401${wanted}`, {
    hint: "Check upstream.headers, or set upstream.credentialId",
  });
}

/** `, insufficient_scope, wanted scope "a b"`: what a WWW-Authenticate header says, if it is plain. */
export function renderChallenge(response: Response): string {
  const header = response.headers.get("WWW-Authenticate") ?? "";
  const error = /\berror="([\w.-]{1,60})"/.exec(header)?.[1];
  const scope = /\bscope="([\x20\x21\x23-\x5b\x5d-\x7e]{1,200})"/.exec(header)?.[1];
  return `${error === undefined ? "" : `, ${error}`}${scope === undefined ? "" : `, wanted scope "${scope}"`}`;
}
