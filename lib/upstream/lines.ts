// Bytes to lines: splits at LF, whatever the chunks, and decodes each line once. Linear in the
// input. A line over the limit is dropped as it comes; only its two ends are kept, to tell what it
// was.
import { createByteBuffer } from "./byte-buffer.ts";
import type { ByteParts } from "./byte-parts.ts";
import { createDropped, type Dropped, type DroppedText } from "./dropped.ts";

const LF = 10;
const CR = 13;
const BOM = 0xfeff;
const LARGE_LINE_BYTES = 32_768;

export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The input has ended: what is left is the last line. */
  end(): void;
}

export interface LineReaderOptions {
  readonly maxBytes: number;
  /** A line without its line end, CR LF included. May be empty. */
  onLine(line: string): void;
  /** True when a large line is taken as it is, undecoded. */
  takesParts?(line: ByteParts): boolean;
  /** A line was longer than `maxBytes`; these are its first and last bytes. */
  onOversized(line: DroppedText): void;
}

function withoutCr(line: Uint8Array): Uint8Array {
  const last = line.length - 1;
  return line[last] === CR ? line.subarray(0, last) : line;
}

export function createLineReader(options: LineReaderOptions): LineReader {
  const { maxBytes, onLine, onOversized } = options;
  const decoder = new TextDecoder();
  const pending = createByteBuffer();
  let dropped: Dropped | undefined;

  const append = (bytes: Uint8Array): void => {
    if (dropped !== undefined) {
      dropped.add(bytes);
    } else if (pending.length + bytes.length <= maxBytes) {
      pending.append(bytes);
    } else {
      dropped = createDropped();
      dropped.add(pending.take());
      dropped.add(bytes);
    }
  };

  const takeLine = (bytes: Uint8Array): void => {
    onLine(decoder.decode(withoutCr(bytes)));
  };

  const takeLarge = (parts: readonly Uint8Array[]): void => {
    const last = withoutCr(parts.at(-1) ?? new Uint8Array());
    const line = [...parts.slice(0, -1), last];
    if (options.takesParts?.(line) !== true) onLine(decoder.decode(Buffer.concat(line)));
  };

  const finish = (bytes: Uint8Array): void => {
    const isWhole = pending.length === 0 && dropped === undefined;
    if (isWhole && bytes.length <= Math.min(LARGE_LINE_BYTES, maxBytes)) {
      takeLine(bytes);
      return;
    }
    append(bytes);
    if (dropped === undefined) {
      if (pending.length > LARGE_LINE_BYTES) takeLarge(pending.takeParts());
      else takeLine(pending.take());
      return;
    }
    const text = dropped.render();
    dropped = undefined;
    onOversized(text);
  };

  /** Whole small lines, as most chunks are: decoded at once. */
  const takeWholeLines = (chunk: Uint8Array): void => {
    const lines = decoder.decode(chunk).split("\n");
    lines.pop();
    for (const line of lines) {
      const start = line.charCodeAt(0) === BOM ? 1 : 0;
      const end = line.endsWith("\r") ? -1 : undefined;
      onLine(start === 0 && end === undefined ? line : line.slice(start, end));
    }
  };

  return {
    push(chunk) {
      const isWhole = pending.length === 0 && dropped === undefined && chunk.at(-1) === LF;
      if (isWhole && chunk.length <= Math.min(LARGE_LINE_BYTES, maxBytes)) {
        takeWholeLines(chunk);
        return;
      }
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
