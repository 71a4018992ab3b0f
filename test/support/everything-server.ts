// The reference server `everything` on Streamable HTTP, on a free port.
import { createServer } from "node:net";
import { join } from "node:path";
import { environmentOf } from "./facade-process.ts";

export const EVERYTHING = join(
  import.meta.dir,
  "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.listen(0, () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("no port"));
    });
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves once it listens. It cannot take port 0, so a port that was taken meanwhile is tried anew. */
export async function startEverythingHttp(folder: string): Promise<HttpServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const child = Bun.spawn([process.execPath, EVERYTHING, "streamableHttp"], {
      env: environmentOf(folder, { PORT: String(port) }),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const decoder = new TextDecoder();
    let stderr = "";
    let isListening = false;
    for await (const chunk of child.stderr) {
      stderr += decoder.decode(chunk, { stream: true });
      isListening = stderr.includes("listening on port");
      if (isListening) break;
    }
    if (isListening) {
      return {
        url: `http://127.0.0.1:${port}/mcp`,
        async [Symbol.asyncDispose]() {
          child.kill("SIGKILL");
          await child.exited;
        },
      };
    }
    if (attempt === 3) throw new Error(`the server does not start: ${stderr}`);
  }
}
