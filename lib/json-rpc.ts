// JSON-RPC 2.0 messages as MCP uses them: types, guards and error codes. Pure.
// A message keeps every member it came with, known or not; nothing here rebuilds one.

/**
 * MCP ids are strings or numbers; `null` appears in answers to unreadable requests only. As keys of
 * a map, and by `===`, the id `1` is another one than the id `"1"`.
 */
export type RequestId = string | number;

export type JsonObject = { [key: string]: unknown };

export interface JsonRpcRequest extends JsonObject {
  jsonrpc: "2.0";
  id: RequestId;
  method: string;
  params?: JsonObject;
}

export interface JsonRpcNotification extends JsonObject {
  jsonrpc: "2.0";
  method: string;
  params?: JsonObject;
}

export interface JsonRpcError extends JsonObject {
  code: number;
  message: string;
  data?: unknown;
}

export interface JsonRpcResponse extends JsonObject {
  jsonrpc: "2.0";
  id: RequestId | null;
  /** An object in MCP; anything in JSON-RPC, where methods of vendors come from. */
  result?: unknown;
  error?: JsonRpcError;
}

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/**
 * A message on its way through, with its JSON text on one line (no line break inside or at the
 * end) exactly as it was received. Forwarding `text` keeps what parsing would lose: numbers beyond
 * 2^53, the order of members, repeated members.
 */
export interface Received<M extends JsonRpcMessage = JsonRpcMessage> {
  readonly message: M;
  readonly text: string;
}

/** A large successful result on its way through, neither decoded nor parsed. */
export interface RawResult {
  /** Of the request it answers. */
  readonly id: RequestId;
  /** The whole message on one line, in the parts it came in; they are not changed any more. */
  readonly parts: readonly Uint8Array[];
}

/** Codes of JSON-RPC 2.0 section 5.1 and of MCP. */
export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Implementation-defined; used for failures of the way to the upstream. */
  connection: -32000,
} as const;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

export function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return typeof message.method === "string" && isRequestId(message.id);
}

export function isNotification(message: JsonRpcMessage): message is JsonRpcNotification {
  return typeof message.method === "string" && message.id === undefined;
}

export function isResponse(message: JsonRpcMessage): message is JsonRpcResponse {
  return message.method === undefined && ("result" in message || isObject(message.error));
}

/**
 * Whether a parsed JSON value is a JSON-RPC 2.0 request, notification or response. `params` may be
 * anything: where it is not the object MCP wants, the receiver says so, not the relay.
 */
export function isJsonRpcMessage(value: unknown): value is JsonRpcMessage {
  if (!isObject(value) || value.jsonrpc !== "2.0") return false;
  if (typeof value.method === "string") {
    return value.id === undefined || isRequestId(value.id);
  }
  const idFits = value.id === null || value.id === undefined || isRequestId(value.id);
  return idFits && ("result" in value || isObject(value.error));
}
