import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "../support/until.ts";

const STDIO = join(import.meta.dir, "../../lib/host/stdio.ts");

/** A process with a line writer on stdout; `script` may use `writer`, `line` and `parts`. */
function startWriter(script: string) {
  const code = `
    import { createLineWriter } from ${JSON.stringify(STDIO)};
    const writer = createLineWriter({
      file: Bun.stdout,
      onBroken: () => { console.error("broken"); process.exit(3); },
    });
    const line = (letter, length) => letter.repeat(length);
    const parts = (letter, length) => {
      const half = new TextEncoder().encode(line(letter, Math.floor(length / 2)));
      return [half, new TextEncoder().encode(line(letter, length - half.length))];
    };
    ${script}`;
  return Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "pipe" });
}

/** Each line as its letters and their number. */
function summarize(text: string): string[] {
  return text.split("\n").map((one) => `${[...new Set(one)].join("")}${one.length}`);
}

describe("createLineWriter()", () => {
  test("writes lines and bytes in order, however large they are", async () => {
    const child = startWriter(`
      writer.write("a");
      writer.writeParts(parts("b", 3_000_000));
      writer.write(line("c", 10));
      writer.writeParts(parts("d", 5));
      writer.write(line("e", 2_000_000));
      writer.writeParts(parts("f", 1_000_000));
      writer.write("g");
      await writer.drain(10_000);
      process.exit(0);`);
    const text = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    expect(summarize(text)).toEqual([
      "a1",
      "b3000000",
      "c10",
      "d5",
      "e2000000",
      "f1000000",
      "g1",
      "0",
    ]);
  });

  test("waits for a reader that is slow, and says when it is gone", async () => {
    const child = startWriter(`
      writer.writeParts(parts("a", 5_000_000));
      writer.write("b");
      await writer.drain(50);
      console.error("still waiting");
      setInterval(() => writer.write("c"), 10);`);
    const reader = child.stdout.getReader();
    let stderr = "";
    const told = (async () => {
      for await (const chunk of child.stderr) stderr += new TextDecoder().decode(chunk);
    })();
    await reader.read();
    await until(() => stderr.includes("still waiting"), "the end of drain's limit");
    await reader.cancel();
    expect(await child.exited).toBe(3);
    await told;
    expect(stderr).toBe("still waiting\nbroken\n");
  });
});
