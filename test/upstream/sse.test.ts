import { describe, expect, test } from "bun:test";
import { openSse } from "../../lib/upstream/sse.ts";
import { createFakeCredential } from "../support/fake-credential.ts";
import { until } from "../support/until.ts";
import { createWireDriver } from "../support/wire-driver.ts";
import { type SseTestUpstream, startSseUpstream } from "../upstreams/sse-upstream.ts";

function openTo(
  upstream: SseTestUpstream,
  options: { credential?: ReturnType<typeof createFakeCredential>; messageBytes?: number } = {},
) {
  const driver = createWireDriver();
  const connection = openSse({
    upstream: { kind: "sse", url: upstream.url, headers: { "X-Key": "k" }, credential: undefined },
    server: "acme",
    events: driver.events,
    log: driver.log,
    credential: options.credential,
    ...(options.messageBytes === undefined
      ? {}
      : { limits: { messageBytes: options.messageBytes } }),
  });
  return { driver, connection };
}

describe("openSse()", () => {
  test("posts to the address the stream names and takes answers from the stream", async () => {
    await using upstream = await startSseUpstream();
    const { driver, connection } = openTo(upstream, { credential: createFakeCredential() });
    await driver.shakeHands(connection);
    expect(await driver.callTool(connection, "echo", { value: "漢" })).toBe('{"value":"漢"}');
    upstream.stream()?.message({ jsonrpc: "2.0", method: "notifications/x" });
    await until(
      () => driver.received.at(-1)?.message.method === "notifications/x",
      "the notification",
    );
    expect(
      upstream.http.seen.map(({ method, path, headers }) => [
        method,
        path,
        headers.authorization,
        headers["x-key"],
      ]),
    ).toEqual([
      ["GET", "/mcp", "Bearer token-1", "k"],
      ...Array.from({ length: 3 }, () => ["POST", "/messages?session=s1", "Bearer token-1", "k"]),
    ]);
    await connection.close();
    expect(driver.ends).toEqual([]);
  });

  test("sends nothing to another origin", async () => {
    await using elsewhere = await startSseUpstream();
    await using upstream = await startSseUpstream({ endpoint: elsewhere.url });
    const { driver, connection } = openTo(upstream);
    const message = `Cannot reach "acme": it wants messages sent to ${new URL(elsewhere.url).origin}, outside its own origin`;
    expect((await driver.failure(connection, "initialize")).message).toBe(message);
    expect(elsewhere.http.seen).toEqual([]);
    await connection.close();
  });

  test("tells a stream that is refused, or none", async () => {
    for (const [status, headers, message] of [
      [405, {}, 'Cannot get an answer from "acme": it answered HTTP 405'],
      [
        200,
        { "Content-Type": "text/html" },
        'Cannot get an answer from "acme": it sent HTTP 200 with text/html, wanted application/json or text/event-stream',
      ],
      [401, {}, 'Cannot reach "acme": it answered HTTP 401'],
    ] as const) {
      await using upstream = await startSseUpstream({
        respond(request, response) {
          if (request.method !== "GET") return false;
          response.status(status, headers, "LOGIN-PAGE-MARKER");
          return true;
        },
      });
      const { driver, connection } = openTo(upstream);
      expect((await driver.failure(connection, "initialize")).message).toBe(message);
      expect(driver.ends.map((end) => end.message)).toEqual([message]);
      await connection.close();
    }
  });

  test("fails what is in flight when the stream ends, and does not send it again", async () => {
    await using upstream = await startSseUpstream({
      outcomeOf: (request, usual) => {
        const outcome = usual();
        return request.message?.method === "tools/call" ? undefined : outcome;
      },
    });
    const { driver, connection } = openTo(upstream);
    await driver.shakeHands(connection);
    const failure = driver.failure(connection, "tools/call", { name: "echo" });
    await until(() => upstream.http.executions.length === 1, "the call");
    upstream.breakStream();
    const message =
      'Cannot get an answer from "acme": its event stream ended; whether the request was carried out is unknown';
    expect((await failure).message).toBe(message);
    expect(driver.ends.map((end) => end.message)).toEqual([message]);
    expect((await driver.failure(connection, "ping")).message).toBe(message);
    expect(upstream.http.executions).toHaveLength(1);
  });

  test("renews the token once after an error that asks for it", async () => {
    for (const accepted of ["Bearer token-2", "none"]) {
      await using upstream = await startSseUpstream({
        outcomeOf: ({ message, headers }, usual) =>
          message?.method !== "tools/call" || headers.authorization === accepted
            ? usual()
            : { error: { code: -32001, message: "Unauthorized" } },
      });
      const credential = createFakeCredential();
      const { driver, connection } = openTo(upstream, { credential });
      await driver.shakeHands(connection);
      if (accepted === "none") {
        expect((await driver.failure(connection, "tools/call", { name: "echo" })).message).toBe(
          'Cannot use credential "acme-login": refused again',
        );
      } else {
        expect(await driver.callTool(connection, "echo", { value: 1 })).toBe('{"value":1}');
      }
      expect(credential.renewed).toEqual(["token-1"]);
      expect(upstream.http.posts("tools/call")).toHaveLength(2);
      await connection.close();
    }
  });

  test("fails only the request whose answer is over the limit", async () => {
    await using upstream = await startSseUpstream();
    const { driver, connection } = openTo(upstream, { messageBytes: 2 ** 20 });
    await driver.shakeHands(connection);
    const call = { name: "echo", arguments: { value: "x".repeat(2 ** 20) } };
    expect((await driver.failure(connection, "tools/call", call)).message).toBe(
      'Cannot take the answer of "acme": it is too large, wanted at most 1 MB',
    );
    expect(await driver.callTool(connection, "echo", { value: 1 })).toBe('{"value":1}');
    await connection.close();
  });

  test("tells a message that is refused with a status", async () => {
    await using upstream = await startSseUpstream({
      respond(request, response) {
        if (request.message?.method !== "tools/call") return false;
        response.status(503, { "Retry-After": "5" }, "LOGIN-PAGE-MARKER");
        return true;
      },
    });
    const { driver, connection } = openTo(upstream);
    await driver.shakeHands(connection);
    expect((await driver.failure(connection, "tools/call", { name: "echo" })).message).toBe(
      'Cannot get an answer from "acme": it answered HTTP 503, Retry-After: 5',
    );
    await connection.close();
  });
});
