import { describe, expect, test } from "bun:test";
import { startFacade, textOf } from "../support/facade-process.ts";
import { createWorkspace } from "../support/workspace.ts";
import { startHttpUpstream } from "../upstreams/http-upstream.ts";

const SECRET = "s3cret-header-value";
const LINE = 'A "quoted" line with isError: true, ünïcode and a tab\t.\n';
const TOOLS = ["plain", "secret", "refused"].map((name) => ({
  name,
  inputSchema: { type: "object", properties: { size: { type: "integer" } } },
}));

function run(name: string, args: unknown) {
  const { size } = args as { size: number };
  const text = LINE.repeat(Math.ceil(size / LINE.length));
  if (name === "refused") {
    return { content: [{ type: "text", text: `Invalid arguments: ${text}` }], isError: true };
  }
  const planted = name === "secret" ? `${text}${SECRET}${text}` : text;
  return {
    content: [{ type: "text", text: planted }],
    structuredContent: { text },
    isError: false,
  };
}

describe.each(["json", "events"] as const)("a large result by HTTP as %s", (answerAs) => {
  test("arrives whole, in order, without secrets, and with the signature if it is a refusal", async () => {
    await using upstream = await startHttpUpstream({ tools: TOOLS, answerAs, run });
    const headers = { "X-Api-Key": SECRET };
    using workspace = createWorkspace({
      acme: { upstream: { url: upstream.url, headers }, used: ["plain"] },
    });
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    const size = 1_000_000;
    const calls = [
      facade.callTool("plain", { size }, "a"),
      facade.callTool("call", { tool: "plain", args: { size: 5 } }, "b"),
      facade.callTool("call", { tool: "secret", args: { size } }, "c"),
      facade.callTool("call", { tool: "refused", args: { size } }, "d"),
      facade.callTool("call", { tool: "plain", args: { size } }, "e"),
    ];
    const [plain, small, secret, refused, again] = await Promise.all(calls);
    const expected = run("plain", { size });
    // Compared as a whole first: a difference of megabytes helps nobody.
    expect(JSON.stringify(plain?.result) === JSON.stringify(expected)).toBe(true);
    expect(JSON.stringify(again?.result) === JSON.stringify(expected)).toBe(true);
    expect(small?.result).toEqual(run("plain", { size: 5 }));
    const told = secret === undefined ? "" : textOf(secret);
    expect([told.includes(SECRET), told.includes("[secret]")]).toEqual([false, true]);
    const words = refused === undefined ? "" : textOf(refused);
    expect([refused?.result?.isError, words.split("\n").at(-1)]).toEqual([
      true,
      "refused(size?: integer)",
    ]);
    expect(await facade.end()).toBe(0);
  });
});
