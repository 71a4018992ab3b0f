import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../lib/errors.ts";
import type { JsonObject, JsonRpcRequest, Received } from "../../lib/json-rpc.ts";
import type { ConnectionEvents } from "../../lib/upstream/connection.ts";
import { createUpstream } from "../../lib/upstream/upstream.ts";
import { createFakeClock, settle } from "../support/fake-clock.ts";
import { createFakeConnection, type FakeConnection } from "../support/fake-connection.ts";
import { createFakeLog } from "../support/fake-log.ts";

const HANDSHAKE = { protocolVersion: "2025-06-18", capabilities: { tools: {} } };
const HOST = {
  protocolVersion: "2025-06-18",
  params: { protocolVersion: "2099-01-01", capabilities: { roots: {} }, clientInfo: { name: "h" } },
};

type OnSend = (message: JsonObject, connection: FakeConnection) => object | undefined;

/** Answers initialize; other requests are left to the test. */
function shakingHands(onOther: OnSend = () => undefined): OnSend {
  return (message, connection) =>
    message.method === "initialize"
      ? { jsonrpc: "2.0", id: message.id, result: HANDSHAKE }
      : onOther(message, connection);
}

function setUp(options: { onSend?: OnSend; mayHedge?: boolean; connect?: () => void } = {}) {
  const clock = createFakeClock();
  const log = createFakeLog();
  const connections: FakeConnection[] = [];
  const seen = {
    requests: [] as JsonObject[],
    notifications: [] as JsonObject[],
    withdrawn: [] as unknown[],
    opened: 0,
  };
  const upstream = createUpstream({
    server: "acme",
    host: HOST,
    async connect(events: ConnectionEvents) {
      options.connect?.();
      const connection = createFakeConnection({ events, onSend: options.onSend ?? shakingHands() });
      connections.push(connection);
      return connection;
    },
    mayHedge: options.mayHedge ?? false,
    explainFailure: () => undefined,
    events: {
      onRequest: (received) => seen.requests.push(received.message),
      onNotification: (received) => seen.notifications.push(received.message),
      onWithdrawn: (id) => seen.withdrawn.push(id),
      onOpen: () => {
        seen.opened += 1;
      },
    },
    limits: {
      timeoutMs: 60_000,
      connectTimeoutMs: 30_000,
      reopenPausesMs: [0, 250, 500],
      hedgeAfterMs: [5000, 10_000],
    },
    schedule: clock.schedule,
    now: clock.now,
    log,
  });
  const outcomes: (JsonObject | string)[] = [];
  const relay = (id: string | number, params: JsonObject = {}, method = "tools/call") => {
    const message: JsonRpcRequest = { jsonrpc: "2.0", id, method, params };
    upstream.relay(
      { message, text: JSON.stringify(message) },
      {
        onAnswer: (received) => outcomes.push(received.message),
        onFailure: (error) => outcomes.push(error.message),
      },
    );
  };
  const methods = (connection = connections[0]) =>
    connection?.sent.map((message) => message.method);
  return { clock, log, connections, seen, upstream, outcomes, relay, methods };
}

function notification(
  method: string,
  params: JsonObject,
): Received<JsonObject & { jsonrpc: "2.0"; method: string }> {
  const message = { jsonrpc: "2.0" as const, method, params };
  return { message, text: JSON.stringify(message) };
}

describe("createUpstream()", () => {
  test("opens once for many first requests, as the host itself", async () => {
    const { connections, relay, methods, seen } = setUp();
    for (const id of [1, 2, 3]) relay(id);
    await settle();
    expect(connections.length).toBe(1);
    expect(methods()).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "tools/call",
      "tools/call",
    ]);
    expect(connections[0]?.sent[0]?.params).toEqual({
      protocolVersion: "2025-06-18",
      capabilities: { roots: {} },
      clientInfo: { name: "h" },
    });
    expect([connections[0]?.readyVersions, seen.opened]).toEqual([["2025-06-18"], 1]);
  });

  test("gives each answer to its request, whatever the order and the kind of id", async () => {
    const { connections, relay, outcomes } = setUp();
    for (const id of [0, "0", "facade:1"]) relay(id);
    await settle();
    for (const id of ["facade:1", "0", 0, 99]) {
      connections[0]?.deliver({ jsonrpc: "2.0", id, result: { of: id } });
    }
    expect(outcomes.map((one) => (typeof one === "string" ? one : one.result))).toEqual([
      { of: "facade:1" },
      { of: "0" },
      { of: 0 },
    ]);
  });

  test("fails what is in flight when the connection ends, and opens again at the next need", async () => {
    const { connections, relay, outcomes, log } = setUp();
    relay(1);
    await settle();
    connections[0]?.end(new UpstreamError("closed", 'Cannot reach "acme": it ended'));
    relay(2);
    await settle();
    expect(outcomes).toEqual(['Cannot reach "acme": it ended']);
    expect(connections.length).toBe(2);
    expect(connections[0]?.state.closes).toBe(1);
    expect(connections[1]?.sent.at(-1)?.id).toBe(2);
    expect(log.lines).toEqual(['Cannot reach "acme": it ended']);
  });

  test("is not sticky after a failure and pauses longer while it keeps failing", async () => {
    let attempts = 0;
    const { clock, relay, outcomes } = setUp({
      connect() {
        attempts += 1;
        throw new UpstreamError("unreachable", `failure ${attempts}`);
      },
    });
    relay(1);
    await settle();
    relay(2);
    await settle();
    expect(outcomes).toEqual(["failure 1", "failure 2"]);
    relay(3);
    await settle();
    expect(attempts).toBe(2);
    await clock.advance(249);
    expect(attempts).toBe(2);
    await clock.advance(1);
    expect(outcomes.at(-1)).toBe("failure 3");
    relay(4);
    await clock.advance(499);
    expect(attempts).toBe(3);
    await clock.advance(1);
    expect(attempts).toBe(4);
  });

  test("replaces a lost session once for all who met it, and sends each request once more", async () => {
    let isLost = true;
    const { connections, relay, methods, outcomes } = setUp({
      onSend: shakingHands((message) => {
        if (message.method !== "tools/call") return undefined;
        if (isLost) throw new UpstreamError("session", "unknown session");
        return { jsonrpc: "2.0", id: message.id, result: {} };
      }),
    });
    relay(1);
    relay(2);
    const connection = await (async () => {
      for (;;) {
        await Promise.resolve();
        const first = connections[0];
        if (first !== undefined && first.state.sessionResets > 0) return first;
      }
    })();
    isLost = false;
    await settle();
    expect(connection.state.sessionResets).toBe(1);
    expect(methods()).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "tools/call",
      "initialize",
      "notifications/initialized",
      "tools/call",
      "tools/call",
    ]);
    expect(outcomes.length).toBe(2);
  });

  test("makes requests wait for a new session that is being opened", async () => {
    let isLost = false;
    const initializes: JsonObject[] = [];
    const { connections, relay, methods, outcomes } = setUp({
      onSend(message) {
        if (message.method === "initialize") {
          initializes.push(message);
          return initializes.length === 1
            ? { jsonrpc: "2.0", id: message.id, result: HANDSHAKE }
            : undefined;
        }
        if (message.method !== "tools/call") return undefined;
        if (isLost) throw new UpstreamError("session", "unknown session");
        return { jsonrpc: "2.0", id: message.id, result: {} };
      },
    });
    relay(0);
    await settle();
    isLost = true;
    relay(1);
    relay(2);
    await settle();
    isLost = false;
    relay(3);
    await settle();
    expect(outcomes.length).toBe(1);
    connections[0]?.deliver({ jsonrpc: "2.0", id: initializes[1]?.id, result: HANDSHAKE });
    await settle();
    expect(outcomes.slice(1)).toEqual([1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
    expect(methods()?.slice(2)).toEqual([
      ...["tools/call", "tools/call", "tools/call"],
      ...["initialize", "notifications/initialized"],
      ...["tools/call", "tools/call", "tools/call"],
    ]);
  });

  test("opens another connection after a lost session could not be replaced", async () => {
    let isLost = false;
    let initializes = 0;
    const { clock, connections, relay, outcomes } = setUp({
      onSend(message) {
        if (message.method === "initialize") {
          initializes += 1;
          if (initializes === 2) throw new UpstreamError("refused", "HTTP 503");
          isLost = false;
          return { jsonrpc: "2.0", id: message.id, result: HANDSHAKE };
        }
        if (message.method !== "tools/call") return undefined;
        if (isLost) throw new UpstreamError("session", "unknown session");
        return { jsonrpc: "2.0", id: message.id, result: {} };
      },
    });
    relay(0);
    await settle();
    isLost = true;
    relay(1);
    await settle();
    relay(2);
    await clock.advance(1000);
    expect(outcomes.slice(1)).toEqual(["HTTP 503", { jsonrpc: "2.0", id: 2, result: {} }]);
    expect(connections.map((connection) => connection.state.closes)).toEqual([1, 0]);
  });

  test("gives up when the new session is unknown as well", async () => {
    const { connections, relay, outcomes } = setUp({
      onSend: shakingHands((message) => {
        if (message.method === "tools/call") throw new UpstreamError("session", "unknown session");
        return undefined;
      }),
    });
    relay(1);
    await settle();
    await settle();
    expect(outcomes).toEqual(["unknown session"]);
    expect(connections[0]?.sent.filter((message) => message.method === "tools/call").length).toBe(
      2,
    );
  });

  test("never sends a request again after any other failure", async () => {
    for (const kind of [
      "timeout",
      "closed",
      "refused",
      "protocol",
      "unreachable",
      "auth",
    ] as const) {
      const { connections, relay, outcomes } = setUp({
        onSend: shakingHands((message) => {
          if (message.method === "tools/call") throw new UpstreamError(kind, kind);
          return undefined;
        }),
      });
      relay(1);
      await settle();
      expect(outcomes).toEqual([kind]);
      expect(connections[0]?.sent.filter((message) => message.method === "tools/call").length).toBe(
        1,
      );
    }
  });

  test("repeats log level and subscriptions on a new connection", async () => {
    const answering = shakingHands((message) =>
      message.id === undefined ? undefined : { jsonrpc: "2.0", id: message.id, result: {} },
    );
    const { connections, relay, methods } = setUp({ onSend: answering });
    relay(1, { level: "debug" }, "logging/setLevel");
    relay(2, { uri: "a" }, "resources/subscribe");
    relay(3, { uri: "b" }, "resources/subscribe");
    relay(4, { uri: "a" }, "resources/unsubscribe");
    await settle();
    connections[0]?.end(new UpstreamError("closed", "gone"));
    relay(5);
    await settle();
    expect(methods(connections[1])).toEqual([
      "initialize",
      "notifications/initialized",
      "logging/setLevel",
      "resources/subscribe",
      "tools/call",
    ]);
    expect(connections[1]?.sent[3]?.params).toEqual({ uri: "b" });
  });

  test("ends a silent call after its time, which progress starts anew, and tells the upstream", async () => {
    const { clock, connections, relay, outcomes, methods, seen } = setUp();
    relay(1, { _meta: { progressToken: 7 } });
    await clock.advance(59_000);
    connections[0]?.deliver(
      notification("notifications/progress", { progressToken: 7, progress: 1 }).message,
    );
    await clock.advance(59_000);
    expect(outcomes).toEqual([]);
    await clock.advance(1000);
    expect(outcomes).toEqual([
      'Cannot finish the call at "acme": no sign of life for 60 s, the outcome is unknown',
    ]);
    expect(connections[0]?.sent.at(-1)).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, reason: "no sign of life within the facade's time limit" },
    });
    expect([methods()?.length, seen.notifications.length]).toEqual([4, 1]);
  });

  test("counts the time of a call from when it is sent", async () => {
    const initializes: JsonObject[] = [];
    const { clock, connections, relay, outcomes } = setUp({
      onSend(message) {
        if (message.method === "initialize") initializes.push(message);
        return undefined;
      },
    });
    relay(1);
    await clock.advance(29_000);
    connections[0]?.deliver({ jsonrpc: "2.0", id: initializes[0]?.id, result: HANDSHAKE });
    await clock.advance(59_000);
    expect(outcomes).toEqual([]);
    await clock.advance(1000);
    expect(outcomes.length).toBe(1);
  });

  test("does not count the time a person takes to answer the upstream's question", async () => {
    const { clock, connections, relay, outcomes, upstream } = setUp();
    relay(1);
    await settle();
    connections[0]?.deliver({ jsonrpc: "2.0", id: 0, method: "elicitation/create", params: {} });
    await clock.advance(600_000);
    expect(outcomes).toEqual([]);
    const answer = { jsonrpc: "2.0", id: 0, result: {} } as const;
    upstream.respond({ message: answer, text: JSON.stringify(answer) });
    await clock.advance(60_000);
    expect(outcomes.length).toBe(1);
  });

  test.each([[7], ["7"], [0]])(
    "passes progress of token %p until the answer, and none after",
    async (token) => {
      const { connections, relay, seen } = setUp();
      relay(1, { _meta: { progressToken: token } });
      await settle();
      const progress = (progressToken: string | number) =>
        connections[0]?.deliver(
          notification("notifications/progress", { progressToken, progress: 1 }).message,
        );
      progress(token);
      progress(typeof token === "number" ? String(token) : Number(token));
      connections[0]?.deliver({ jsonrpc: "2.0", id: 1, result: {} });
      progress(token);
      expect(seen.notifications.map((one) => (one.params as JsonObject).progressToken)).toEqual([
        token,
      ]);
    },
  );

  test("passes progress of a task after the answer that started it", async () => {
    const { connections, relay, seen } = setUp();
    relay(1, { _meta: { progressToken: "t" }, task: {} });
    await settle();
    connections[0]?.deliver({ jsonrpc: "2.0", id: 1, result: { task: { taskId: "x" } } });
    connections[0]?.deliver(notification("notifications/progress", { progressToken: "t" }).message);
    expect(seen.notifications.length).toBe(1);
  });

  test("does not send a request that the host gave up while it waited", async () => {
    const { connections, relay, upstream, outcomes } = setUp();
    relay(1);
    relay(2);
    upstream.cancel(1, notification("notifications/cancelled", { requestId: 1 }));
    await settle();
    expect(
      connections[0]?.sent.filter((one) => one.method === "tools/call").map((one) => one.id),
    ).toEqual([2]);
    expect(outcomes).toEqual([]);
  });

  test("passes a cancellation with its id and drops the late answer", async () => {
    const { connections, relay, upstream, outcomes } = setUp();
    relay(0);
    await settle();
    upstream.cancel(0, notification("notifications/cancelled", { requestId: 0, reason: "r" }));
    upstream.cancel(5, notification("notifications/cancelled", { requestId: 5 }));
    connections[0]?.deliver({ jsonrpc: "2.0", id: 0, result: {} });
    expect(connections[0]?.sent.at(-1)).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 0, reason: "r" },
    });
    expect(outcomes).toEqual([]);
  });

  test("answers ping itself and passes other requests with their id", async () => {
    const { connections, relay, seen } = setUp();
    relay(1);
    await settle();
    connections[0]?.deliver({ jsonrpc: "2.0", id: "p", method: "ping" });
    connections[0]?.deliver({ jsonrpc: "2.0", id: 0, method: "roots/list" });
    expect(connections[0]?.sent.at(-1)).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
    expect(seen.requests).toEqual([{ jsonrpc: "2.0", id: 0, method: "roots/list" }]);
  });

  test("withdraws questions of an ended connection and keeps their ids apart from the next one's", async () => {
    const { connections, relay, upstream, seen } = setUp();
    const respond = (id: string | number, n: number) => {
      const message = { jsonrpc: "2.0", id, result: { n } } as const;
      upstream.respond({ message, text: JSON.stringify(message) });
    };
    relay(1);
    await settle();
    connections[0]?.deliver({ jsonrpc: "2.0", id: 0, method: "roots/list" });
    connections[0]?.end(new UpstreamError("closed", "gone"));
    expect(seen.withdrawn).toEqual([0]);
    relay(2);
    await settle();
    connections[1]?.deliver({ jsonrpc: "2.0", id: 0, method: "roots/list" });
    const asked = String(seen.requests[1]?.id);
    expect(asked).toStartWith("facade:");
    respond(0, 1);
    respond(asked, 2);
    expect(connections[1]?.sent.at(-1)).toEqual({ jsonrpc: "2.0", id: 0, result: { n: 2 } });
  });

  test("passes the upstream's cancellation of its own request and drops the host's late answer", async () => {
    const { connections, relay, upstream, seen } = setUp();
    relay(1);
    await settle();
    connections[0]?.deliver({ jsonrpc: "2.0", id: 0, method: "sampling/createMessage" });
    connections[0]?.deliver(notification("notifications/cancelled", { requestId: 0 }).message);
    const late = { jsonrpc: "2.0", id: 0, result: {} } as const;
    upstream.respond({ message: late, text: JSON.stringify(late) });
    expect(seen.notifications.map((one) => one.params)).toEqual([{ requestId: 0 }]);
    expect(connections[0]?.sent.filter((one) => one.method === undefined)).toEqual([]);
  });

  test("starts another attempt beside a silent one, and ends the loser", async () => {
    let initializes = 0;
    const { clock, connections, relay } = setUp({
      mayHedge: true,
      onSend(message) {
        if (message.method !== "initialize") return undefined;
        initializes += 1;
        return initializes < 3 ? undefined : { jsonrpc: "2.0", id: message.id, result: HANDSHAKE };
      },
    });
    relay(1);
    await clock.advance(4999);
    expect(connections.length).toBe(1);
    await clock.advance(1);
    expect(connections.length).toBe(2);
    await clock.advance(5000);
    expect(connections.map((connection) => connection.state.closes)).toEqual([1, 1, 0]);
    expect(connections[2]?.sent.at(-1)?.id).toBe(1);
  });

  test("never starts a second process beside a silent one, and gives up in time", async () => {
    const { clock, connections, relay, outcomes } = setUp({ onSend: () => undefined });
    relay(1);
    await clock.advance(30_000);
    expect(connections.length).toBe(1);
    expect(connections[0]?.state.closes).toBe(1);
    expect(outcomes).toEqual([
      'Cannot get an answer to "initialize" from "acme": no sign of life for 30 s',
    ]);
  });

  test.each([
    [
      { error: { code: -32022, message: "no", data: { supported: ["2026-07-28"] } } },
      'Cannot open a session with "acme": it speaks only MCP 2026-07-28',
    ],
    [
      { error: { code: -32600, message: "go away" } },
      'Cannot open a session with "acme": it answered error -32600 "go away"',
    ],
    [
      { result: { protocolVersion: "2031-01-01", capabilities: {} } },
      'Cannot open a session with "acme": it answered version "2031-01-01", wanted 2025-11-25 or older',
    ],
    [
      { result: {} },
      'Cannot open a session with "acme": its answer to initialize lacks protocolVersion or capabilities',
    ],
  ])("refuses the handshake %p", async (answer, message) => {
    const { relay, outcomes } = setUp({
      onSend: (sent) =>
        sent.method === "initialize" ? { jsonrpc: "2.0", id: sent.id, ...answer } : undefined,
    });
    relay(1);
    await settle();
    expect(outcomes).toEqual([message]);
  });

  test("refuses a second request with an id that is still waiting", async () => {
    const { relay, outcomes } = setUp();
    relay(1);
    relay(1);
    await settle();
    expect(outcomes).toEqual(["Cannot relay request 1: a request with this id is still waiting"]);
  });

  test("fails what waits when it is closed, and opens nothing afterwards", async () => {
    const { connections, relay, upstream, outcomes } = setUp();
    relay(1);
    await settle();
    await upstream.close();
    await upstream.close();
    relay(2);
    await settle();
    expect(outcomes).toEqual([
      'Cannot reach "acme": the facade is shutting down',
      'Cannot reach "acme": the facade is shutting down',
    ]);
    expect(connections.map((connection) => connection.state.closes)).toEqual([1]);
  });
});
