// Secrets planted everywhere they can be configured, upstreams that echo them, and a look at
// everything that leaves the process: stdout, stderr, files, the argv of every child.
import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startFacade, textOf } from "../support/facade-process.ts";
import { createWorkspace, type Workspace } from "../support/workspace.ts";
import { startHttpUpstream } from "../upstreams/http-upstream.ts";

const SECRETS = {
  header: "planted-header-value-1",
  bearer: "planted-static-bearer-2",
  query: "planted-query-key-3",
  oldToken: "planted-old-token-4",
  newToken: "planted-new-token-5",
  variable: "planted-variable-6",
  env: "planted-env-7",
  claude: "planted-claude-8",
};
/** What an upstream could know of an HTTP entry from the start, and after a renewal. */
const KNOWN = [
  SECRETS.header,
  SECRETS.bearer,
  SECRETS.query,
  SECRETS.oldToken,
  SECRETS.variable,
].join(" ");
const ALL = `${KNOWN} ${SECRETS.newToken}`;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

/** Where a secret got out; the files we planted it in are left out. */
function leaks(workspace: Workspace, planted: string[], outputs: Record<string, string>): string[] {
  const texts = { ...outputs };
  for (const file of filesBelow(workspace.folder)) {
    if (!planted.includes(file))
      texts[file.slice(workspace.folder.length)] = readFileSync(file, "latin1");
  }
  return Object.entries(texts).flatMap(([place, text]) =>
    Object.entries(SECRETS)
      .filter(([, secret]) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
      .map(([name]) => `${name} in ${place}`),
  );
}

describe("secrets", () => {
  test("do not get out when an HTTP upstream echoes them in every way it can", async () => {
    let calls = 0;
    await using upstream = await startHttpUpstream({
      path: `/mcp?api_key=${SECRETS.query}`,
      tools: [
        {
          name: "Echo",
          description: `Echoes ${KNOWN}.`,
          inputSchema: { type: "object", description: KNOWN },
        },
      ],
      respond(request, response) {
        if (request.message?.method !== "tools/call") return false;
        calls += 1;
        if (calls === 1) response.status(401, { "WWW-Authenticate": `Bearer realm="${ALL}"` }, ALL);
        else if (calls === 2)
          response.answer({ result: { content: [{ type: "text", text: ALL }] } });
        else if (calls === 3)
          response.status(500, { "Content-Type": "application/json" }, JSON.stringify(ALL));
        else if (calls === 4)
          response.status(302, { Location: `http://127.0.0.2/${SECRETS.query}` });
        else if (calls === 5)
          response.answer({ error: { code: -32000, message: ALL, data: { echo: ALL } } });
        else response.status(200, { "Content-Type": "text/html" }, `<p>${ALL}</p>`);
        return true;
      },
    });
    using workspace = createWorkspace();
    const omp = workspace.write(
      "omp",
      `#!/bin/sh\necho "noise ${SECRETS.oldToken} ${SECRETS.newToken}" >&2\n` +
        `case "$*" in *--force*) echo ${SECRETS.newToken};; *) echo ${SECRETS.oldToken};; esac\n`,
    );
    chmodSync(omp, 0o755);
    const config = workspace.write("facade.servers.json", {
      acme: {
        upstream: {
          url: upstream.url,
          headers: {
            "X-Api-Key": SECRETS.header,
            "X-Auth": `Bearer ${SECRETS.bearer}`,
            // biome-ignore lint/suspicious/noTemplateCurlyInString: the facade expands it
            "X-Secret-Token": "${ACME_TOKEN}",
          },
          credentialId: "acme-login",
          tokenCommand: [omp, "token"],
          renewCommand: [omp, "token", "--force"],
        },
        used: ["Echo"],
      },
    });
    await using facade = startFacade({
      folder: workspace.folder,
      env: { ACME_TOKEN: SECRETS.variable },
    });
    await facade.initialize();
    await facade.request("tools/list");
    const texts: string[] = [];
    for (let call = 0; call < 5; call++) texts.push(textOf(await facade.callTool("echo", {})));
    await facade.callTool("describe", { tool: "echo", detail: "full" });
    await facade.callTool("discover", {});
    await facade.end();
    expect(calls).toBe(6);
    // The result of the second call still says what is no secret.
    expect(texts[0]).toContain("[secret]");
    const sent = upstream.posts("tools/call")[1]?.headers;
    expect([sent?.authorization, sent?.["x-secret-token"]]).toEqual([
      `Bearer ${SECRETS.newToken}`,
      SECRETS.variable,
    ]);
    const outputs = { stdout: facade.lines.join("\n"), stderr: facade.stderr() };
    expect(leaks(workspace, [config, omp], outputs)).toEqual([]);
  });

  test("do not get out when a stdio upstream prints its environment", async () => {
    using workspace = createWorkspace();
    const script = workspace.write(
      "server.ts",
      `const all = [process.env.DB_PASSWORD, process.env.SERVICE_TOKEN].join(" ");
       console.error("starting with", all);
       for await (const line of console) {
         const m = JSON.parse(line);
         if (m.id === undefined) continue;
         const tools = [{ name: "env", description: "Knows " + all, inputSchema: { type: "object" } }];
         const result = m.method === "initialize"
           ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: all, version: "1" }, instructions: all }
           : m.method === "tools/list" ? { tools } : { content: [{ type: "text", text: "it is " + all }] };
         console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
         if (m.method === "tools/call") { console.error("last words", all); process.exit(3); }
       }`,
    );
    const claude = workspace.write(".claude.json", {
      mcpServers: { acme: { env: { SERVICE_TOKEN: SECRETS.claude } } },
    });
    const config = workspace.write("facade.servers.json", {
      acme: {
        upstream: {
          command: process.execPath,
          args: [script],
          env: { DB_PASSWORD: SECRETS.env },
          envFrom: "claude:acme",
        },
        used: ["env"],
      },
    });
    await using facade = startFacade({ folder: workspace.folder });
    await facade.initialize();
    await facade.request("tools/list");
    const called = await facade.callTool("env", {});
    await facade.callTool("env", {});
    await facade.end();
    expect(textOf(called)).toBe("it is [secret] [secret]");
    const outputs = { stdout: facade.lines.join("\n"), stderr: facade.stderr() };
    expect(leaks(workspace, [config, claude], outputs)).toEqual([]);
  });
});
