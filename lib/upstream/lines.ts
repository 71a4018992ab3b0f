// Bytes to lines: splits at LF, whatever the chunks, and decodes each line once. Linear in the
// input. A line over the limit is dropped as it comes; only its two ends are kept, to tell what it
// was.
import { createByteBuffer } from "./byte-buffer.ts";

const LF = 10;
const CR = 13;
/** How much is kept of either end of a dropped line. */
const END_BYTES = 4096;

export interface OversizedLine {
  readonly head: string;
  readonly tail: string;
  readonly sizeBytes: number;
}

export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The input has ended: what is left is the last line. */
  end(): void;
}

export interface LineReaderOptions {
  readonly maxBytes: number;
  /** A line without its line end, CR LF included. May be empty. */
  onLine(line: string): void;
  /** A line was longer than `maxBytes`; these are its first and last bytes. */
  onOversized(line: OversizedLine): void;
}

export function createLineReader(options: LineReaderOptions): LineReader {
  const { maxBytes, onLine, onOversized } = options;
  const decoder = new TextDecoder();
  const pending = createByteBuffer();
  let dropped: { head: Uint8Array; tail: Uint8Array; sizeBytes: number } | undefined;

  const append = (bytes: Uint8Array): void => {
    if (dropped !== undefined) {
      dropped.tail = lastBytes(dropped.tail, bytes);
      dropped.sizeBytes += bytes.length;
      return;
    }
    const sizeBytes = pending.length + bytes.length;
    if (sizeBytes <= maxBytes) {
      pending.append(bytes);
      return;
    }
    const before = pending.take();
    dropped = { head: firstBytes(before, bytes), tail: lastBytes(before, bytes), sizeBytes };
  };

  const decode = (bytes: Uint8Array): string => {
    const last = bytes.length - 1;
    return decoder.decode(bytes[last] === CR ? bytes.subarray(0, last) : bytes);
  };

  const finish = (bytes: Uint8Array): void => {
    if (pending.length === 0 && dropped === undefined && bytes.length <= maxBytes) {
      onLine(decode(bytes));
      return;
    }
    append(bytes);
    if (dropped === undefined) {
      onLine(decode(pending.take()));
      return;
    }
    const { head, tail, sizeBytes } = dropped;
    dropped = undefined;
    onOversized({ head: decoder.decode(head), tail: decoder.decode(tail), sizeBytes });
  };

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        finish(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) append(chunk.subarray(start));
    },
    end() {
      if (pending.length > 0 || dropped !== undefined) finish(new Uint8Array(0));
    },
  };
}

/** The first bytes of `before` followed by `bytes`, in a buffer of its own. */
function firstBytes(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const kept = before.subarray(0, END_BYTES);
  return joined(kept, bytes.subarray(0, END_BYTES - kept.length));
}

/** The last bytes of `before` followed by `bytes`, in a buffer of its own. */
function lastBytes(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const kept = bytes.subarray(Math.max(0, bytes.length - END_BYTES));
  return joined(before.subarray(Math.max(0, before.length - (END_BYTES - kept.length))), kept);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
