// The GET stream of Streamable HTTP, on which a server sends what belongs to no request. An offer
// of the server, not a need: a refused one is left alone, a broken one is opened again with a
// growing pause, and nothing of it is ever told.
import { UpstreamError } from "../errors.ts";
import { type EventStream, resumeHeaders } from "./event-stream.ts";
import { discard, type UpstreamFetch } from "./fetch.ts";
import { bodyKind, followEvents } from "./response-body.ts";

export interface ListenOptions {
  readonly fetch: UpstreamFetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly maxEventBytes: number;
  readonly now: () => number;
  /** Resolves after the time, or at once when the signal is aborted. */
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** The data of one `message` event. */
  onText(text: string): void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A stream that lasted this long was a good one; the pauses begin anew. */
const GOOD_STREAM_MS = 30_000;
const MAX_FAILURES = 5;

/** Resolves when there is nothing to listen to any more. Never rejects. */
export async function listen(options: ListenOptions): Promise<void> {
  const { signal, now, pause } = options;
  let pauseMs = FIRST_PAUSE_MS;
  let failures = 0;
  let last: EventStream | undefined;
  while (!signal.aborted && failures < MAX_FAILURES) {
    const startedAt = now();
    const visit = await openStream(options, last);
    if (visit === "refused") return;
    if (visit === "broken") {
      failures += 1;
    } else {
      failures = 0;
      last = visit;
      if (now() - startedAt >= GOOD_STREAM_MS) pauseMs = FIRST_PAUSE_MS;
    }
    const wantedMs = Math.max(pauseMs, last?.retryMs ?? 0);
    await pause(Math.min(wantedMs, LONGEST_PAUSE_MS), signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** One stream from its opening to its end, and what the next one has to know of it. */
async function openStream(
  options: ListenOptions,
  last: EventStream | undefined,
): Promise<EventStream | "refused" | "broken"> {
  const { fetch, signal, maxEventBytes } = options;
  let response: Response;
  try {
    const headers = { ...options.headers, ...resumeHeaders(last?.lastEventId) };
    response = await fetch.send({ method: "GET", headers, signal, isOptional: true });
  } catch (error) {
    const isNetwork =
      error instanceof UpstreamError && (error.kind === "unreachable" || error.kind === "closed");
    return isNetwork ? "broken" : "refused";
  }
  if (response.status !== 200 || bodyKind(response) !== "events") {
    await discard(response);
    // A stream that once was there is looked for again when the server is only ill.
    return last !== undefined && response.status >= 500 ? "broken" : "refused";
  }
  const { stream, ended } = followEvents(response, {
    maxEventBytes,
    onEvent: ({ type, data }) => {
      if (type === "" || type === "message") options.onText(data);
    },
    // It belonged to no request: nobody waits for it.
    onOversized() {},
  });
  // However it ended, what counts is how far it came.
  await ended.catch(() => undefined);
  return stream;
}
