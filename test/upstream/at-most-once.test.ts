// A call is executed at most once, wherever its connection breaks, and is never left without an
// end. Executions are counted by the server.
import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../lib/errors.ts";
import { openHttp } from "../../lib/upstream/http.ts";
import { createFakeCredential } from "../support/fake-credential.ts";
import { createWireDriver } from "../support/wire-driver.ts";
import { type HttpTestUpstream, startHttpUpstream } from "../upstreams/http-upstream.ts";
import type { ResponseWriter, SeenRequest } from "../upstreams/http-wire.ts";

interface Stage {
  readonly what: string;
  /** Whether the server executes the call before it breaks the connection. */
  readonly isExecuted: boolean;
  /** Written before the break. */
  readonly written: (answer: string) => string;
}

const JSON_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const EVENTS_HEAD =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const length = (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n`;

const STAGES: readonly Stage[] = [
  { what: "before it is executed", isExecuted: false, written: () => "" },
  { what: "after it is executed", isExecuted: true, written: () => "" },
  { what: "inside the status line", isExecuted: true, written: () => "HTTP/1." },
  { what: "inside the headers", isExecuted: true, written: () => JSON_HEAD },
  {
    what: "after the headers",
    isExecuted: true,
    written: (answer) => `${JSON_HEAD}${length(answer)}`,
  },
  {
    what: "inside the answer",
    isExecuted: true,
    written: (answer) => `${JSON_HEAD}${length(answer)}${answer.slice(0, 20)}`,
  },
  {
    what: "before an event stream begins",
    isExecuted: true,
    written: () => EVENTS_HEAD,
  },
  {
    what: "between events",
    isExecuted: true,
    written: () => `${EVENTS_HEAD}${chunk(": comment\n\n")}`,
  },
  {
    what: "inside an event",
    isExecuted: true,
    written: (answer) => `${EVENTS_HEAD}${chunk(`data: ${answer.slice(0, 20)}`)}`,
  },
  { what: "after a continue", isExecuted: true, written: () => "HTTP/1.1 100 Continue\r\n\r\n" },
];

const BREAKS: readonly (readonly [string, (response: ResponseWriter) => void])[] = [
  ["an orderly end", (response) => response.hangUp()],
  ["a reset", (response) => response.reset()],
];

async function openTo(upstream: HttpTestUpstream) {
  const driver = createWireDriver();
  const connection = openHttp({
    upstream: { kind: "http", url: upstream.url, headers: {}, credential: undefined },
    server: "acme",
    events: driver.events,
    log: driver.log,
    credential: createFakeCredential(),
    limits: { resumePauseMs: 1 },
  });
  await driver.shakeHands(connection);
  return { driver, connection };
}

describe("a call whose connection breaks", () => {
  for (const stage of STAGES) {
    for (const [manner, breakUp] of BREAKS) {
      test(`${stage.what}, by ${manner}, is executed at most once and told as unknown`, async () => {
        let isBreaking = false;
        await using upstream = await startHttpUpstream({
          respond(request: SeenRequest, response: ResponseWriter, { execute }) {
            if (!isBreaking || request.message?.method !== "tools/call") return false;
            const outcome = stage.isExecuted ? execute(request) : {};
            const answer = { jsonrpc: "2.0", id: request.message.id, ...outcome };
            response.raw(stage.written(JSON.stringify(answer)));
            breakUp(response);
            return true;
          },
        });
        const { driver, connection } = await openTo(upstream);
        // Idle connections are there, which is where runtimes send a request once more.
        await Promise.all([1, 2, 3].map((value) => driver.callTool(connection, "echo", { value })));
        isBreaking = true;
        const before = upstream.executions.length;
        const call = { name: "echo", arguments: { value: "once" } };
        const error = await driver.failure(connection, "tools/call", call);
        expect(error).toBeInstanceOf(UpstreamError);
        expect(error.message).toMatch(/^Cannot get an answer from "acme": .*unknown$/);
        isBreaking = false;
        // The connection is good for other calls, and the broken one does not come again.
        expect(await driver.callTool(connection, "echo", { value: "next" })).toBe(
          '{"value":"next"}',
        );
        await connection.close();
        const executed = upstream.executions.slice(before).map(({ args }) => args);
        expect(executed).toEqual(
          stage.isExecuted ? [{ value: "once" }, { value: "next" }] : [{ value: "next" }],
        );
        expect(upstream.posts("tools/call")).toHaveLength(5);
      });
    }
  }

  test("is executed once when the server closes idle connections between calls", async () => {
    await using upstream = await startHttpUpstream({
      respond(request, response, { behave }) {
        behave(request, response);
        response.hangUp();
        return true;
      },
    });
    const { driver, connection } = await openTo(upstream);
    let failures = 0;
    for (let value = 0; value < 50; value += 1) {
      // A call may meet a connection in the moment of its end; it fails then, and is not repeated.
      const call = { name: "echo", arguments: { value } };
      await driver.ask(connection, "tools/call", call).catch(() => {
        failures += 1;
      });
    }
    await connection.close();
    const values = upstream.executions.map(({ args }) => (args as { value: number }).value);
    expect(new Set(values).size).toBe(values.length);
    expect(values.length + failures).toBeGreaterThanOrEqual(50);
  });
});

describe("a call that is refused for its token", () => {
  for (const [what, refuse] of [
    ["HTTP 401", (_, response) => response.status(401)],
    [
      "an error in a JSON answer",
      ({ message }, response) =>
        response.json({
          jsonrpc: "2.0",
          id: message?.id,
          error: { code: -32001, message: "Unauthorized" },
        }),
    ],
    [
      "an error in an event stream",
      ({ message }, response) =>
        response.events().message({
          jsonrpc: "2.0",
          id: message?.id,
          error: { code: -32001, message: "Token expired" },
        }),
    ],
    [
      "an error with HTTP 400",
      ({ message }, response) =>
        response.json(
          { jsonrpc: "2.0", id: message?.id, error: { code: -32001, message: "invalid_token" } },
          { status: 400 },
        ),
    ],
  ] as readonly (readonly [string, (request: SeenRequest, response: ResponseWriter) => void])[]) {
    test(`by ${what} is sent once more with a renewed one, and executed once`, async () => {
      await using upstream = await startHttpUpstream({
        respond(request, response) {
          const isCall = request.message?.method === "tools/call";
          if (!isCall || request.headers.authorization !== "Bearer token-1") return false;
          refuse(request, response);
          return true;
        },
      });
      const { driver, connection } = await openTo(upstream);
      expect(await driver.callTool(connection, "echo", { value: 1 })).toBe('{"value":1}');
      expect(upstream.executions).toHaveLength(1);
      expect(upstream.posts("tools/call")).toHaveLength(2);
      expect(driver.received.filter(({ message }) => "error" in message)).toEqual([]);
      await connection.close();
    });

    test(`by ${what} again is not sent a third time`, async () => {
      await using upstream = await startHttpUpstream({
        respond(request, response) {
          if (request.message?.method !== "tools/call") return false;
          refuse(request, response);
          return true;
        },
      });
      const { driver, connection } = await openTo(upstream);
      expect((await driver.failure(connection, "tools/call", { name: "echo" })).message).toBe(
        'Cannot use credential "acme-login": refused again',
      );
      expect(upstream.posts("tools/call")).toHaveLength(2);
      await connection.close();
    });
  }

  test("in a result, or for its arguments, is not sent again", async () => {
    const result = {
      content: [{ type: "text", text: "401 Unauthorized, token expired" }],
      isError: true,
    };
    const error = { code: -32602, message: "id 401 not found" };
    for (const outcome of [{ result }, { error }]) {
      await using upstream = await startHttpUpstream({
        respond({ message }, response) {
          if (message?.method !== "tools/call") return false;
          response.json({ jsonrpc: "2.0", id: message.id, ...outcome });
          return true;
        },
      });
      const { driver, connection } = await openTo(upstream);
      expect(await driver.ask(connection, "tools/call", { name: "echo" })).toEqual({
        jsonrpc: "2.0",
        id: 2,
        ...outcome,
      });
      expect(upstream.posts("tools/call")).toHaveLength(1);
      await connection.close();
    }
  });
});
