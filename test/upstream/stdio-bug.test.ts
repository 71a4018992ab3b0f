import { expect, test } from "bun:test";
import { join } from "node:path";

const STDIO = join(import.meta.dir, "../../lib/upstream/stdio.ts");
const UPSTREAM = join(import.meta.dir, "../upstreams/stdio-upstream.ts");

test("a bug in who is told of a message is not taken for the end of the server", async () => {
  const script = `
    import { openStdio } from ${JSON.stringify(STDIO)};
    process.on("unhandledRejection", (error) => { console.log(error.message); process.exit(0); });
    const upstream = { kind: "stdio", command: process.execPath, args: [${JSON.stringify(UPSTREAM)}], env: {} };
    const connection = await openStdio({
      upstream,
      server: "acme",
      environment: { PATH: process.env.PATH },
      events: {
        onMessage() { throw new Error("a bug"); },
        onEnd(reason) { console.log(reason.message); process.exit(1); },
      },
      log: { line: console.error },
    });
    const request = { jsonrpc: "2.0", id: 1, method: "ping" };
    await connection.send(request, JSON.stringify(request));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  const [code, text] = await Promise.all([child.exited, new Response(child.stdout).text()]);
  expect([code, text]).toEqual([0, "a bug\n"]);
});
