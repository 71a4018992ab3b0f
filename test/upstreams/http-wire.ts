// HTTP/1.1 by hand, as far as the test servers need it: requests out of a socket's bytes, and
// responses that may be broken at any of them.
import type { Socket } from "node:net";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, if it is a JSON object. */
  readonly message: JsonObject | undefined;
  /** Which connection it came over, and how many requests that had carried before. */
  readonly connection: number;
  readonly earlierOnConnection: number;
}

/** Writes the response to one request. */
export interface ResponseWriter {
  status(code: number, headers?: Record<string, string>, body?: string): void;
  json(value: unknown, options?: { status?: number; headers?: Record<string, string> }): void;
  /** A JSON-RPC answer to the request, such as `{ result: {} }`. */
  answer(outcome: JsonObject, headers?: Record<string, string>): void;
  events(headers?: Record<string, string>): EventWriter;
  /** Bytes as they are, head included. */
  raw(bytes: string | Uint8Array): void;
  /** Closes the connection as a server does that ends in order (FIN). */
  hangUp(): void;
  /** Closes the connection as a server does that crashes (RST). */
  reset(): void;
}

export interface EventWriter {
  message(value: unknown, options?: { id?: string; type?: string }): void;
  raw(text: string | Uint8Array): void;
  /** Ends the stream in order; the connection stays. */
  end(): void;
}

export function createResponseWriter(
  socket: Socket,
  about: { readonly request: SeenRequest; readonly answerAs: "json" | "events" },
): ResponseWriter {
  const { request, answerAs } = about;
  const raw = (bytes: string | Uint8Array): void => {
    if (!socket.destroyed) socket.write(bytes);
  };
  const writeHead = (status: number, headers: Record<string, string>): void => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    raw(`HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`);
  };
  const writer: ResponseWriter = {
    raw,
    status(code, headers = {}, body = "") {
      const length = String(Buffer.byteLength(body));
      writeHead(code, code === 204 ? headers : { ...headers, "Content-Length": length });
      raw(body);
    },
    json(value, { status = 200, headers = {} } = {}) {
      const all = { "Content-Type": "application/json", ...headers };
      writer.status(status, all, JSON.stringify(value));
    },
    answer(outcome, headers = {}) {
      const answer = { jsonrpc: "2.0", id: request.message?.id ?? null, ...outcome };
      if (answerAs === "json") return writer.json(answer, { headers });
      const events = writer.events(headers);
      events.message(answer);
      events.end();
    },
    events(headers = {}) {
      writeHead(200, {
        "Content-Type": "text/event-stream",
        "Transfer-Encoding": "chunked",
        ...headers,
      });
      const chunk = (text: string | Uint8Array): void => {
        const bytes = Buffer.from(text);
        raw(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]));
      };
      return {
        raw: chunk,
        message(value, { id, type } = {}) {
          const head = `${id === undefined ? "" : `id: ${id}\n`}${type === undefined ? "" : `event: ${type}\n`}`;
          chunk(`${head}data: ${JSON.stringify(value)}\n\n`);
        },
        end: () => raw("0\r\n\r\n"),
      };
    },
    hangUp: () => void socket.end(() => socket.destroy()),
    reset: () => void socket.resetAndDestroy(),
  };
  return writer;
}

const CRLF = Buffer.from("\r\n");
const HEAD_END = "\r\n\r\n";

/** Calls back for every whole request. Bodies come with a length or in chunks. */
export function readRequests(
  socket: Socket,
  connection: number,
  onRequest: (request: SeenRequest) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  let earlierOnConnection = 0;
  socket.on("data", (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (let next = parseRequest(bytes); next !== undefined; next = parseRequest(bytes)) {
      bytes = bytes.subarray(next.length);
      onRequest({ ...next.request, connection, earlierOnConnection });
      earlierOnConnection += 1;
    }
  });
}

interface ParsedRequest {
  readonly request: Omit<SeenRequest, "connection" | "earlierOnConnection">;
  readonly length: number;
}

function parseRequest(bytes: Buffer): ParsedRequest | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + HEAD_END.length;
  const body = isChunked(headers) ? chunkedBody(bytes, start) : plainBody(bytes, start, headers);
  if (body === undefined) return undefined;
  const text = body.content.toString("utf8");
  return { request: { method, path, headers, text, message: parseObject(text) }, length: body.end };
}

function isChunked(headers: Readonly<Record<string, string>>): boolean {
  return /chunked/i.test(headers["transfer-encoding"] ?? "");
}

interface Body {
  readonly content: Buffer;
  readonly end: number;
}

function plainBody(
  bytes: Buffer,
  start: number,
  headers: Readonly<Record<string, string>>,
): Body | undefined {
  const end = start + Number(headers["content-length"] ?? 0);
  return bytes.length < end ? undefined : { content: bytes.subarray(start, end), end };
}

function chunkedBody(bytes: Buffer, start: number): Body | undefined {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf(CRLF, at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return undefined;
    if (size === 0) return { content: Buffer.concat(parts), end: end + 2 };
    parts.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
