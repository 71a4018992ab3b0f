// The main job on one screen: the reference server `everything` behind the facade, seen through a
// real MCP client: the list a host would get, the list it gets, then discover -> describe -> call.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { countTokens } from "./support/tokens.ts";

const ROOT = join(import.meta.dir, "..");
const EVERYTHING = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const USED = ["echo", "get-sum"];

async function connect(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "demo-host", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: { PATH: process.env.PATH ?? "", ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}

interface Listed {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** What a model is given of each tool. */
function tokensOf(tools: readonly Listed[]): number {
  const texts = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

function printList(title: string, tools: readonly Listed[]): void {
  console.log(`\n${title}: ${tools.length} tools, ${tokensOf(tools)} tokens`);
  console.log(`  ${tools.map((tool) => tool.name).join(", ")}`);
}

async function printCall(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<void> {
  console.log(`\n> ${name} ${JSON.stringify(args)}`);
  const result = await client.callTool({ name, arguments: args });
  const blocks = Array.isArray(result.content) ? result.content : [];
  for (const block of blocks) {
    const text: string = block?.type === "text" ? String(block.text) : JSON.stringify(block);
    console.log(text.replace(/^/gm, "  "));
  }
}

async function demo(folder: string): Promise<void> {
  const direct = await connect([EVERYTHING, "stdio"], {});
  const all = await direct.listTools();
  await direct.close();
  printList("Without the facade a host gets", all.tools);

  const config = join(folder, "facade.servers.json");
  const upstream = { command: process.execPath, args: [EVERYTHING, "stdio"] };
  writeFileSync(config, JSON.stringify({ everything: { upstream, used: USED } }));
  const args = ["run", join(ROOT, "facade.ts"), "--server", "everything", "--config", config];
  const client = await connect(args, { HOME: folder });
  const few = await client.listTools();
  printList(`Through the facade with used: ${JSON.stringify(USED)}`, few.tools);

  await printCall(client, "echo", { message: "called directly" });
  await printCall(client, "discover", { query: "structured weather", limit: 3 });
  await printCall(client, "describe", { tool: "get-structured-content" });
  const call = { tool: "get-structured-content", args: { location: "Chicago" } };
  await printCall(client, "call", call);
  await client.close();
}

const folder = mkdtempSync(join(tmpdir(), "mcp-facade-demo-"));
try {
  await demo(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
