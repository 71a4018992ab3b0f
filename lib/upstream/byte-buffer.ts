// Bytes that are still waiting for their line end. Appending piece by piece stays linear, however
// small the pieces are; large pieces are kept as they came and copied once.

const SMALL_BYTES = 4096;
/** Pieces from this size on are kept by reference. */
const LARGE_PIECE_BYTES = 16_384;
/** A buffer that many small pieces have made larger than this is given back. */
const KEPT_BYTES = 32_768;

export interface ByteBuffer {
  readonly length: number;
  /** The bytes must not be changed any more. */
  append(bytes: Uint8Array): void;
  /** Everything appended so far; valid until the next `append`. The buffer is empty afterwards. */
  take(): Uint8Array;
  /** The same for good, in parts. */
  takeParts(): Uint8Array[];
}

export function createByteBuffer(): ByteBuffer {
  /** What came before the content of `buffer`. */
  let parts: Uint8Array[] = [];
  let partsLength = 0;
  let buffer = new Uint8Array(SMALL_BYTES);
  let length = 0;

  function seal(): void {
    if (length === 0) return;
    parts.push(buffer.slice(0, length));
    partsLength += length;
    length = 0;
  }

  function takeParts(): Uint8Array[] {
    seal();
    const taken = parts;
    parts = [];
    partsLength = 0;
    return taken;
  }

  return {
    get length() {
      return partsLength + length;
    },
    append(bytes) {
      if (bytes.length >= LARGE_PIECE_BYTES) {
        seal();
        parts.push(bytes);
        partsLength += bytes.length;
        return;
      }
      const needed = length + bytes.length;
      if (needed > buffer.length) {
        const grown = new Uint8Array(Math.max(needed, buffer.length * 2));
        grown.set(buffer.subarray(0, length));
        buffer = grown;
      }
      buffer.set(bytes, length);
      length = needed;
    },
    take() {
      if (parts.length > 0) return Buffer.concat(takeParts());
      const taken = buffer.subarray(0, length);
      length = 0;
      if (buffer.length > KEPT_BYTES) buffer = new Uint8Array(SMALL_BYTES);
      return taken;
    },
    takeParts,
  };
}
