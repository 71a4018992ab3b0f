// The least a program can do in the facade's place: reads the catalog's file whole, answers
// initialize and tools/list with all tools in it, nothing else. What `start` compares with.
//   bun bench/support/bare-script.ts CATALOG_FILE
import { readFileSync } from "node:fs";

const catalog = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const results: Readonly<Record<string, unknown>> = {
  initialize: catalog.handshake,
  "tools/list": { tools: catalog.tools },
};
const out = Bun.stdout.writer();
const decoder = new TextDecoder();
let rest = "";
for await (const chunk of Bun.stdin.stream()) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    const result = results[method];
    if (id === undefined || result === undefined) continue;
    out.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    out.flush();
  }
}
