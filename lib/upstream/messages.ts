// JSON text from a wire to JSON-RPC messages: arrays (the batches of older servers) are split, the
// text of each message is kept as it came, on one line. Pure.
import {
  isJsonRpcMessage,
  isObject,
  isRequestId,
  type JsonRpcResponse,
  type Received,
  type RequestId,
  RPC_ERROR,
} from "../json-rpc.ts";
import { arrayElements } from "../json-text.ts";

/** What a text held: its messages, and how many values in it were none. */
export interface ParsedText {
  readonly received: readonly Received[];
  readonly strangers: number;
}

/** Undefined when the text is no JSON object or array. A byte-order mark is ignored. */
export function parseMessages(text: string): ParsedText | undefined {
  const line = toOneLine(text);
  // Most of what is no message is told by its first character, which is cheaper than an exception.
  if (line[0] !== "{" && line[0] !== "[") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const values = Array.isArray(value) ? value : [value];
  const texts = Array.isArray(value) ? arrayElements(line) : [line];
  const received = values
    .map((one: unknown, index) => receive(one, texts[index] ?? ""))
    .filter((one) => one !== undefined);
  return { received, strangers: values.length - received.length };
}

/** An answer that is none would leave its request waiting: it becomes an error that says so. */
function receive(value: unknown, text: string): Received | undefined {
  if (isJsonRpcMessage(value)) return { message: value, text };
  const isAnswer = isObject(value) && value.method === undefined && isRequestId(value.id);
  if (!isAnswer || !isRequestId(value.id) || !("error" in value || "jsonrpc" in value))
    return undefined;
  return refusal(value.id, "The upstream's answer holds neither a result nor an error object");
}

/** Line breaks can stand only between the tokens of JSON, where a blank means the same. */
function toOneLine(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const flat = text.includes("\n") || text.includes("\r") ? text.replace(/[\r\n]+/g, " ") : text;
  return flat.slice(start).trim();
}

/** Position of the quote that closes the string opened at `open`, or the end of the text. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/**
 * The id of the request that a message answers of which only the two ends are known; undefined
 * when it cannot be told for sure, or the message is not an answer.
 */
export function findAnsweredId(ends: {
  readonly head: string;
  readonly tail: string;
}): RequestId | undefined {
  const members = topMembers(ends.head);
  if (members.has("method")) return undefined;
  return members.get("id") ?? idBeforeTheEnd(ends.tail);
}

const ID = '"id"\\s*:\\s*(-?\\d+|"(?:[^"\\\\]|\\\\.)*")';
const ID_LAST = new RegExp(`[,{]\\s*${ID}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`);

function idBeforeTheEnd(tail: string): RequestId | undefined {
  const match = ID_LAST.exec(tail)?.[1];
  return match === undefined ? undefined : parseId(match);
}

function parseId(text: string): RequestId | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRequestId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The members of the outermost object that begin in `head`, with their value if it is an id. */
function topMembers(head: string): Map<string, RequestId | undefined> {
  const members = new Map<string, RequestId | undefined>();
  let depth = 0;
  for (let at = 0; at < head.length; at += 1) {
    const char = head[at];
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (char !== '"') continue;
    const end = endOfString(head, at);
    if (depth === 1) {
      const member = /^\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+(?=\s*[,}]))?/.exec(
        head.slice(end + 1, end + 600),
      );
      if (member !== null) {
        members.set(
          head.slice(at + 1, end),
          member[1] === undefined ? undefined : parseId(member[1]),
        );
        at = end + member[0].length;
        continue;
      }
    }
    at = end;
  }
  return members;
}

/** An answer of our own in place of one that could not be taken over. */
export function refusal(id: RequestId, message: string): Received {
  const answer: JsonRpcResponse = {
    jsonrpc: "2.0",
    id,
    error: { code: RPC_ERROR.connection, message },
  };
  return { message: answer, text: JSON.stringify(answer) };
}

/** Whether a message answers the request with this id. */
export function isAnswerTo(received: Received, id: RequestId): boolean {
  const { message } = received;
  const answered = message.id;
  return message.method === undefined && isRequestId(answered) && answered === id;
}
