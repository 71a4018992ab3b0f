// A quick MCP server on stdio.
//   bun bench/upstreams/stdio.ts [TOOL_COUNT]
import { createBenchServer } from "./server.ts";

const server = createBenchServer({ toolCount: Number(process.argv[2] ?? 60) });
const PIECE_BYTES = 256 * 1024;
const out = Bun.stdout.writer();
const decoder = new TextDecoder();
let rest = "";
for await (const chunk of Bun.stdin.stream()) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const answer = server.answer(JSON.parse(line));
    if (answer === undefined) continue;
    // In pieces, as Bun's writer moves again and again what it could not write at once.
    for (let at = 0; at < answer.length; at += PIECE_BYTES) {
      out.write(answer.subarray(at, at + PIECE_BYTES));
      if (answer.length > PIECE_BYTES) await out.flush();
    }
    out.write("\n");
  }
  await out.flush();
}
