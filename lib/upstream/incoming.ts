// To whom a message of the upstream goes: an answer to the request that waits for it, a question to
// the host, a notification to the host if it may still concern it. `ping` is answered here.
import {
  isNotification,
  isRequest,
  isRequestId,
  isResponse,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type Received,
} from "../json-rpc.ts";
import { replaceMember } from "../json-text.ts";
import type { Asked } from "./asked.ts";
import type { Connection } from "./connection.ts";
import type { InFlight } from "./in-flight.ts";

export interface IncomingEvents {
  /** The upstream asks the host something; answered by `respond`. */
  onRequest(received: Received<JsonRpcRequest>): void;
  /** A notification the host may want, progress of finished requests left out. */
  onNotification(received: Received<JsonRpcNotification>): void;
}

export function createIncoming(options: {
  readonly inFlight: InFlight;
  readonly asked: Asked;
  readonly events: IncomingEvents;
}): (connection: Connection, received: Received) => void {
  const { inFlight, asked, events } = options;

  function pass(connection: Connection, received: Received<JsonRpcNotification>): void {
    const { method, params } = received.message;
    if (method === "notifications/progress") {
      if (inFlight.progress(params?.progressToken)) events.onNotification(received);
    } else if (method === "notifications/cancelled" && isRequestId(params?.requestId)) {
      const hostId = asked.hostIdOf(connection, params.requestId);
      if (hostId === undefined) return;
      asked.withdraw(hostId);
      const isSame = hostId === params.requestId;
      const text = isSame
        ? received.text
        : replaceMember(received.text, ["params", "requestId"], JSON.stringify(hostId));
      events.onNotification({ message: received.message, text });
    } else {
      events.onNotification(received);
    }
  }

  return (connection, { message, text }) => {
    if (isResponse(message)) {
      inFlight.answer({ message, text });
    } else if (isRequest(message)) {
      if (message.method !== "ping") {
        events.onRequest(asked.add(connection, { message, text }));
        return;
      }
      const pong = { jsonrpc: "2.0", id: message.id, result: {} } as const;
      // An upstream that cannot be answered has ended, or the wire tells it otherwise.
      connection.send(pong, JSON.stringify(pong)).catch(() => undefined);
    } else if (isNotification(message)) {
      pass(connection, { message, text });
    }
  };
}
