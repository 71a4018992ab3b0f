import { afterEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { type HttpLimits, openHttp } from "../../lib/upstream/http.ts";
import type { createFakeCredential } from "../support/fake-credential.ts";
import { until } from "../support/until.ts";
import { createWireDriver, VERSION } from "../support/wire-driver.ts";
import { type HttpUpstreamOptions, startHttpUpstream } from "../upstreams/http-upstream.ts";
import type { ResponseWriter, SeenRequest } from "../upstreams/http-wire.ts";

const cleanups: (() => PromiseLike<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(
  options: HttpUpstreamOptions & {
    readonly limits?: Partial<HttpLimits>;
    readonly headers?: Record<string, string>;
    readonly credential?: ReturnType<typeof createFakeCredential>;
    readonly opensSession?: boolean;
  } = {},
) {
  const upstream = await startHttpUpstream(options);
  cleanups.push(() => upstream[Symbol.asyncDispose]());
  const driver = createWireDriver();
  const connection = openHttp({
    upstream: {
      kind: "http",
      url: upstream.url,
      headers: options.headers ?? {},
      credential: undefined,
    },
    server: "acme",
    events: driver.events,
    log: driver.log,
    credential: options.credential,
    limits: { resumePauseMs: 1, ...options.limits },
  });
  cleanups.push(() => connection.close());
  if (options.opensSession !== false) await driver.shakeHands(connection);
  return { upstream, driver, connection };
}

/** Takes over the answer to tools/call, and nothing else. */
function onCall(
  respond: (request: SeenRequest, response: ResponseWriter) => void,
): NonNullable<HttpUpstreamOptions["respond"]> {
  return (request, response) => {
    if (request.message?.method !== "tools/call") return false;
    respond(request, response);
    return true;
  };
}

async function refusal(respond: (request: SeenRequest, response: ResponseWriter) => void) {
  const { driver, connection, upstream } = await open({ respond: onCall(respond) });
  const error = await driver.failure(connection, "tools/call", { name: "echo" });
  expect(upstream.posts("tools/call")).toHaveLength(1);
  return error;
}

const answerOf = ({ message }: SeenRequest, text = "ok") => ({
  jsonrpc: "2.0",
  id: message?.id,
  result: { content: [{ type: "text", text }] },
});

describe("openHttp()", () => {
  test("sends nothing by itself", async () => {
    const { upstream, connection } = await open({ opensSession: false });
    await connection.close();
    expect(upstream.seen).toEqual([]);
  });

  test("carries session, version and content headers once they are known", async () => {
    const { upstream, driver, connection } = await open({ headers: { "X-Key": "k" } });
    await driver.callTool(connection, "echo");
    await until(() => upstream.of("GET").length > 0, "the GET stream");
    const [session] = upstream.sessions;
    const shown = upstream.seen.map(({ method, message, headers }) => ({
      what: message?.method ?? method,
      accept: headers.accept,
      type: headers["content-type"],
      session: headers["mcp-session-id"],
      version: headers["mcp-protocol-version"],
      key: headers["x-key"],
    }));
    const post = {
      accept: "application/json, text/event-stream",
      type: "application/json",
      key: "k",
    };
    const known = { session, version: VERSION };
    expect(shown.filter(({ what }) => what !== "GET")).toEqual([
      { what: "initialize", ...post, session: undefined, version: undefined },
      { what: "notifications/initialized", ...post, ...known },
      { what: "tools/call", ...post, ...known },
    ]);
    expect(shown.filter(({ what }) => what === "GET")).toEqual([
      { what: "GET", accept: "text/event-stream", type: undefined, key: "k", ...known },
    ]);
  });

  for (const answerAs of ["json", "events"] as const) {
    test(`takes answers as ${answerAs}, also ten million bytes`, async () => {
      const run = (_name: string, args: unknown) => {
        const { sizeBytes } = args as { sizeBytes: number };
        return { content: [{ type: "text", text: "漢".repeat(sizeBytes / 3) }] };
      };
      const { driver, connection } = await open({ answerAs, run });
      expect(await driver.callTool(connection, "echo", { sizeBytes: 6 })).toBe("漢漢");
      const text = await driver.callTool(connection, "echo", { sizeBytes: 9_999_999 });
      expect(text.length).toBe(3_333_333);
    });
  }

  test("gives every message on one line with its exact values", async () => {
    const { driver, connection } = await open({
      respond: onCall(({ message }, response) => {
        const body = `{\r\n  "jsonrpc": "2.0",\n  "id": ${message?.id},\n  "result": {"n": 12345678901234567890}\n}\n`;
        response.status(200, { "Content-Type": "application/json; charset=utf-8" }, body);
      }),
    });
    await driver.ask(connection, "tools/call", { name: "echo" });
    expect(driver.received.at(-1)?.text).toBe(
      '{   "jsonrpc": "2.0",   "id": 2,   "result": {"n": 12345678901234567890} }',
    );
  });

  test("takes arrays of older servers, the answer among other messages", async () => {
    const note = { jsonrpc: "2.0", method: "notifications/message", params: {} };
    const { driver, connection } = await open({
      respond: onCall((request, response) => response.json([note, answerOf(request), note])),
    });
    expect(await driver.callTool(connection, "echo")).toBe("ok");
    expect(driver.received.slice(1).map(({ message }) => message.method)).toEqual([
      note.method,
      undefined,
      note.method,
    ]);
  });

  test("takes messages before the answer from its event stream, and posts answers to them", async () => {
    const question = { jsonrpc: "2.0", id: 7, method: "sampling/createMessage", params: {} };
    let finish: ((answer: SeenRequest) => void) | undefined;
    const { upstream, driver, connection } = await open({
      respond(request, response) {
        if (request.message?.id === 7) finish?.(request);
        if (request.message?.method !== "tools/call") return false;
        const events = response.events();
        events.raw(": comment\r\n\r\n");
        events.message(question);
        finish = (answer) => {
          events.message(answerOf(request, JSON.stringify(answer.message?.result)));
          events.end();
        };
        return true;
      },
    });
    const called = driver.callTool(connection, "echo");
    await until(() => driver.received.some(({ message }) => message.id === 7), "the question");
    const answer = { jsonrpc: "2.0", id: 7, result: { model: "m" } } as const;
    await connection.send(answer, JSON.stringify(answer));
    expect(await called).toBe('{"model":"m"}');
    const [session] = upstream.sessions;
    expect(
      upstream.posts().find(({ message }) => message?.id === 7)?.headers["mcp-session-id"],
    ).toBe(session);
  });

  test("delivers what the GET stream brings", async () => {
    const note = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
    const { driver } = await open({
      respond(request, response) {
        if (request.method !== "GET") return false;
        response.events().message(note);
        return true;
      },
    });
    const isNote = () => driver.received.some(({ message }) => message.method === note.method);
    await until(isNote, "the notification");
  });

  for (const [what, refuse] of [
    ["405", (response) => response.status(405)],
    ["404", (response) => response.status(404)],
    ["401", (response) => response.status(401)],
    ["JSON", (response) => response.json({})],
    ["an empty stream", (response) => response.events().end()],
    ["a reset", (response) => response.reset()],
  ] as readonly (readonly [string, (response: ResponseWriter) => void])[]) {
    test(`is not disturbed by a GET stream answered with ${what}`, async () => {
      const { upstream, driver, connection } = await open({
        respond(request, response) {
          if (request.method !== "GET") return false;
          refuse(response);
          return true;
        },
      });
      await until(() => upstream.of("GET").length > 0, "the GET");
      expect(await driver.callTool(connection, "echo")).toBe("{}");
      expect([driver.logLines, driver.ends]).toEqual([[], []]);
    });
  }

  test("fails only the request whose answer is over the limit", async () => {
    for (const answerAs of ["json", "events"] as const) {
      const { driver, connection } = await open({
        answerAs,
        limits: { messageBytes: 2 ** 20 },
        run: (_name, args) => ({
          content: [{ type: "text", text: "x".repeat(Number((args as JsonObject).n)) }],
        }),
      });
      const call = { name: "echo", arguments: { n: 2 ** 21 } };
      expect((await driver.failure(connection, "tools/call", call)).message).toBe(
        'Cannot take the answer of "acme": it is too large, wanted at most 1 MB',
      );
      expect(await driver.callTool(connection, "echo", { n: 3 })).toBe("xxx");
    }
  });
});

describe("what is no answer", () => {
  const kindAndWords = (error: Error) => ["kind" in error ? error.kind : error.name, error.message];
  const subject = 'Cannot get an answer from "acme"';

  const table: readonly (readonly [
    string,
    (request: SeenRequest, response: ResponseWriter) => void,
    string,
    string,
  ])[] = [
    [
      "a page",
      (_, response) =>
        response.status(200, { "Content-Type": "Text/HTML; charset=x" }, "<p>LOGIN-PAGE-MARKER"),
      "protocol",
      `${subject}: it sent HTTP 200 with text/html, wanted application/json or text/event-stream`,
    ],
    [
      "no type",
      (_, response) => response.status(200, {}, "hello"),
      "protocol",
      `${subject}: it sent HTTP 200 with no content type, wanted application/json or text/event-stream`,
    ],
    [
      "202",
      (_, response) => response.status(202),
      "protocol",
      `${subject}: it took the request with HTTP 202 and gives no answer to it; the outcome is unknown`,
    ],
    [
      "broken JSON",
      (_, response) => response.status(200, { "Content-Type": "application/json" }, '{"jsonrpc":'),
      "protocol",
      `${subject}: it sent HTTP 200 without the answer to this request; the outcome is unknown`,
    ],
    [
      "another id",
      (request, response) => response.json({ ...answerOf(request), id: "other" }),
      "protocol",
      `${subject}: it sent HTTP 200 without the answer to this request; the outcome is unknown`,
    ],
    [
      "an error without id",
      (_, response) =>
        response.json({
          jsonrpc: "2.0",
          id: null,
          error: { code: -32700, message: "Parse error" },
        }),
      "refused",
      `${subject}: error -32700 "Parse error"`,
    ],
    [
      "an event stream that ends early",
      (_, response) => response.events().end(),
      "closed",
      `${subject}: its event stream ended without the answer; whether the request was carried out is unknown`,
    ],
    [
      "500",
      (_, response) => response.json({ error: "internal" }, { status: 500 }),
      "refused",
      `${subject}: it answered HTTP 500`,
    ],
    [
      "502 with a page",
      (_, response) => response.status(502, { "Content-Type": "text/html" }, "LOGIN-PAGE-MARKER"),
      "refused",
      `${subject}: it answered HTTP 502`,
    ],
    [
      "429 with a time",
      (_, response) => response.status(429, { "Retry-After": "30" }),
      "refused",
      `${subject}: it answered HTTP 429, Retry-After: 30`,
    ],
    [
      "503 with an error and a date",
      ({ message }, response) =>
        response.json(
          { jsonrpc: "2.0", id: message?.id, error: { code: -32000, message: "Busy" } },
          { status: 503, headers: { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" } },
        ),
      "refused",
      `${subject}: it answered HTTP 503, Retry-After: Wed, 21 Oct 2026 07:28:00 GMT, error -32000 "Busy"`,
    ],
    [
      "403 with a challenge",
      (_, response) =>
        response.status(403, {
          "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="a b", x="\u00e4"',
        }),
      "auth",
      `${subject}: it answered HTTP 403, insufficient_scope, wanted scope "a b"`,
    ],
    [
      "400 with an error of no request",
      (_, response) =>
        response.json(
          { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Bad\nRequest" } },
          { status: 400 },
        ),
      "refused",
      `${subject}: it answered HTTP 400, error -32000 "Bad Request"`,
    ],
    [
      "404 for the session",
      (_, response) =>
        response.json(
          { jsonrpc: "2.0", id: null, error: { code: -32001, message: "x" } },
          { status: 404 },
        ),
      "session",
      'Cannot reach "acme": its session is over (HTTP 404)',
    ],
    [
      "401",
      (_, response) => response.status(401, { "WWW-Authenticate": 'Bearer error="invalid_token"' }),
      "auth",
      'Cannot reach "acme": it answered HTTP 401, invalid_token',
    ],
  ];
  for (const [what, respond, kind, message] of table) {
    test(`is told and not repeated: ${what}`, async () => {
      const error = await refusal(respond);
      expect(kindAndWords(error)).toEqual([kind, message]);
      expect(JSON.stringify(error)).not.toContain("LOGIN-PAGE-MARKER");
    });
  }

  test("leaves a JSON-RPC error for the request as it is, whatever the status", async () => {
    const outcome = { code: -32602, message: "no", data: { field: "id" } };
    const { driver, connection } = await open({
      respond: onCall(({ message }, response) =>
        response.json({ jsonrpc: "2.0", id: message?.id, error: outcome }, { status: 400 }),
      ),
    });
    expect((await driver.ask(connection, "tools/call", { name: "echo" })).error).toEqual(outcome);
  });

  test("is of no interest for notifications", async () => {
    const { connection } = await open({
      respond(request, response) {
        if (request.message?.method !== "notifications/x") return false;
        response.status(200, { "Content-Type": "text/html" }, "<p>");
        return true;
      },
    });
    const note = { jsonrpc: "2.0", method: "notifications/x" } as const;
    await connection.send(note, JSON.stringify(note));
  });
});

describe("a session", () => {
  test("can be replaced after it was lost", async () => {
    const { upstream, driver, connection } = await open();
    const [first] = upstream.sessions;
    upstream.sessions.clear();
    expect((await driver.failure(connection, "tools/call", { name: "echo" })).message).toBe(
      'Cannot reach "acme": its session is over (HTTP 404)',
    );
    connection.resetSession();
    await driver.shakeHands(connection);
    expect(await driver.callTool(connection, "echo")).toBe("{}");
    const [, second] = upstream.posts("initialize");
    expect([second?.headers["mcp-session-id"], second?.headers["mcp-protocol-version"]]).toEqual([
      undefined,
      undefined,
    ]);
    expect(upstream.posts("tools/call").at(-1)?.headers["mcp-session-id"]).not.toBe(first);
  });

  test("that is refused with 400 ends the connection, and the call is not repeated", async () => {
    const error = { code: -32000, message: "Bad Request: No valid session ID provided" };
    const { upstream, driver, connection } = await open({
      respond: onCall((_, response) =>
        response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 }),
      ),
    });
    const failure = await driver.failure(connection, "tools/call", { name: "echo" });
    expect(driver.ends.map((end): Error => end)).toEqual([failure]);
    expect(upstream.posts("tools/call")).toHaveLength(1);
  });

  test("is ended with DELETE, and nothing is sent after it", async () => {
    const { upstream, driver, connection } = await open();
    await until(() => upstream.of("GET").length > 0, "the GET stream");
    const before = upstream.seen.length;
    await Promise.all([connection.close(), connection.close()]);
    expect((await driver.failure(connection, "ping")).message).toBe(
      'Cannot reach "acme": the connection is being closed',
    );
    expect(upstream.seen.slice(before).map(({ method }) => method)).toEqual(["DELETE"]);
    expect(upstream.sessions.size).toBe(0);
  });

  test("ends in bounded time when the DELETE is not answered", async () => {
    const { upstream, connection } = await open({
      limits: { closeMs: 20 },
      respond: (request) => request.method === "DELETE",
    });
    await connection.close();
    expect(upstream.of("DELETE")).toHaveLength(1);
  });

  test("takes requests in flight with it when it is closed", async () => {
    const { upstream, driver, connection } = await open({ respond: onCall(() => undefined) });
    const failure = driver.failure(connection, "tools/call", { name: "echo" });
    await until(() => upstream.posts("tools/call").length === 1, "the call");
    await connection.close();
    expect((await failure).message).toBe('Cannot reach "acme": the connection is being closed');
  });
});

describe("a request that is cancelled", () => {
  test("gives its connection up", async () => {
    const { upstream, driver, connection } = await open({
      limits: { cancelledMs: 1 },
      respond: onCall((_, response) => void response.events()),
    });
    const failure = driver.failure(connection, "tools/call", { name: "echo" });
    await until(() => upstream.posts("tools/call").length === 1, "the call");
    const requestId = upstream.posts("tools/call")[0]?.message?.id;
    const note = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    } as const;
    await connection.send(note, JSON.stringify(note));
    expect((await failure).message).toBe('Cannot reach "acme": the connection is being closed');
  });
});

describe("an event stream that breaks", () => {
  test("is taken up after the last event where the server gives ids", async () => {
    const { upstream, driver, connection } = await open({
      respond(request, response, { execute }) {
        const after = request.headers["last-event-id"];
        if (request.method === "GET") {
          if (after === undefined) return false;
          const call = upstream.posts("tools/call")[0];
          const events = response.events();
          if (after === "e1") events.raw("id: e2\ndata:\n\n");
          else if (call !== undefined) events.message(answerOf(call, `after ${after}`));
          events.end();
          return true;
        }
        if (request.message?.method !== "tools/call") return false;
        execute(request);
        const events = response.events();
        events.raw("retry: 1\nid: e1\ndata:\n\n");
        events.end();
        return true;
      },
    });
    expect(await driver.callTool(connection, "echo")).toBe("after e2");
    expect(upstream.executions).toHaveLength(1);
    const resumed = upstream.of("GET").filter(({ headers }) => "last-event-id" in headers);
    expect(resumed.map(({ headers }) => headers["last-event-id"])).toEqual(["e1", "e2"]);
  });

  test("is given up after a refusal, or after failures in a row", async () => {
    for (const [status, attempts] of [
      [405, 1],
      [503, 3],
    ] as const) {
      const { upstream, driver, connection } = await open({
        limits: { resumeAttempts: 3 },
        respond(request, response) {
          if (request.headers["last-event-id"] !== undefined) response.status(status);
          else if (request.message?.method === "tools/call") {
            const events = response.events();
            events.raw("id: e1\ndata:\n\n");
            events.end();
          } else return false;
          return true;
        },
      });
      expect((await driver.failure(connection, "tools/call", { name: "echo" })).message).toBe(
        `Cannot get an answer from "acme": its event stream ended without the answer and was not resumed (HTTP ${status}); whether the request was carried out is unknown`,
      );
      expect(upstream.of("GET").filter(({ headers }) => "last-event-id" in headers)).toHaveLength(
        attempts,
      );
    }
  });

  test("does not hold the connection open after the answer", async () => {
    const { upstream, driver, connection } = await open({
      limits: { tailMs: 1 },
      respond: onCall((request, response) => response.events().message(answerOf(request))),
    });
    for (let count = 0; count < 300; count += 1) await driver.callTool(connection, "echo");
    expect(upstream.posts("tools/call")).toHaveLength(300);
  });
});
