// A quick MCP server on stdio.
//   bun bench/upstreams/stdio.ts [TOOL_COUNT]
import { createBenchServer } from "./server.ts";

const server = createBenchServer({ toolCount: Number(process.argv[2] ?? 60) });
const out = Bun.stdout.writer();
const decoder = new TextDecoder();
let rest = "";
for await (const chunk of Bun.stdin.stream()) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const answer = server.answer(JSON.parse(line));
    if (answer === undefined) continue;
    out.write(answer);
    out.write("\n");
  }
  await out.flush();
}
