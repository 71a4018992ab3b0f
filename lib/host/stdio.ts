// The host's end: JSON lines on stdin and stdout. Nothing but protocol leaves by stdout.
// Bun's own streams are used, not process.stdin and process.stdout: those cost 20 ms at start.
import {
  isJsonRpcMessage,
  isObject,
  isRequestId,
  type Received,
  type RequestId,
} from "../json-rpc.ts";

/** A line that is no JSON-RPC message. */
export interface UnreadableLine {
  /** Tells a bad request from a parse error. */
  readonly isJson: boolean;
  /** Under which id the host waits for an answer, as far as that can be told. */
  readonly id: RequestId | null;
}

export interface HostEvents {
  onMessage(received: Received): void;
  onUnreadable(line: UnreadableLine): void;
}

/** Bytes a single line may have; a host has no reason to send more. */
const LINE_LIMIT_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 1024;

/** The promise of a batch's messages; nothing to wait for otherwise. */
function acceptLine(line: string, events: HostEvents): Promise<void> | undefined {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    events.onUnreadable({ isJson: false, id: null });
    return undefined;
  }
  if (isJsonRpcMessage(value)) {
    events.onMessage({ message: value, text });
  } else if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    return acceptBatch(text, events);
  } else {
    // Only a request waits for an answer: a broken answer must not look like one to it.
    const request = isObject(value) && typeof value.method === "string" ? value : {};
    const id = isRequestId(request.id) ? request.id : null;
    events.onUnreadable({ isJson: true, id });
  }
  return undefined;
}

/** A batch (2025-03-26): each message for itself, as it was written. */
async function acceptBatch(text: string, events: HostEvents): Promise<void> {
  const { arrayElements } = await import("../json-text.ts");
  for (const element of arrayElements(text)) await acceptLine(element, events);
}

/** The id of a request of which only the beginning is kept. */
const ID_OF_HEAD =
  /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*){0,2}"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,/;

function idOfHead(head: string): RequestId | null {
  const id = ID_OF_HEAD.exec(head)?.[1];
  return id === undefined ? null : JSON.parse(id);
}

/** Reads lines until the end of the stream. Resolves when stdin has ended. */
export async function readLines(
  input: ReadableStream<Uint8Array>,
  events: HostEvents,
  maxLineBytes: number = LINE_LIMIT_BYTES,
): Promise<void> {
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  const decoder = new TextDecoder();

  function endLine(tail: Uint8Array): Promise<void> | undefined {
    const isTooLong = partBytes + tail.length > maxLineBytes;
    const line = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
    parts = [];
    partBytes = 0;
    const text = decoder.decode(isTooLong ? line.subarray(0, HEAD_BYTES) : line);
    if (!isTooLong) return acceptLine(text, events);
    events.onUnreadable({ isJson: true, id: idOfHead(text) });
    return undefined;
  }

  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const batch = endLine(chunk.subarray(start, end));
      if (batch !== undefined) await batch;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    partBytes += chunk.length - start;
    // Of a line that is too long the beginning is kept, which tells what to answer.
    if (partBytes <= maxLineBytes) parts.push(chunk.subarray(start));
  }
  // A last message without its line break is one all the same.
  await endLine(new Uint8Array());
}

export interface LineWriter {
  /** Writes one line in order. Never throws; a broken stream is reported once by `onBroken`. */
  write(line: string): void;
  /** The same for a line as bytes in parts, which are not changed any more. */
  writeParts(parts: readonly Uint8Array[]): void;
  /** Waits until everything is written, or the reader is gone, or the time is over. */
  drain(limitMs: number): Promise<void>;
}

/** Bun moves what it could not write at once; more than this at a time costs more than to wait. */
const PIECE_BYTES = 256 * 1024;

/**
 * Lines to stdout or stderr, without ever blocking on a reader that is slow or has stopped.
 * With `maxPendingBytes`, lines that come while more than that waits for the reader are dropped.
 */
export function createLineWriter(options: {
  readonly file: Bun.BunFile;
  readonly maxPendingBytes?: number;
  readonly onBroken: () => void;
}): LineWriter {
  const { maxPendingBytes = Infinity } = options;
  const sink = options.file.writer();
  let isBroken = false;
  let pending: Promise<unknown> | undefined;
  let pendingBytes = 0;
  /** A large line that goes out piece by piece, and those that wait behind it. */
  let queue: (string | readonly Uint8Array[])[] = [];
  let emptying: Promise<void> | undefined;

  function breakOff(): void {
    if (isBroken) return;
    isBroken = true;
    queue = [];
    options.onBroken();
  }

  function waitFor(flushed: Promise<unknown>, bytes: number): void {
    pendingBytes += bytes;
    const settled = flushed.catch(breakOff).then(() => {
      pendingBytes -= bytes;
      if (pending === settled) pending = undefined;
    });
    pending = settled;
  }

  function put(part: string | Uint8Array): void {
    try {
      sink.write(part);
      const flushed = sink.flush();
      if (flushed instanceof Promise) waitFor(flushed, part.length);
    } catch {
      // EPIPE and its kin: the reader is gone, whatever the code says.
      breakOff();
    }
  }

  async function emptyQueue(): Promise<void> {
    for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
      if (typeof line === "string") {
        put(line);
        continue;
      }
      for (const part of line) {
        for (let at = 0; at < part.length && !isBroken; at += PIECE_BYTES) {
          put(part.subarray(at, at + PIECE_BYTES));
          await pending;
        }
      }
      if (!isBroken) put("\n");
    }
    emptying = undefined;
  }

  function enqueue(line: string | readonly Uint8Array[]): void {
    queue.push(line);
    emptying ??= emptyQueue();
  }

  return {
    write(line) {
      if (isBroken || pendingBytes > maxPendingBytes) return;
      if (emptying === undefined) put(`${line}\n`);
      else enqueue(`${line}\n`);
    },
    writeParts(parts) {
      if (!isBroken && pendingBytes <= maxPendingBytes) enqueue(parts);
    },
    async drain(limitMs) {
      if (isBroken || (pending === undefined && emptying === undefined)) return;
      const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
      const written = async () => {
        await emptying;
        await pending;
      };
      await Promise.race([written(), limit]);
    },
  };
}
