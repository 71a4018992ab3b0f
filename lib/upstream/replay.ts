// What the host has set up at the upstream and would lose with the connection: the log level and
// the resource subscriptions. Repeated after a reconnect.
import { isObject, type JsonObject, type JsonRpcRequest } from "../json-rpc.ts";

export interface Replay {
  /** Notes a request that the upstream has answered without error. */
  note(request: JsonRpcRequest): void;
  /** Requests that bring a new connection to the same state. */
  requests(): readonly { readonly method: string; readonly params: JsonObject }[];
}

export function createReplay(): Replay {
  let logLevel: JsonObject | undefined;
  const subscriptions = new Map<string, JsonObject>();
  return {
    note({ method, params }) {
      if (!isObject(params)) return;
      if (method === "logging/setLevel") logLevel = params;
      const { uri } = params;
      if (typeof uri !== "string") return;
      if (method === "resources/subscribe") subscriptions.set(uri, params);
      else if (method === "resources/unsubscribe") subscriptions.delete(uri);
    },
    requests() {
      const level =
        logLevel === undefined ? [] : [{ method: "logging/setLevel", params: logLevel }];
      const repeated = [...subscriptions.values()].map((params) => ({
        method: "resources/subscribe",
        params,
      }));
      return [...level, ...repeated];
    },
  };
}
