// What an upstream says instead of an answer, in words: statuses, challenges, errors without a
// request, content that is no answer. A body is never shown, but for the text of a JSON-RPC error.
import { UpstreamError } from "../errors.ts";
import { isObject, type JsonRpcError, type Received } from "../json-rpc.ts";
import { discard, renderChallenge } from "./fetch.ts";
import { parseMessages } from "./messages.ts";
import { bodyKind, mediaType, readText } from "./response-body.ts";

const REFUSAL_BYTES = 64 * 1024;

export function isRpcError(error: unknown): error is JsonRpcError {
  return isObject(error) && typeof error.code === "number";
}

/** The one JSON-RPC message of a refusal. Anything else in it, such as a page, is never shown. */
export async function readRefusal(response: Response): Promise<Received | undefined> {
  if (bodyKind(response) !== "json") {
    await discard(response);
    return undefined;
  }
  try {
    const text = await readText(response, REFUSAL_BYTES);
    return text === undefined ? undefined : parseMessages(text)?.received[0];
  } catch {
    // The status has been said; a body that broke off adds nothing to it.
    return undefined;
  }
}

export function renderRefusal(
  server: string,
  response: Response,
  error: JsonRpcError | undefined,
): UpstreamError {
  const { status } = response;
  const retryAfter = response.headers.get("Retry-After");
  const wait =
    retryAfter !== null && /^[\w ,:+-]{1,40}$/.test(retryAfter)
      ? `, Retry-After: ${retryAfter}`
      : "";
  const challenge = status === 403 ? renderChallenge(response) : "";
  const words = error === undefined ? "" : `, ${renderRpcError(error)}`;
  const text = `Cannot get an answer from "${server}": it answered HTTP ${status}${wait}${challenge}${words}`;
  return new UpstreamError(status === 403 ? "auth" : "refused", text, { hint: hintFor(status) });
}

function hintFor(status: number): string {
  if (status === 403) return "Check what the account may do; another token of it will not help";
  if (status === 404) return "Check the path in upstream.url";
  if (status === 405) return 'Check upstream.url; an older server needs upstream.transport "sse"';
  if (status === 429) return "Wait before you try again";
  if (status >= 500) return "Check whether the request was carried out before you repeat it";
  return "Check upstream.url and upstream.headers";
}

function renderRpcError(error: JsonRpcError): string {
  const words = String(error.message).replace(/\s+/g, " ").slice(0, 200);
  return `error ${error.code} "${words}"`;
}

/** `anonymousError` came without an id: the upstream could not read which request it was. */
export function withoutAnswer(
  server: string,
  response: Response,
  anonymousError: JsonRpcError | undefined,
): UpstreamError {
  const subject = `Cannot get an answer from "${server}"`;
  if (anonymousError !== undefined) {
    return new UpstreamError("refused", `${subject}: ${renderRpcError(anonymousError)}`);
  }
  const state = `HTTP ${response.status} without the answer to this request`;
  return new UpstreamError("protocol", `${subject}: it sent ${state}; the outcome is unknown`);
}

/** A success whose body can hold no answer. */
export function strangeAnswer(server: string, response: Response): UpstreamError {
  const { status } = response;
  const subject = `Cannot get an answer from "${server}"`;
  if (status === 202 || status === 204) {
    const state = `it took the request with HTTP ${status} and gives no answer to it`;
    return new UpstreamError("protocol", `${subject}: ${state}; the outcome is unknown`);
  }
  const type = mediaType(response) || "no content type";
  const wanted = "wanted application/json or text/event-stream";
  return new UpstreamError(
    "protocol",
    `${subject}: it sent HTTP ${status} with ${type}, ${wanted}`,
    {
      hint: "Check upstream.url, and that no login page or proxy stands before the server",
    },
  );
}

export function tooLarge(server: string, limitBytes: number): UpstreamError {
  const limit = `${Math.floor(limitBytes / 2 ** 20)} MB`;
  return new UpstreamError(
    "protocol",
    `Cannot take the answer of "${server}": it is too large, wanted at most ${limit}`,
    { hint: "Ask for less at once" },
  );
}
