// Drives one wire by hand: what it reported, and requests with the answers that came for them.
import type { UpstreamError } from "../../lib/errors.ts";
import type { JsonObject, JsonRpcMessage, Received, RequestId } from "../../lib/json-rpc.ts";
import type { Log } from "../../lib/log.ts";
import type { Connection, ConnectionEvents } from "../../lib/upstream/connection.ts";
import { until } from "./until.ts";

export interface WireDriver {
  readonly events: ConnectionEvents;
  readonly log: Log;
  readonly received: readonly Received[];
  readonly ends: readonly UpstreamError[];
  readonly logLines: readonly string[];
  /** Sends a request and gives the answer that came before its sending was settled, or comes later. */
  ask(connection: Connection, method: string, params?: JsonObject): Promise<JsonRpcMessage>;
  /** The text of a tool's first block. */
  callTool(connection: Connection, name: string, args?: JsonObject): Promise<string>;
  /** What the sending of a request was rejected with. */
  failure(connection: Connection, method: string, params?: JsonObject): Promise<Error>;
  /** initialize, ready, notifications/initialized. */
  shakeHands(connection: Connection): Promise<JsonRpcMessage>;
}

export const VERSION = "2025-06-18";

export function createWireDriver(): WireDriver {
  const received: Received[] = [];
  const ends: UpstreamError[] = [];
  const logLines: string[] = [];
  let lastId = 0;

  const answerTo = (id: RequestId): JsonRpcMessage | undefined =>
    received.find(({ message }) => message.method === undefined && message.id === id)?.message;

  const driver: WireDriver = {
    received,
    ends,
    logLines,
    events: {
      onMessage: (one) => void received.push(one),
      onEnd: (reason) => void ends.push(reason),
    },
    log: { line: (text) => void logLines.push(text) },
    async ask(connection, method, params) {
      const id = ++lastId;
      const message = request(id, method, params);
      await connection.send(message, JSON.stringify(message));
      return await until(
        () => answerTo(id) ?? (ends.length > 0 && Promise.reject(ends[0])),
        `answer to ${method}`,
      );
    },
    async callTool(connection, name, args) {
      const answer = await driver.ask(connection, "tools/call", { name, arguments: args ?? {} });
      const content = (answer.result as { content?: { text?: string }[] } | undefined)?.content;
      return content?.[0]?.text ?? JSON.stringify(answer);
    },
    async failure(connection, method, params) {
      const message = request(++lastId, method, params);
      try {
        await connection.send(message, JSON.stringify(message));
      } catch (error) {
        if (error instanceof Error) return error;
      }
      throw new Error(`${method} was sent without failure`);
    },
    async shakeHands(connection) {
      const answer = await driver.ask(connection, "initialize", {
        protocolVersion: VERSION,
        capabilities: {},
        clientInfo: { name: "test", version: "1.0.0" },
      });
      connection.ready(VERSION);
      const note = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
      await connection.send(note, JSON.stringify(note));
      return answer;
    },
  };
  return driver;
}

function request(id: number, method: string, params: JsonObject | undefined) {
  return { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) } as const;
}
