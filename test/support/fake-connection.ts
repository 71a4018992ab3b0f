// A wire in memory: records what is sent, answers as the test says.
import type { UpstreamError } from "../../lib/errors.ts";
import type { JsonObject, JsonRpcMessage, Received } from "../../lib/json-rpc.ts";
import type { Connection, ConnectionEvents } from "../../lib/upstream/connection.ts";

export interface FakeConnection extends Connection {
  readonly sent: JsonObject[];
  readonly readyVersions: string[];
  readonly state: { closes: number; sessionResets: number };
  /** Delivers a message of the upstream. */
  deliver(message: object): void;
  end(reason: UpstreamError): void;
}

export function createFakeConnection(options: {
  readonly events: ConnectionEvents;
  /** Called for each message sent; what it returns is delivered, what it throws rejects the send. */
  readonly onSend?: (message: JsonObject, connection: FakeConnection) => object | undefined;
}): FakeConnection {
  const { events } = options;
  const sent: JsonObject[] = [];
  const readyVersions: string[] = [];
  const state = { closes: 0, sessionResets: 0 };
  const connection: FakeConnection = {
    sent,
    readyVersions,
    state,
    async send(message: JsonRpcMessage, text: string) {
      expectSame(message, text);
      sent.push(message);
      const answer = options.onSend?.(message, connection);
      if (answer !== undefined) connection.deliver(answer);
    },
    ready: (version) => readyVersions.push(version),
    resetSession: () => {
      state.sessionResets += 1;
    },
    async close() {
      state.closes += 1;
    },
    deliver(message) {
      events.onMessage({ message, text: JSON.stringify(message) } as Received);
    },
    end: (reason) => events.onEnd(reason),
    [Symbol.asyncDispose]: async () => undefined,
  };
  return connection;
}

/** A wire sends the text; the message beside it must say the same. */
function expectSame(message: JsonRpcMessage, text: string): void {
  if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(message)) {
    throw new Error(`message and text differ: ${JSON.stringify(message)} / ${text}`);
  }
}
