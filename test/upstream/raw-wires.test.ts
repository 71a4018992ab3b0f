import { describe, expect, test } from "bun:test";
import type { ServerEntry } from "../../lib/config/server-entry.ts";
import type { RawResult } from "../../lib/json-rpc.ts";
import type { Connection, ConnectionEvents } from "../../lib/upstream/connection.ts";
import { openHttp } from "../../lib/upstream/http.ts";
import { openSse } from "../../lib/upstream/sse.ts";
import { openStdio } from "../../lib/upstream/stdio.ts";
import { createFakeLog } from "../support/fake-log.ts";
import { until } from "../support/until.ts";
import { createWireDriver } from "../support/wire-driver.ts";
import { type HttpUpstreamOptions, startHttpUpstream } from "../upstreams/http-upstream.ts";
import { startSseUpstream } from "../upstreams/sse-upstream.ts";

const UPSTREAM = `${import.meta.dir}/../upstreams/stdio-upstream.ts`;
const SIZE = 1_500_000;

type Upstream = ServerEntry["upstream"];

interface Wire extends AsyncDisposable {
  open(events: ConnectionEvents): Connection | Promise<Connection>;
}

function httpWire(answerAs: "json" | "events", respond?: HttpUpstreamOptions["respond"]) {
  return async (): Promise<Wire> => {
    const upstream = await startHttpUpstream({
      answerAs,
      ...(respond === undefined ? {} : { respond }),
    });
    const entry = { kind: "http", url: upstream.url, headers: {}, credential: undefined } as const;
    const log = createFakeLog();
    return {
      open: (events) => openHttp({ upstream: entry, server: "acme", events, log }),
      [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose]() as Promise<void>,
    };
  };
}

async function sseWire(): Promise<Wire> {
  const upstream = await startSseUpstream();
  const entry = { kind: "sse", url: upstream.url, headers: {}, credential: undefined } as const;
  const log = createFakeLog();
  return {
    open: (events) => openSse({ upstream: entry, server: "acme", events, log }),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose]() as Promise<void>,
  };
}

async function stdioWire(): Promise<Wire> {
  const upstream: Upstream & { kind: "stdio" } = {
    kind: "stdio",
    command: process.execPath,
    args: [UPSTREAM],
    cwd: undefined,
    env: {},
    envFrom: undefined,
  };
  const environment = { PATH: process.env.PATH ?? "" };
  const log = createFakeLog();
  return {
    open: (events) => openStdio({ upstream, server: "acme", environment, events, log }),
    async [Symbol.asyncDispose]() {},
  };
}

/** Indented, as some servers answer: line breaks between the tokens. */
const indented = httpWire("json", (request, response) => {
  const { message } = request;
  if (message?.method !== "tools/call") return false;
  const content = [{ type: "text", text: JSON.stringify(message.params) }];
  const answer = { jsonrpc: "2.0", id: message.id, result: { content } };
  response.status(200, { "Content-Type": "application/json" }, JSON.stringify(answer, null, 2));
  return true;
});

const WIRES = [
  ["stdio", stdioWire],
  ["HTTP with JSON", httpWire("json")],
  ["HTTP with indented JSON", indented],
  ["HTTP with event streams", httpWire("events")],
  ["SSE", sseWire],
] as const;

async function callOver(
  wire: Wire,
  options: { readonly takesRaw: boolean; readonly size: number },
) {
  const driver = createWireDriver();
  const raws: RawResult[] = [];
  const connection = await wire.open({
    ...driver.events,
    onRawResult(result) {
      if (options.takesRaw) raws.push(result);
      return options.takesRaw;
    },
  });
  try {
    await driver.shakeHands(connection);
    const value = "é".repeat(options.size / 2);
    const params = { name: "echo", arguments: { value } };
    const request = { jsonrpc: "2.0", id: "call", method: "tools/call", params } as const;
    const sending = connection.send(request, JSON.stringify(request));
    const parsed = () => driver.received.find(({ message }) => message.id === "call");
    await until(() => raws.length > 0 || parsed() !== undefined, "the result");
    await sending;
    const text = raws[0] === undefined ? parsed()?.text : Buffer.concat(raws[0].parts).toString();
    return { raws, parsed: parsed(), text: text ?? "", value };
  } finally {
    await connection.close();
  }
}

describe.each(WIRES)("a large result over %s", (_what, startWire) => {
  test("is handed on as the bytes it came as, on one line", async () => {
    await using wire = await startWire();
    const { raws, parsed, text, value } = await callOver(wire, { takesRaw: true, size: SIZE });
    expect(raws.map(({ id }) => id)).toEqual(["call"]);
    expect(parsed).toBeUndefined();
    expect(text.includes("\n")).toBe(false);
    expect(JSON.stringify(JSON.parse(text).result.content)).toContain(value);
  });

  test("is parsed when nobody takes it, to the same text", async () => {
    await using wire = await startWire();
    const asBytes = await callOver(wire, { takesRaw: true, size: SIZE });
    const asText = await callOver(wire, { takesRaw: false, size: SIZE });
    expect(asText.raws).toEqual([]);
    const blanks = /\s+/g;
    expect(asText.text.replace(blanks, "") === asBytes.text.replace(blanks, "")).toBe(true);
  });

  test("is parsed when it is small", async () => {
    await using wire = await startWire();
    const { raws, parsed } = await callOver(wire, { takesRaw: true, size: 1000 });
    expect([raws.length, parsed?.message.id]).toEqual([0, "call"]);
  });
});
