import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createByteBuffer, KEPT_BYTES } from "../../lib/upstream/byte-buffer.ts";

describe("createByteBuffer()", () => {
  test("gives back what was appended, in order, whatever the pieces", () => {
    const piece = fc.oneof(fc.nat(20), fc.constantFrom(0, 16_383, 16_384, 40_000));
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 3 }), (rounds) => {
        const buffer = createByteBuffer();
        let next = 0;
        for (const sizes of rounds) {
          const pieces = sizes.map((size) => new Uint8Array(size).fill(next++ % 256));
          for (const one of pieces) buffer.append(one);
          const whole = Buffer.concat(pieces);
          expect(buffer.length).toBe(whole.length);
          expect(Buffer.compare(buffer.take(), whole)).toBe(0);
          expect(buffer.length).toBe(0);
        }
      }),
    );
  });

  test("gives large content away for good", () => {
    const buffer = createByteBuffer();
    for (let at = 0; at <= KEPT_BYTES; at += 1000) buffer.append(new Uint8Array(1000).fill(1));
    const taken = buffer.take();
    buffer.append(new Uint8Array(1000).fill(2));
    expect(taken.every((byte) => byte === 1)).toBe(true);
  });
});
