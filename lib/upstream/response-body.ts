// Reading what a response carries: a JSON text within a limit, or an event stream as it comes.
import { createEventStream, type EventStream, type EventStreamOptions } from "./event-stream.ts";
import { RAW_MIN_BYTES } from "./raw-result.ts";

export type BodyKind = "json" | "events" | "other";

/** By the media type alone; parameters and case mean nothing. */
export function bodyKind(response: Response): BodyKind {
  const type = mediaType(response);
  if (type === "text/event-stream") return "events";
  return type === "application/json" || /^application\/[\w.-]+\+json$/.test(type)
    ? "json"
    : "other";
}

/** Lower case, without parameters; empty when the response names none or an odd one. */
export function mediaType(response: Response): string {
  const header = response.headers.get("Content-Type") ?? "";
  const type = (header.split(";", 1)[0] ?? "").trim().toLowerCase();
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : "";
}

/** Undefined when the body is larger than `maxBytes`; its rest is not read then. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const body = await readBody(response, maxBytes);
  return typeof body === "object" ? new TextDecoder().decode(body) : body;
}

/** The same; what may be large comes as the bytes it is. */
export async function readBody(
  response: Response,
  maxBytes: number,
): Promise<string | Uint8Array | undefined> {
  const announced = Number(response.headers.get("Content-Length") ?? Number.NaN);
  const isPlain = !response.headers.has("Content-Encoding");
  if (isPlain && announced < Math.min(RAW_MIN_BYTES, maxBytes)) return await response.text();
  if (isPlain && announced <= maxBytes) return await response.bytes();
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    sizeBytes += value.length;
    if (sizeBytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

export interface FollowedStream {
  /** Tells, also later, how far the stream came. */
  readonly stream: EventStream;
  /** Rejects with the network's error when the stream breaks. */
  readonly ended: Promise<void>;
  /** Ends the stream from our side. */
  cancel(): void;
}

/** Reads an event stream as it comes. */
export function followEvents(response: Response, options: EventStreamOptions): FollowedStream {
  const stream = createEventStream(options);
  const reader = response.body?.getReader();
  let isCancelled = false;
  const pump = async (): Promise<void> => {
    if (reader === undefined) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (isCancelled) return;
      if (done) break;
      stream.push(value);
    }
    stream.end();
  };
  return {
    stream,
    ended: pump(),
    cancel() {
      isCancelled = true;
      // A stream that has failed already cannot be cancelled, and need not be.
      reader?.cancel().catch(() => undefined);
    },
  };
}
