// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts as a configuration holds them
import { describe, expect, test } from "bun:test";
import { renderIdentity } from "../../lib/config/identity.ts";

const HTTP = {
  url: "https://${HOST}/mcp",
  headers: { "X-B": "1", Accept: "2" },
  credentialId: "c",
};
const STDIO = {
  command: "x",
  args: ["a"],
  env: { B: "1", A: "2" },
  cwd: "~/w",
  envFrom: "claude:x",
};

describe("renderIdentity()", () => {
  test("is the same for another spelling of the same upstream", () => {
    const reordered = { credentialId: "c", headers: { accept: "other", "x-b": "" }, url: HTTP.url };
    expect(renderIdentity(reordered)).toBe(renderIdentity(HTTP));
    expect(renderIdentity({ ...HTTP, transport: "http" })).toBe(renderIdentity(HTTP));
    expect(renderIdentity({ ...HTTP, tokenCommand: ["t"] })).toBe(renderIdentity(HTTP));
    expect(renderIdentity({ ...STDIO, env: { A: "2", B: "1" } })).toBe(renderIdentity(STDIO));
    expect(renderIdentity({ command: "x", args: [], env: {} })).toBe(
      renderIdentity({ command: "x" }),
    );
  });

  test("is another one when anything that selects the upstream changes", () => {
    const variants = [
      HTTP,
      { ...HTTP, url: "https://${HOST}/mcp2" },
      { ...HTTP, transport: "sse" },
      { ...HTTP, headers: { "X-B": "1" } },
      { ...HTTP, credentialId: "d" },
      STDIO,
      { ...STDIO, command: "y" },
      { ...STDIO, args: ["b"] },
      { ...STDIO, args: ["a", "b"] },
      { ...STDIO, env: { A: "2", B: "2" } },
      { ...STDIO, cwd: "~/v" },
      { ...STDIO, envFrom: "claude:y" },
    ];
    expect(new Set(variants.map(renderIdentity)).size).toBe(variants.length);
  });

  test("holds variables as they are written, and no value of a header", () => {
    const identity = renderIdentity({
      url: "https://${HOST}",
      headers: { Authorization: "planted" },
    });
    expect(identity).toContain("${HOST}");
    expect(identity).not.toContain("planted");
  });
});
