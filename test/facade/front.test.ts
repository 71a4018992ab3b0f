import { describe, expect, test } from "bun:test";
import type { QuickStart } from "../../lib/catalog/start.ts";
import type { Beginning } from "../../lib/facade/facade.ts";
import { createFront, type WholeFacade } from "../../lib/facade/front.ts";
import type { JsonObject, JsonRpcMessage } from "../../lib/json-rpc.ts";
import { settle } from "../support/fake-clock.ts";

const START: QuickStart = {
  metaPrefix: "",
  handshake: { capabilities: { prompts: {} }, serverInfo: { title: "Acme" } },
  hostCapabilities: '{"roots":{}}',
  viewText: '{"tools":[{"name":"a"}]}',
  notes: [],
  isFresh: (nowMs) => nowMs < 1000,
};
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: { roots: {} } },
} as const;
const LIST = { jsonrpc: "2.0", id: "l", method: "tools/list" } as const;
const CALL = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "a" } } as const;

function setUp() {
  const written: JsonObject[] = [];
  const beginnings: (Beginning | undefined)[] = [];
  const failures: unknown[] = [];
  /** What reached the whole facade. */
  const passed: unknown[] = [];
  const opened = Promise.withResolvers<void>();
  const clock = { nowMs: 0 };
  const whole: WholeFacade = {
    onMessage: ({ message }) => passed.push(message.method ?? message.id),
    onUnreadable: () => passed.push("unreadable"),
    close: async () => void passed.push("close"),
  };
  const front = createFront({
    server: "acme",
    version: "1.2.3",
    start: START,
    write: (text) => written.push(JSON.parse(text)),
    now: () => clock.nowMs,
    async open(beginning) {
      beginnings.push(beginning);
      await opened.promise;
      return whole;
    },
    onOpenFailure: (error) => failures.push(error),
  });
  const send = (message: JsonRpcMessage) =>
    front.onMessage({ message, text: JSON.stringify(message) });
  return { front, send, written, beginnings, failures, passed, opened, clock };
}

describe("createFront()", () => {
  test("answers a start alone", () => {
    const { send, written, beginnings } = setUp();
    send({ jsonrpc: "2.0", id: 1, method: "server/discover" });
    send(INITIALIZE);
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    send(LIST);
    send({ jsonrpc: "2.0", id: 2, method: "ping" });
    expect(beginnings).toEqual([]);
    expect(written).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } },
      {
        jsonrpc: "2.0",
        id: 0,
        result: {
          protocolVersion: "2025-06-18",
          capabilities: { prompts: {}, tools: { listChanged: true } },
          serverInfo: { name: "acme", title: "Acme", version: "1.2.3" },
          instructions: expect.any(String),
        },
      },
      { jsonrpc: "2.0", id: "l", result: { tools: [{ name: "a" }] } },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
  });

  test("hands over at the first message that needs more, in order, with what was said", async () => {
    const { front, send, written, beginnings, passed, opened } = setUp();
    send(INITIALIZE);
    send(LIST);
    send(CALL);
    front.onUnreadable({ isJson: false, id: null });
    send({ jsonrpc: "2.0", id: 8, method: "ping" });
    expect(beginnings).toEqual([{ initialize: INITIALIZE, viewText: START.viewText }]);
    expect(passed).toEqual([]);
    opened.resolve();
    await settle();
    send(LIST);
    expect(passed).toEqual(["tools/call", "unreadable", "ping", "tools/list"]);
    expect(written.map((message) => message.id)).toEqual([0, "l"]);
    await front.close();
    expect(passed.at(-1)).toBe("close");
  });

  test.each<[string, JsonRpcMessage[]]>([
    ["a call before initialize", [CALL]],
    ["a list before initialize", [LIST]],
    [
      "other capabilities of the host",
      [{ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: {} } }],
    ],
    ["an id that a number does not hold", [{ ...INITIALIZE, id: 2 ** 60 }]],
  ])("leaves %s to the whole facade", (_what, messages) => {
    const { send, written, beginnings } = setUp();
    for (const message of messages) send(message);
    expect([written, beginnings]).toEqual([[], [undefined]]);
  });

  test("leaves a second initialize, and a list that is too old by now, to the whole facade", () => {
    const second = setUp();
    second.send(INITIALIZE);
    second.send(INITIALIZE);
    expect(second.beginnings).toEqual([{ initialize: INITIALIZE, viewText: undefined }]);

    const old = setUp();
    old.send(INITIALIZE);
    old.clock.nowMs = 1000;
    old.send(LIST);
    expect(old.beginnings).toEqual([{ initialize: INITIALIZE, viewText: undefined }]);
    expect(old.written.length).toBe(1);
  });

  test("tells once that the whole facade cannot be had, and can be closed then", async () => {
    const { front, send, failures, opened } = setUp();
    const failure = new Error("the configuration is wrong by now");
    send(INITIALIZE);
    send(CALL);
    opened.reject(failure);
    await settle();
    await front.close();
    expect(failures).toEqual([failure]);
  });

  test("is closed without opening anything", async () => {
    const { front, send, beginnings } = setUp();
    send(INITIALIZE);
    await front.close();
    expect(beginnings).toEqual([]);
  });
});
