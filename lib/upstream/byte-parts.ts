// A long text as the parts it came in, read as if it were one: joining 10 MB costs more than all
// that has to be known of it. Pure.
import { isUtf8 } from "node:buffer";

/** In order; none is changed any more. */
export type ByteParts = readonly Uint8Array[];

export function sizeOf(parts: ByteParts): number {
  let size = 0;
  for (const part of parts) size += part.length;
  return size;
}

/** A copy of the bytes from `start` to `end`, as far as there are any. */
export function bytesBetween(parts: ByteParts, start: number, end: number): Buffer {
  const pieces: Uint8Array[] = [];
  let base = 0;
  for (const part of parts) {
    if (base >= end) break;
    if (base + part.length > start) {
      pieces.push(part.subarray(Math.max(0, start - base), end - base));
    }
    base += part.length;
  }
  return Buffer.concat(pieces);
}

/** Where `pattern` stands, also across parts. In order, except that matches may overlap. */
export function* findAll(parts: ByteParts, pattern: string): Generator<number> {
  const wanted = Buffer.from(pattern);
  const reach = wanted.length - 1;
  let base = 0;
  /** The last bytes before the part, in which a match may begin. */
  let before = Buffer.alloc(0);
  for (const part of parts) {
    const seam = Buffer.concat([before, part.subarray(0, reach)]);
    for (let at = seam.indexOf(wanted); at !== -1; at = seam.indexOf(wanted, at + 1)) {
      yield base - before.length + at;
    }
    const body = Buffer.from(part.buffer, part.byteOffset, part.length);
    for (let at = body.indexOf(wanted); at !== -1; at = body.indexOf(wanted, at + 1)) {
      yield base + at;
    }
    const last = Buffer.concat([before, part.subarray(Math.max(0, part.length - reach))]);
    before = last.subarray(Math.max(0, last.length - reach));
    base += part.length;
  }
}

export function includes(parts: ByteParts, pattern: string): boolean {
  return !findAll(parts, pattern).next().done;
}

/** Whether the parts are UTF-8 together; a character may be split between them. */
export function areUtf8(parts: ByteParts): boolean {
  let begun = Buffer.alloc(0);
  for (const part of parts) {
    let start = 0;
    if (begun.length > 0) {
      start = Math.min(part.length, characterLength(begun[0] ?? 0) - begun.length);
      begun = Buffer.concat([begun, part.subarray(0, start)]);
      if (begun.length < characterLength(begun[0] ?? 0)) continue;
      if (!isUtf8(begun)) return false;
    }
    const body = part.subarray(start);
    const end = body.length - unfinishedBytes(body);
    if (!isUtf8(body.subarray(0, end))) return false;
    begun = Buffer.from(body.subarray(end));
  }
  return begun.length === 0;
}

/** Bytes of the character that begins with this byte. */
function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** Bytes at the end that begin a character which goes on in the next part. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return characterLength(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
