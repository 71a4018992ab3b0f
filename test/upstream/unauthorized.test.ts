import { describe, expect, test } from "bun:test";
import { saysUnauthorized } from "../../lib/upstream/unauthorized.ts";

const SAYS: readonly (readonly [number, string, unknown?])[] = [
  [-32001, "Unauthorized: access token expired"],
  [-32001, "Unauthorized"],
  [-32000, "unauthorised"],
  [-32603, "Internal error: 401 Unauthorized"],
  [401, "nope"],
  [-32000, "Invalid token"],
  [-32000, "invalid_token"],
  [-32000, "The access token is invalid"],
  [-32000, "Token has expired"],
  [-32000, "token expired, please log in"],
  [-32000, "Expired or invalid access token"],
  [-32000, "Your API token has been revoked"],
  [-32000, "invalid bearer token"],
  [-32000, "Authentication required"],
  [-32000, "Request failed with status code 401"],
  [-32000, "HTTP 401"],
  [-32000, "User is not authenticated"],
  [-32000, "no luck", { status: 401 }],
  [-32000, "no luck", { statusCode: 401 }],
  [-32000, "no luck", { error: "invalid_token" }],
];

const DOES_NOT_SAY: readonly (readonly [number, string, unknown?])[] = [
  [-32602, "id 401 not found"],
  [-32602, "Unauthorized"],
  [-32601, "Unauthorized: no such method"],
  [-32700, "Invalid token"],
  [-32000, "id 401 not found"],
  [-32000, "ticket 401: customer is angry"],
  [-32000, "Forbidden"],
  [403, "Forbidden: insufficient scope"],
  [-32000, "Permission denied"],
  [-32000, "Unexpected token < in JSON at position 0"],
  [-32000, "Invalid token '}' at position 4"],
  [-32000, "invalid token at line 3"],
  [-32000, "Invalid page token"],
  [-32000, "The page token is invalid"],
  [-32000, "continuation token expired"],
  [-32000, "CSRF token invalid"],
  [-32000, "Session not found"],
  [-32000, "Rate limit exceeded"],
  [-32000, "token limit of 4096 exceeded"],
  [-32000, "no luck", { status: 403 }],
  [-32000, "no luck", "401"],
];

describe("saysUnauthorized()", () => {
  const verdicts = (rows: typeof SAYS) =>
    rows.map(([code, message, data]) => [code, message, saysUnauthorized({ code, message, data })]);

  test("recognises errors that plainly ask for another token", () => {
    expect(verdicts(SAYS)).toEqual(SAYS.map(([code, message]) => [code, message, true]));
  });

  test("leaves all others alone", () => {
    expect(verdicts(DOES_NOT_SAY)).toEqual(
      DOES_NOT_SAY.map(([code, message]) => [code, message, false]),
    );
  });

  test("takes an error whose message is no text", () => {
    expect(saysUnauthorized({ code: -32000, message: 5 as unknown as string })).toBe(false);
  });
});
