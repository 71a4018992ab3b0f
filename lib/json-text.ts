// Surgery on JSON text: finding, replacing and adding values without parsing the rest away, so that
// numbers beyond 2^53, the order of members and repeated members survive. Pure.
// The text is known to be valid JSON (it was parsed once); nothing here validates. A repeated
// member means its last occurrence, as for JSON.parse. All functions are linear in the text and
// use no stack per nesting level.
import { FacadeError } from "./errors.ts";

/** Where a value stands in a text: `text.slice(start, end)`, without white space around it. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** The raw text of the value at a path of object members; undefined when there is none. */
export function memberText(text: string, path: readonly string[]): string | undefined {
  const span = findSpan(text, path);
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

/**
 * The text with the value at `path` replaced by `valueText`. If only the last member of the path
 * is missing, it is added as the last member of its object.
 */
export function replaceMember(text: string, path: readonly string[], valueText: string): string {
  const span = findSpan(text, path);
  if (span !== undefined) return splice(text, span.start, span.end, valueText);
  const key = path.at(-1) ?? "";
  const parent = findSpan(text, path.slice(0, -1));
  if (parent === undefined || text.charCodeAt(parent.start) !== OPEN_BRACE) {
    throw wrongPlace("set", path, "an object around it is wanted");
  }
  return insertLast(text, parent, `${JSON.stringify(key)}:${valueText}`);
}

/** The text with `elementText` as a further, last element of the array at `path`. */
export function appendElement(text: string, path: readonly string[], elementText: string): string {
  const span = findSpan(text, path);
  if (span === undefined || text.charCodeAt(span.start) !== OPEN_BRACKET) {
    throw wrongPlace("append to", path, "an array is wanted");
  }
  return insertLast(text, span, elementText);
}

/** The texts of the elements of the array that `text` is, in order; none for other values. */
export function arrayElements(text: string): readonly string[] {
  const elements: string[] = [];
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_BRACKET) return elements;
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = valueEnd(text, at);
    elements.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return elements;
}

/** All members of the object that `text` is, in order, repeated ones too; none for other values. */
export function objectMembers(text: string): readonly { key: string; text: string }[] {
  const members: { key: string; text: string }[] = [];
  eachMember(text, skipSpace(text, 0), (key, start) => {
    const end = valueEnd(text, start);
    members.push({ key, text: text.slice(start, end) });
    return end;
  });
  return members;
}

function findSpan(text: string, path: readonly string[]): Span | undefined {
  const start = skipSpace(text, 0);
  if (path.length === 0) return { start, end: valueEnd(text, start) };
  return search(text, start, path).span;
}

/** One pass over the value at `at`: its end, and the span of what `path` names inside it. */
function search(
  text: string,
  at: number,
  path: readonly string[],
): { readonly span: Span | undefined; readonly end: number } {
  let span: Span | undefined;
  const rest = path.slice(1);
  const end = eachMember(text, at, (key, start) => {
    if (key !== path[0]) return valueEnd(text, start);
    if (rest.length > 0 && text.charCodeAt(start) === OPEN_BRACE) {
      const found = search(text, start, rest);
      span = found.span;
      return found.end;
    }
    const memberEnd = valueEnd(text, start);
    span = rest.length === 0 ? { start, end: memberEnd } : undefined;
    return memberEnd;
  });
  return { span, end };
}

/**
 * Visits the members of the object that begins at `at`; none if another value begins there.
 * `visit` gets the start of the member's value and gives back its end. Returns the object's end.
 */
function eachMember(
  text: string,
  at: number,
  visit: (key: string, start: number) => number,
): number {
  if (text.charCodeAt(at) !== OPEN_BRACE) return at;
  let next = skipSpace(text, at + 1);
  while (text.charCodeAt(next) === QUOTE) {
    const keyEnd = stringEnd(text, next);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const after = skipSpace(text, visit(keyOf(text, next, keyEnd), start));
    if (text.charCodeAt(after) !== COMMA) return after + 1;
    next = skipSpace(text, after + 1);
  }
  return next + 1;
}

function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes("\\") ? String(JSON.parse(text.slice(start, end))) : raw;
}

/** The position after the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerEnd(text, start);
  let at = start;
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at += 1;
  return at;
}

function containerEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    at += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

/** The position after the string whose opening quote is at `start`. */
function stringEnd(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

function endsScalar(code: number): boolean {
  return code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

/** Adds a last member or element to the object or array that `span` is. */
function insertLast(text: string, span: Span, addition: string): string {
  const inside = skipSpace(text, span.start + 1);
  const close = span.end - 1;
  return splice(text, close, close, inside === close ? addition : `,${addition}`);
}

function splice(text: string, start: number, end: number, insert: string): string {
  return text.slice(0, start) + insert + text.slice(end);
}

function wrongPlace(action: string, path: readonly string[], wanted: string): FacadeError {
  return new FacadeError("json-path", `Cannot ${action} "${path.join(".")}": ${wanted}`);
}
