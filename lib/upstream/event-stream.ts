// Server-sent events (WHATWG HTML, 9.2.6) from bytes, split anywhere. Pure and linear: every byte
// is searched and copied a bounded number of times, a field is decoded once.
import { createByteBuffer } from "./byte-buffer.ts";
import { type ByteParts, sizeOf } from "./byte-parts.ts";
import { createDropped, type Dropped, type DroppedText } from "./dropped.ts";
import { RAW_MIN_BYTES } from "./raw-result.ts";

const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;
const BOM = [0xef, 0xbb, 0xbf] as const;
const DATA = [0x64, 0x61, 0x74, 0x61, COLON] as const;
const LONGEST_FIELD_NAME = "event".length;

export interface StreamEvent {
  /** Empty when the stream named none, which means `message`. */
  readonly type: string;
  /** The data lines, joined by LF. */
  readonly data: string;
}

export interface EventStreamOptions {
  /** A larger event is dropped and told by `onOversized`. */
  readonly maxEventBytes: number;
  onEvent(event: StreamEvent): void;
  /** True when large data of one line is taken as it is, undecoded. */
  takesParts?(event: { readonly type: string; readonly parts: ByteParts }): boolean;
  onOversized(event: DroppedText): void;
}

export interface EventStream {
  push(chunk: Uint8Array): void;
  /**
   * The stream has ended properly: an event that lacks only its closing blank line is reported
   * all the same. The standard drops it, but it may be a sloppy server's answer.
   */
  end(): void;
  /** The last id the server has given, and the pause it asks for before a reconnect. */
  readonly lastEventId: string | undefined;
  readonly retryMs: number | undefined;
}

export function createEventStream(options: EventStreamOptions): EventStream {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pending = createByteBuffer();
  let isFirstLine = true;
  /** A CR ended the last line; a LF that comes next belongs to it. */
  let isAfterCr = false;

  let type = "";
  let data: string[] = [];
  /** A first data line that is so large that it may be taken as it is. */
  let large: ByteParts | undefined;
  /** Bytes of the event's finished lines, and of its unfinished one. */
  let eventBytes = 0;
  let lineBytes = 0;
  let dropped: Dropped | undefined;
  let id: string | undefined;
  let lastEventId: string | undefined;
  let retryMs: number | undefined;

  const decodeLarge = (): void => {
    if (large !== undefined) data.push(decoder.decode(Buffer.concat(large)));
    large = undefined;
  };

  const dispatch = (): void => {
    lastEventId = id;
    if (large !== undefined && options.takesParts?.({ type, parts: large }) === true) {
      large = undefined;
    }
    decodeLarge();
    const event = { type, data: data.join("\n") };
    const tooLarge = dropped;
    // Without data there is no event (HTML, 9.2.6); servers send such to set an id.
    const hasData = data.some((line) => line !== "");
    type = "";
    data = [];
    eventBytes = 0;
    dropped = undefined;
    if (tooLarge !== undefined) options.onOversized(tooLarge.render());
    else if (hasData) options.onEvent(event);
  };

  const takeField = (line: Uint8Array): void => {
    const colon = line.indexOf(COLON);
    const nameEnd = colon === -1 ? line.length : colon;
    if (nameEnd === 0 || nameEnd > LONGEST_FIELD_NAME) return;
    const valueStart = line[nameEnd + 1] === SPACE ? nameEnd + 2 : nameEnd + 1;
    const value = line.subarray(valueStart);
    switch (decoder.decode(line.subarray(0, nameEnd))) {
      case "data":
        decodeLarge();
        data.push(decoder.decode(value));
        break;
      case "event":
        type = decoder.decode(value);
        break;
      case "id":
        if (!value.includes(0)) id = decoder.decode(value);
        break;
      case "retry": {
        const text = decoder.decode(value);
        if (/^\d{1,9}$/.test(text)) retryMs = Number(text);
        break;
      }
    }
  };

  const takeLine = (line: Uint8Array): void => {
    const hasBom = isFirstLine && BOM.every((byte, index) => line[index] === byte);
    isFirstLine = false;
    const bare = hasBom ? line.subarray(BOM.length) : line;
    if (bare.length === 0) {
      dispatch();
      return;
    }
    eventBytes += bare.length;
    takeField(bare);
  };

  /** A line that may be kept in its parts, if it is the first one with data. */
  const takeLarge = (parts: readonly Uint8Array[]): void => {
    const [first, ...rest] = parts;
    const start = first === undefined ? undefined : dataStart(first);
    const isFirstData = data.length === 0 && large === undefined;
    if (first === undefined || start === undefined || !isFirstData) {
      takeLine(Buffer.concat(parts));
      return;
    }
    isFirstLine = false;
    eventBytes += sizeOf(parts);
    large = [first.subarray(start), ...rest];
  };

  /** Notes a piece of the current line; beyond the limit nothing of the event is kept. */
  const keep = (piece: Uint8Array): void => {
    lineBytes += piece.length;
    if (dropped === undefined && eventBytes + lineBytes <= options.maxEventBytes) {
      pending.append(piece);
      return;
    }
    if (dropped === undefined) {
      decodeLarge();
      dropped = createDropped();
      dropped.add(new TextEncoder().encode(data.join("\n")));
      dropped.add(pending.take());
      data = [];
    }
    dropped.add(piece);
  };

  const finishLine = (piece: Uint8Array): void => {
    const isWhole = lineBytes === 0;
    const isBlank = isWhole && piece.length === 0;
    const fits = dropped === undefined && eventBytes + piece.length <= options.maxEventBytes;
    if (isBlank || (isWhole && fits)) {
      if (piece.length < RAW_MIN_BYTES) takeLine(piece);
      else takeLarge([piece]);
      return;
    }
    keep(piece);
    lineBytes = 0;
    if (dropped !== undefined) return;
    if (pending.length < RAW_MIN_BYTES) takeLine(pending.take());
    else takeLarge(pending.takeParts());
  };

  return {
    push(chunk) {
      if (chunk.length === 0) return;
      let start = isAfterCr && chunk[0] === LF ? 1 : 0;
      isAfterCr = false;
      // Either separator is searched for again only once it has been passed.
      let lf = chunk.indexOf(LF, start);
      let cr = chunk.indexOf(CR, start);
      while (lf !== -1 || cr !== -1) {
        const isCr = cr !== -1 && (lf === -1 || cr < lf);
        const at = isCr ? cr : lf;
        finishLine(chunk.subarray(start, at));
        start = at + 1;
        if (isCr && start === chunk.length) isAfterCr = true;
        else if (isCr && chunk[start] === LF) start += 1;
        if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start);
        if (cr !== -1 && cr < start) cr = chunk.indexOf(CR, start);
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    end() {
      if (lineBytes > 0) finishLine(new Uint8Array(0));
      if (data.length > 0 || large !== undefined || dropped !== undefined) dispatch();
    },
    get lastEventId() {
      return lastEventId;
    },
    get retryMs() {
      return retryMs;
    },
  };
}

/** Where the value begins in the bytes that begin a data line; undefined when that cannot be told. */
function dataStart(bytes: Uint8Array): number | undefined {
  const isData = bytes.length > DATA.length && DATA.every((byte, at) => bytes[at] === byte);
  if (!isData) return undefined;
  return bytes[DATA.length] === SPACE ? DATA.length + 1 : DATA.length;
}

/** Headers of a GET that reads an event stream, from its beginning or after an event. */
export function resumeHeaders(lastEventId: string | undefined): Record<string, string> {
  const accept = { Accept: "text/event-stream" };
  return isResumable(lastEventId) ? { ...accept, "Last-Event-ID": lastEventId } : accept;
}

/** Whether a stream can be taken up after this event: there is an id, and a header can carry it. */
export function isResumable(lastEventId: string | undefined): lastEventId is string {
  return lastEventId !== undefined && /^[\x20-\x7e]+$/.test(lastEventId);
}
