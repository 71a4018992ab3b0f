// Large results are passed on as the bytes they came as: decoding, parsing and encoding 10 MB again
// takes several times as long as moving it. What has to be known of such a message is read from
// its two ends. Whatever is not certain goes the usual way, by parsing.
// The middle is not checked: it is the upstream's, and reaches the host as it would without us.
import { isRequestId, type RawResult, type RequestId } from "../json-rpc.ts";
import { areUtf8, type ByteParts, bytesBetween, findAll, sizeOf } from "./byte-parts.ts";

/** Shorter messages are parsed in a few milliseconds, and then their middle is known to be JSON. */
export const RAW_MIN_BYTES = 1_048_576;
const END_BYTES = 512;
const LF = 0x0a;
const CR = 0x0d;
const IS_ERROR = '"isError"';

// Ids with escapes or beyond ASCII go the usual way.
const ID = String.raw`-?\d{1,15}|"[ !#-\[\]-~]*"`;
const MEMBER = String.raw`"jsonrpc"\s*:\s*"2\.0"|"id"\s*:\s*(?:${ID})`;
const HEAD = new RegExp(String.raw`^\s*\{\s*((?:(?:${MEMBER})\s*,\s*)*)"result"\s*:\s*\{`);
// The last brace closes the message, so members right before it are its own; the brace before them
// closes a value of it.
const TAIL = new RegExp(String.raw`\}((?:\s*,\s*(?:${MEMBER}))*)\s*\}\s*$`);

/**
 * Undefined when the message is small, no successful result, or not certain to be one. A tool's
 * `isError` result counts as none: the facade may have something to add to it. `parts` are one
 * line, see `flattenLines`.
 */
export function findRawResult(parts: ByteParts): RawResult | undefined {
  const size = sizeOf(parts);
  if (size < RAW_MIN_BYTES) return undefined;
  const head = HEAD.exec(bytesBetween(parts, 0, END_BYTES).toString("latin1"))?.[1];
  const tail = TAIL.exec(bytesBetween(parts, size - END_BYTES, size).toString("latin1"))?.[1];
  if (head === undefined || tail === undefined) return undefined;
  const id = onlyId(`${head} ${tail}`);
  const isCertain = id !== undefined && !mayBeError(parts) && areUtf8(parts);
  return isCertain ? { id, parts } : undefined;
}

/** The id among the outermost members; undefined unless there are one id and one version. */
function onlyId(members: string): RequestId | undefined {
  const ids = [...members.matchAll(new RegExp(String.raw`"id"\s*:\s*(${ID})`, "g"))];
  const versions = members.match(/"jsonrpc"/g)?.length ?? 0;
  const [, text] = ids[0] ?? [];
  if (ids.length !== 1 || versions !== 1 || text === undefined) return undefined;
  const id: unknown = JSON.parse(text);
  return isRequestId(id) ? id : undefined;
}

/** Inside a string the name would have its quotes escaped, so this finds members only. */
function mayBeError(parts: ByteParts): boolean {
  for (const at of findAll(parts, IS_ERROR)) {
    const after = at + IS_ERROR.length;
    const value = bytesBetween(parts, after, after + 16).toString("latin1");
    if (!/^\s*:\s*false/.test(value)) return true;
  }
  return false;
}

/** Line breaks can stand only between the tokens of JSON, where a blank means the same. */
export function flattenLines(bytes: Uint8Array): void {
  for (const lineBreak of [LF, CR]) {
    for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) {
      bytes[at] = 0x20;
    }
  }
}
