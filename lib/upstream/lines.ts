// Bytes to lines: splits at LF, whatever the chunks, and decodes each line once. Linear in the
// input: a line's bytes are copied at most twice and never searched again.
// A line over the limit is dropped as it comes; only its two ends are kept, to tell what it was.

const LF = 10;
const CR = 13;
/** How much is kept of either end of a dropped line. */
const END_BYTES = 4096;
/** A buffer that one long line has made larger than this is given back. */
const KEPT_BYTES = 1 << 20;

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
  onOversized(line: {
    readonly head: string;
    readonly tail: string;
    readonly sizeBytes: number;
  }): void;
}

export function createLineReader(options: LineReaderOptions): LineReader {
  const { maxBytes, onLine, onOversized } = options;
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(END_BYTES);
  let length = 0;
  let dropped: { head: Uint8Array; tail: Uint8Array; sizeBytes: number } | undefined;

  const append = (bytes: Uint8Array): void => {
    if (dropped !== undefined) {
      dropped.tail = lastBytes(dropped.tail, bytes);
      dropped.sizeBytes += bytes.length;
      return;
    }
    const needed = length + bytes.length;
    if (needed > maxBytes) {
      const head = new Uint8Array(Math.min(END_BYTES, needed));
      head.set(buffer.subarray(0, Math.min(length, head.length)));
      if (length < head.length) head.set(bytes.subarray(0, head.length - length), length);
      const tail = lastBytes(buffer.subarray(0, length), bytes);
      dropped = { head, tail, sizeBytes: needed };
      length = 0;
      buffer = new Uint8Array(END_BYTES);
      return;
    }
    if (needed > buffer.length) {
      const grown = new Uint8Array(Math.min(Math.max(needed, buffer.length * 2), maxBytes));
      grown.set(buffer.subarray(0, length));
      buffer = grown;
    }
    buffer.set(bytes, length);
    length = needed;
  };

  const decode = (bytes: Uint8Array): string => {
    const last = bytes.length - 1;
    return decoder.decode(bytes[last] === CR ? bytes.subarray(0, last) : bytes);
  };

  const finish = (bytes: Uint8Array): void => {
    if (length === 0 && dropped === undefined && bytes.length <= maxBytes) {
      onLine(decode(bytes));
      return;
    }
    append(bytes);
    if (dropped !== undefined) {
      const { head, tail, sizeBytes } = dropped;
      dropped = undefined;
      onOversized({ head: decoder.decode(head), tail: decoder.decode(tail), sizeBytes });
      return;
    }
    const line = decode(buffer.subarray(0, length));
    length = 0;
    if (buffer.length > KEPT_BYTES) buffer = new Uint8Array(END_BYTES);
    onLine(line);
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
      if (length > 0 || dropped !== undefined) finish(new Uint8Array(0));
    },
  };
}

/** The last bytes of `before` followed by `bytes`, in a buffer of its own. */
function lastBytes(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (bytes.length >= END_BYTES) return bytes.slice(bytes.length - END_BYTES);
  const kept = before.subarray(Math.max(0, before.length - (END_BYTES - bytes.length)));
  const tail = new Uint8Array(kept.length + bytes.length);
  tail.set(kept);
  tail.set(bytes, kept.length);
  return tail;
}
