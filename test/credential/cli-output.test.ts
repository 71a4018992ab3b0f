import { describe, expect, test } from "bun:test";
import { maskTokens, parseReason, parseTokenLine } from "../../lib/credential/cli-output.ts";

describe("parseTokenLine()", () => {
  test.each([
    ["tok-1\n", "tok-1"],
    ["tok-1", "tok-1"],
    ["\n\r\n  tok-1 \r\nsecond line\n", "tok-1"],
    ["\u001b[32mtok-1\u001b[0m\n", "tok-1"],
    ["\u001b]0;title\u0007tok-1\n", "tok-1"],
    ["\ufefftok-1\n", "tok-1"],
    ["eyJh.eyJz.c2ln==+/~_-\n", "eyJh.eyJz.c2ln==+/~_-"],
  ])("%j gives %p", (stdout, token) => {
    expect(parseTokenLine(stdout)).toEqual({ token });
  });

  test.each([
    ["", "printed nothing"],
    [" \r\n\u001b[0m\n", "printed nothing"],
    ["Token: tok-1\n", "printed a line with spaces"],
    ["Bearer tok-1\n", "printed a line with spaces"],
    ['{\n  "accessToken": "tok-1"\n}\n', "printed JSON or a quoted text"],
    ['"tok-1"\n', "printed JSON or a quoted text"],
    ["tök-1\n", "printed a line that is not plain ASCII"],
  ])("%j is refused: it %s", (stdout, refusal) => {
    expect(parseTokenLine(stdout)).toEqual({ refusal });
  });
});

describe("parseReason()", () => {
  test.each<[string, string | undefined]>([
    ["", undefined],
    ["\n \n", undefined],
    ["\u001b[31merror: refresh failed\u001b[0m\nat line 5\n", "error: refresh failed"],
    ["  spinner\rerror: second\n", "spinner"],
    [`${"x ".repeat(150)}`, `${"x ".repeat(100)}...`],
  ])("%j gives %p", (stderr, reason) => {
    expect(parseReason(stderr)).toBe(reason);
  });
});

describe("maskTokens()", () => {
  test.each([
    ["error: refresh failed for this credential", "error: refresh failed for this credential"],
    [
      "no credential mcp_oauth:profile:default:https://mcp.example.com/v1/mcp",
      "no credential mcp_oauth:profile:default:https://mcp.example.com/v1/mcp",
    ],
    [
      "request 123e4567-e89b-12d3-a456-426614174000 failed",
      "request 123e4567-e89b-12d3-a456-426614174000 failed",
    ],
    ["got eyJhbGciOiJI.eyJzdWIi.abc-_x back", "got [secret] back"],
    ["Authorization: Bearer abc", "Authorization: Bearer [secret]"],
    ["refresh_token=abc&x=1", "refresh_token=[secret]"],
    ["password: hunter2", "password: [secret]"],
    ["sent 0123456789abcdef0123456789abcdef01", "sent [secret]"],
    [
      "the-quite-long-name-of-a-service-account-here",
      "the-quite-long-name-of-a-service-account-here",
    ],
  ])("%s", (text, masked) => {
    expect(maskTokens(text)).toBe(masked);
  });
});
