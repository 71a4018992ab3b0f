import { describe, expect, test } from "bun:test";
import { renderCommand, renderLoginHint } from "../../lib/credential/login-hint.ts";

describe("renderLoginHint()", () => {
  test.each<[string[], string]>([
    [
      ["omp", "token", "mcp_oauth:profile:default:https://x/y"],
      "Log in again with /mcp reauth in omp, then check with: omp token mcp_oauth:profile:default:https://x/y",
    ],
    [
      ["/usr/local/bin/gh", "auth", "token"],
      "Log in again with: gh auth login, then check with: /usr/local/bin/gh auth token",
    ],
    [
      ["C:\\sdk\\gcloud.cmd", "auth", "print-access-token"],
      "Log in again with: gcloud auth login, then check with: 'C:\\sdk\\gcloud.cmd' auth print-access-token",
    ],
    [
      ["az", "account", "get-access-token", "--query", "accessToken", "-o", "tsv"],
      "Log in again with: az login, then check with: az account get-access-token --query accessToken -o tsv",
    ],
    [["my-cli", "print"], "Run this in a terminal and log in again as it says: my-cli print"],
    [["constructor"], "Run this in a terminal and log in again as it says: constructor"],
  ])("%j", (tokenCommand, hint) => {
    expect(renderLoginHint(tokenCommand)).toBe(hint);
  });
});

describe("renderCommand()", () => {
  test("quotes what a shell would take apart", () => {
    expect(renderCommand(["a b", "it's", "$X", "", "ok-1"])).toBe("'a b' 'it'\\''s' '$X' '' ok-1");
  });
});
