// A private home for benches: configuration and catalogs, so that nothing of the user's is read,
// and every start of a series finds the same files.
import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");
export const STDIO_UPSTREAM = join(import.meta.dir, "../upstreams/stdio.ts");

export interface FacadeFolder extends Disposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The documented host entry, less its protection against a hostile folder. */
  argv(server: string): string[];
  catalogFile(server: string): string;
  /** A copy of bare-script.ts outside of any project, where Bun finds no package.json to read. */
  readonly bareScript: string;
  /** The same of bare-quick.ts. */
  readonly bareQuick: string;
  /** Fetches the server's catalog, as `refresh` does for a user. */
  refresh(server: string): Promise<void>;
}

export function createFacadeFolder(servers: object): FacadeFolder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-facade-bench-")));
  const config = join(folder, "facade.servers.json");
  writeFileSync(config, JSON.stringify(servers));
  const copyOut = (name: string): string => {
    copyFileSync(join(import.meta.dir, name), join(folder, name));
    return join(folder, name);
  };
  const env = { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8" };
  const argv = (server: string) => [
    process.execPath,
    "run",
    join(ROOT, "facade.ts"),
    "--server",
    server,
    "--config",
    config,
  ];
  return {
    folder,
    env,
    argv,
    bareScript: copyOut("bare-script.ts"),
    bareQuick: copyOut("bare-quick.ts"),
    catalogFile: (server) => join(folder, ".omp/agent/mcp-facade/catalogs", `${server}.json`),
    async refresh(server) {
      const [bun = "", run = "", facade = "", ...flags] = argv(server);
      const child = Bun.spawn([bun, run, facade, "refresh", ...flags], {
        env,
        cwd: folder,
        stdout: "ignore",
        stderr: "pipe",
      });
      const [code, words] = await Promise.all([child.exited, new Response(child.stderr).text()]);
      if (code !== 0) throw new Error(`refresh of "${server}" ended with ${code}: ${words}`);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
