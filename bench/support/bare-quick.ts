// As bare-script.ts, without node:fs, which costs more to load than all the rest: nothing that
// speaks the protocol can start sooner.
//   bun bench/support/bare-quick.ts CATALOG_FILE
const catalog = await Bun.file(Bun.argv[2] ?? "").json();
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

export {};
