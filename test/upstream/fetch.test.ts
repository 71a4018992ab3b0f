import { afterEach, describe, expect, test } from "bun:test";
import { createUpstreamFetch, type UpstreamRequest } from "../../lib/upstream/fetch.ts";
import { createFakeCredential } from "../support/fake-credential.ts";
import { type HttpUpstreamOptions, startHttpUpstream } from "../upstreams/http-upstream.ts";
import type { ResponseWriter, SeenRequest } from "../upstreams/http-wire.ts";

const cleanups: (() => PromiseLike<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(respond: (request: SeenRequest, response: ResponseWriter) => void) {
  const options: HttpUpstreamOptions = {
    respond(request, response) {
      respond(request, response);
      return true;
    },
  };
  const upstream = await startHttpUpstream(options);
  cleanups.push(() => upstream[Symbol.asyncDispose]());
  return upstream;
}

function fetchFrom(
  url: string,
  options: {
    headers?: Record<string, string>;
    credential?: ReturnType<typeof createFakeCredential>;
  } = {},
) {
  const upstream = {
    kind: "http",
    url,
    headers: options.headers ?? {},
    credential: undefined,
  } as const;
  return createUpstreamFetch({ upstream, server: "acme", credential: options.credential });
}

const signal = new AbortController().signal;
const POST: UpstreamRequest = { method: "POST", headers: { Accept: "x/y" }, body: "{}", signal };
const GET: UpstreamRequest = { method: "GET", headers: {}, signal };

function failure(promise: Promise<unknown>): Promise<{ kind: unknown; message: string }> {
  return promise.then(
    () => ({ kind: "none", message: "no failure" }),
    (error) => ({ kind: error.kind ?? error.name, message: error.message }),
  );
}

describe("createUpstreamFetch()", () => {
  test("sends configured headers, the protocol's own over them, and the token over all", async () => {
    const upstream = await start((_, response) => response.status(200));
    const headers = { Authorization: "Basic own", accept: "own", "X-Key": "k" };
    const fetch = fetchFrom(upstream.url, { headers, credential: createFakeCredential() });
    for (const method of ["POST", "GET", "DELETE"] as const) {
      await fetch.send({ ...GET, method, headers: POST.headers });
    }
    expect(
      upstream.seen.map(({ method, headers: seen }) => [
        method,
        seen.authorization,
        seen.accept,
        seen["x-key"],
      ]),
    ).toEqual([
      ["POST", "Bearer token-1", "x/y", "k"],
      ["GET", "Bearer token-1", "x/y", "k"],
      ["DELETE", "Bearer token-1", "x/y", "k"],
    ]);
  });

  test("leaves the configured Authorization alone without a credential", async () => {
    const upstream = await start((_, response) => response.status(200));
    await fetchFrom(upstream.url, { headers: { Authorization: "Bearer own" } }).send(POST);
    expect(upstream.seen[0]?.headers.authorization).toBe("Bearer own");
  });

  test("lets no header be smuggled in, and shows no value", async () => {
    const upstream = await start((_, response) => response.status(200));
    const headers = { "X-Key": "s3cret\r\nX-Other: 1" };
    const error = await failure(fetchFrom(upstream.url, { headers }).send(POST));
    expect(error.message).toBe(
      'Cannot send header "X-Key" to "acme": HTTP allows no such name or value',
    );
    const credential = { ...createFakeCredential(), token: async () => "s3cret\r\nX-Other: 1" };
    const refused = await failure(fetchFrom(upstream.url, { credential }).send(POST));
    expect(refused.message).toBe(
      'Cannot use the token of credential "acme-login": it holds characters that HTTP headers do not allow',
    );
    expect(upstream.seen).toEqual([]);
  });
});

describe("HTTP 401", () => {
  const acceptOnly = (token: string) => (request: SeenRequest, response: ResponseWriter) =>
    response.status(request.headers.authorization === `Bearer ${token}` ? 200 : 401);

  test("renews the token and sends once more", async () => {
    const upstream = await start(acceptOnly("token-2"));
    const credential = createFakeCredential();
    expect((await fetchFrom(upstream.url, { credential }).send(POST)).status).toBe(200);
    expect(upstream.seen).toHaveLength(2);
    expect(credential.renewed).toEqual(["token-1"]);
  });

  test("is final the second time", async () => {
    const upstream = await start(acceptOnly("none"));
    const credential = createFakeCredential();
    expect(await failure(fetchFrom(upstream.url, { credential }).send(POST))).toEqual({
      kind: "CredentialError",
      message: 'Cannot use credential "acme-login": refused again',
    });
    expect(upstream.seen).toHaveLength(2);
    expect([credential.renewed, credential.refusedTwice]).toEqual([["token-1"], ["token-2"]]);
  });

  test("shares one renewal per message with refusals told in other ways", async () => {
    const upstream = await start(acceptOnly("none"));
    const credential = createFakeCredential();
    const fetch = fetchFrom(upstream.url, { credential });
    const authorization = { token: "token-1", isRenewed: false };
    await fetch.renew(authorization);
    expect(authorization).toEqual({ token: "token-2", isRenewed: true });
    expect((await failure(fetch.send(POST, authorization))).kind).toBe("CredentialError");
    expect(upstream.seen).toHaveLength(1);
  });

  test("says nothing about the token where the request is optional", async () => {
    const upstream = await start(acceptOnly("none"));
    const credential = createFakeCredential();
    const fetch = fetchFrom(upstream.url, { credential });
    expect((await failure(fetch.send({ ...GET, isOptional: true }))).kind).toBe("auth");
    expect([upstream.seen.length, credential.refusedTwice]).toEqual([2, []]);
    expect((await failure(fetch.send({ ...GET, method: "DELETE" }))).kind).toBe("auth");
    expect(upstream.seen).toHaveLength(3);
  });

  test("is told at once without a credential", async () => {
    const upstream = await start(acceptOnly("none"));
    expect(await failure(fetchFrom(upstream.url).send(POST))).toEqual({
      kind: "auth",
      message: 'Cannot reach "acme": it answered HTTP 401',
    });
    expect(upstream.seen).toHaveLength(1);
  });
});

describe("a redirect", () => {
  const redirect = (status: number, location: (origin: string) => string) => {
    let origin = "";
    const started = start((request, response) => {
      if (request.path === "/final") response.status(200);
      else response.status(status, { Location: location(origin) });
    });
    return started.then((upstream) => {
      origin = new URL(upstream.url).origin;
      return upstream;
    });
  };

  for (const status of [307, 308]) {
    test(`with ${status} is followed inside the origin, the request as it is`, async () => {
      const upstream = await redirect(status, () => "/final");
      const credential = createFakeCredential();
      expect((await fetchFrom(upstream.url, { credential }).send(POST)).status).toBe(200);
      expect(
        upstream.seen.map(({ method, path, text, headers }) => [
          method,
          path,
          text,
          headers.authorization,
        ]),
      ).toEqual([
        ["POST", "/mcp", "{}", "Bearer token-1"],
        ["POST", "/final", "{}", "Bearer token-1"],
      ]);
    });
  }

  test("keeps the login of the URL", async () => {
    const upstream = await redirect(307, (origin) => `${origin}/final`);
    await fetchFrom(upstream.url.replace("//", "//user:pass@")).send(POST);
    expect(upstream.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${btoa("user:pass")}`,
      `Basic ${btoa("user:pass")}`,
    ]);
  });

  test("is followed by a GET whatever its kind", async () => {
    const upstream = await redirect(302, (origin) => `${origin}/final`);
    expect((await fetchFrom(upstream.url).send(GET)).status).toBe(200);
  });

  for (const status of [301, 302, 303]) {
    test(`with ${status} is not followed by a POST, which would lose its content`, async () => {
      const upstream = await redirect(status, (origin) => `${origin}/final?ticket=s3cret`);
      const { origin } = new URL(upstream.url);
      expect(await failure(fetchFrom(upstream.url).send(POST))).toEqual({
        kind: "refused",
        message: `Cannot reach "acme": it moves requests to ${origin}/final by HTTP ${status}, which drops their content`,
      });
      expect(upstream.seen).toHaveLength(1);
    });
  }

  test("to another origin is an error, and nothing goes there", async () => {
    const elsewhere = await start((_, response) => response.status(200));
    const upstream = await redirect(307, () => `${elsewhere.url}?ticket=s3cret`);
    const [from, to] = [new URL(upstream.url).origin, new URL(elsewhere.url).origin];
    for (const request of [POST, GET]) {
      expect(await failure(fetchFrom(upstream.url).send(request))).toEqual({
        kind: "refused",
        message: `Cannot reach "acme": it redirects from ${from} to ${to}, where no secrets may go`,
      });
    }
    expect(elsewhere.seen).toEqual([]);
  });

  test("that never ends is given up", async () => {
    const upstream = await redirect(307, () => "/mcp");
    expect(await failure(fetchFrom(upstream.url).send(POST))).toEqual({
      kind: "refused",
      message: 'Cannot reach "acme": it redirects more than 5 times',
    });
    expect(upstream.seen).toHaveLength(6);
  });
});

describe("a server that cannot be reached", () => {
  test("is named with its host, and nothing of the URL but that", async () => {
    const upstream = await start(() => undefined);
    await upstream[Symbol.asyncDispose]();
    const url = `${upstream.url}?key=s3cret`;
    expect(await failure(fetchFrom(url).send(POST))).toEqual({
      kind: "unreachable",
      message: `Cannot reach "acme": 127.0.0.1:${upstream.port} refused the connection`,
    });
    expect(await failure(fetchFrom("http://nowhere.invalid/mcp?key=s3cret").send(POST))).toEqual({
      kind: "unreachable",
      message: 'Cannot reach "acme": nowhere.invalid is not a known host name',
    });
  });
});
