// Bytes that are still waiting for their line end, in one buffer that grows by doubling: appending
// piece by piece stays linear, however small the pieces are.

const SMALL_BYTES = 4096;
/** A buffer that one long line has made larger than this is given back. */
const KEPT_BYTES = 1 << 20;

export interface ByteBuffer {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** Everything appended so far; valid until the next `append`. The buffer is empty afterwards. */
  take(): Uint8Array;
}

export function createByteBuffer(): ByteBuffer {
  let buffer = new Uint8Array(SMALL_BYTES);
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
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
      const taken = buffer.subarray(0, length);
      length = 0;
      if (buffer.length > KEPT_BYTES) buffer = new Uint8Array(SMALL_BYTES);
      return taken;
    },
  };
}
