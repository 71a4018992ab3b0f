// Which JSON-RPC errors plainly say that the token is missing, invalid or expired. Only errors are
// ever asked about, never results. Wrong arguments and unknown methods are not about tokens,
// whatever their text says. Pure.
import { isObject, type JsonRpcError, RPC_ERROR } from "../json-rpc.ts";

const HTTP_UNAUTHORIZED = 401;

/** Codes with a meaning of their own that no text changes. */
const NEVER: readonly number[] = [
  RPC_ERROR.parse,
  RPC_ERROR.methodNotFound,
  RPC_ERROR.invalidParams,
];

const KIND_OF_TOKEN =
  "(?:(?:access|auth|authentication|authorization|bearer|api|oauth|session|id)[ _-])?";
const STATE = "(?:invalid|expired|revoked)";

const PLAIN_WORDS: readonly RegExp[] = [
  /\bunauthori[sz]ed\b/i,
  /\bunauthenticated\b/i,
  /\bnot authenticated\b/i,
  /\bauthentication (?:is )?required\b/i,
  /\bhttp(?: status)?(?: code)?:? 401\b/i,
  /\bstatus(?: code)?:? 401\b/i,
  // "invalid token '}' at position 4" is a parser's complaint, "invalid page token" a cursor's.
  new RegExp(
    `\\b${STATE}[ _](?:or ${STATE} )?${KIND_OF_TOKEN}token\\b(?! *(?:['"\`<]|at |in |near |on line))`,
    "i",
  ),
  new RegExp(
    `(?<!\\b(?:page|continuation|cursor|csrf|xsrf|sync|device|push|upload|next)[ _-])` +
      `(?:\\b|_)token (?:is |has |was |has been )?(?:been )?(?:${STATE}|not valid|no longer valid)\\b`,
    "i",
  ),
];

/** Whether an error asks for another token rather than for another request. */
export function saysUnauthorized(error: JsonRpcError): boolean {
  if (NEVER.includes(error.code)) return false;
  if (error.code === HTTP_UNAUTHORIZED) return true;
  const { data } = error;
  if (isObject(data)) {
    const status = data.status ?? data.statusCode ?? data.httpStatus;
    if (status === HTTP_UNAUTHORIZED || data.error === "invalid_token") return true;
  }
  const { message } = error;
  return typeof message === "string" && PLAIN_WORDS.some((words) => words.test(message));
}
