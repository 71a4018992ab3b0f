// A real MCP client on the facade's stdio, the reference servers behind it.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { environmentOf, FACADE } from "../support/facade-process.ts";
import { createWorkspace, type Workspace } from "../support/workspace.ts";

const SERVERS = join(import.meta.dir, "../../node_modules/@modelcontextprotocol");
const everything = {
  command: process.execPath,
  args: [join(SERVERS, "server-everything/dist/index.js"), "stdio"],
};

async function connect(workspace: Workspace, server: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: "test-host", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["run", FACADE, "--server", server, "--config", workspace.configFile],
    env: environmentOf(workspace.folder),
    stderr: "ignore",
  });
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function textOf(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  const blocks = Array.isArray(result.content) ? result.content : [];
  return blocks
    .map((block) => (block?.type === "text" ? String(block.text) : `<${block?.type}>`))
    .join("\n");
}

describe("a real client", () => {
  test("lists and calls used tools, and reaches the others through the meta-tools", async () => {
    using workspace = createWorkspace({ everything: { upstream: everything, used: ["Echo"] } });
    await using client = await connect(workspace, "everything");
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["echo", "discover", "describe", "call"]);
    expect(await textOf(client, "echo", { message: "hello" })).toBe("Echo: hello");
    expect(await textOf(client, "discover", { query: "add two numbers" })).toContain(
      "\nget-sum(a: number, b: number)",
    );
    expect(await textOf(client, "describe", { tool: "get-sum" })).toContain("First number");
    expect(await textOf(client, "call", { tool: "get-sum", args: { a: 2, b: 3 } })).toContain("5");
    expect(await textOf(client, "call", { tool: "get-tiny-image" })).toContain("<image>");
  });

  test("reaches prompts and resources once the catalog is known", async () => {
    using workspace = createWorkspace({ everything: { upstream: everything } });
    {
      await using first = await connect(workspace, "everything");
      await first.listTools();
      expect(first.getServerCapabilities()?.prompts).toBeUndefined();
    }
    await using client = await connect(workspace, "everything");
    expect(client.getInstructions()).toContain("discover");
    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toContain("simple-prompt");
    const prompt = await client.getPrompt({ name: "simple-prompt" });
    expect(prompt.messages.length).toBeGreaterThan(0);
    const { resources } = await client.listResources();
    const uri = resources[0]?.uri ?? "";
    const read = await client.readResource({ uri });
    expect(read.contents[0]?.uri).toBe(uri);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.length).toBeGreaterThan(0);
  });

  test("works with files through the filesystem server", async () => {
    using workspace = createWorkspace();
    const command = process.execPath;
    const args = [join(SERVERS, "server-filesystem/dist/index.js"), workspace.folder];
    workspace.write("facade.servers.json", {
      fs: { upstream: { command, args }, used: ["read_text_file"] },
    });
    workspace.write("note.txt", "text in a file");
    await using client = await connect(workspace, "fs");
    await client.listTools();
    const path = join(workspace.folder, "note.txt");
    expect(await textOf(client, "read_text_file", { path })).toBe("text in a file");
    const other = join(workspace.folder, "other.txt");
    await textOf(client, "call", { tool: "write_file", args: { path: other, content: "more" } });
    expect(workspace.read("other.txt")).toBe("more");
  });

  test("keeps a graph through the memory server", async () => {
    using workspace = createWorkspace();
    const upstream = {
      command: process.execPath,
      args: [join(SERVERS, "server-memory/dist/index.js")],
      env: { MEMORY_FILE_PATH: join(workspace.folder, "memory.jsonl") },
    };
    workspace.write("facade.servers.json", { memory: { upstream, used: ["create_entities"] } });
    await using client = await connect(workspace, "memory");
    const { tools } = await client.listTools();
    expect(tools[0]?.name).toBe("create_entities");
    const entities = [{ name: "facade", entityType: "program", observations: ["is small"] }];
    await textOf(client, "create_entities", { entities });
    expect(
      await textOf(client, "call", { tool: "search_nodes", args: { query: "small" } }),
    ).toContain("facade");
  });
});
