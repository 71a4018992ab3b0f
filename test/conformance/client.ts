// A host for the conformance suite's client scenarios, with the facade as the MCP client that is
// judged: bun client.ts URL. The suite names the scenario in MCP_CONFORMANCE_SCENARIO.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { environmentOf, FACADE } from "../support/facade-process.ts";

/** The tools each scenario wants to be called. */
const CALLS: Readonly<Record<string, { readonly name: string; readonly arguments: object }>> = {
  tools_call: { name: "add_numbers", arguments: { a: 5, b: 3 } },
  "elicitation-sep1034-client-defaults": {
    name: "test_client_elicitation_defaults",
    arguments: {},
  },
  "sse-retry": { name: "test_reconnection", arguments: {} },
};

const [url = ""] = process.argv.slice(2);
const call = CALLS[process.env.MCP_CONFORMANCE_SCENARIO ?? ""];
const folder = mkdtempSync(join(tmpdir(), "mcp-facade-conformance-"));
try {
  const config = join(folder, "facade.servers.json");
  writeFileSync(
    config,
    JSON.stringify({ acme: { upstream: { url }, used: call ? [call.name] : [] } }),
  );
  const client = new Client(
    { name: "conformance-host", version: "1.0.0" },
    { capabilities: { elicitation: { form: { applyDefaults: true } } } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["run", FACADE, "--server", "acme", "--config", config],
      env: environmentOf(folder),
      stderr: "inherit",
    }),
  );
  await client.listTools();
  if (call !== undefined) {
    const result = await client.callTool({ ...call, arguments: { ...call.arguments } });
    if (result.isError) throw new Error(`the call failed: ${JSON.stringify(result.content)}`);
  }
  await client.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
