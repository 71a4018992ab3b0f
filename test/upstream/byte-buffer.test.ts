import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createByteBuffer } from "../../lib/upstream/byte-buffer.ts";

describe("createByteBuffer()", () => {
  test("gives back what was appended, in order, whatever the pieces", () => {
    const piece = fc.oneof(fc.nat(20), fc.constantFrom(0, 16_383, 16_384, 40_000));
    const round = fc.tuple(fc.array(piece, { maxLength: 6 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(round, { maxLength: 3 }), (rounds) => {
        const buffer = createByteBuffer();
        let next = 0;
        for (const [sizes, isInParts] of rounds) {
          const pieces = sizes.map((size) => new Uint8Array(size).fill(next++ % 256));
          for (const one of pieces) buffer.append(one);
          const whole = Buffer.concat(pieces);
          expect(buffer.length).toBe(whole.length);
          const taken = isInParts ? Buffer.concat(buffer.takeParts()) : buffer.take();
          expect(Buffer.compare(taken, whole)).toBe(0);
          expect(buffer.length).toBe(0);
        }
      }),
    );
  });

  test("gives parts away for good", () => {
    const buffer = createByteBuffer();
    buffer.append(new Uint8Array(1000).fill(1));
    const taken = buffer.takeParts();
    buffer.append(new Uint8Array(1000).fill(2));
    expect(taken).toEqual([new Uint8Array(1000).fill(1)]);
  });
});
