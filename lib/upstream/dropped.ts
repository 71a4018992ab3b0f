// What is kept of a message that is too large to be kept: its two ends, to tell what it was.

const END_BYTES = 4096;

export interface DroppedText {
  readonly head: string;
  readonly tail: string;
  readonly sizeBytes: number;
}

export interface Dropped {
  add(bytes: Uint8Array): void;
  render(): DroppedText;
}

export function createDropped(): Dropped {
  let head = new Uint8Array(0);
  let tail = new Uint8Array(0);
  let sizeBytes = 0;
  return {
    add(bytes) {
      if (head.length < END_BYTES) head = joined(head, bytes.subarray(0, END_BYTES - head.length));
      const last = bytes.subarray(Math.max(0, bytes.length - END_BYTES));
      tail = joined(tail.subarray(Math.max(0, tail.length - (END_BYTES - last.length))), last);
      sizeBytes += bytes.length;
    },
    render() {
      const decoder = new TextDecoder();
      return { head: decoder.decode(head), tail: decoder.decode(tail), sizeBytes };
    },
  };
}

/** A buffer of its own, so that what was added is not kept from being freed. */
function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
