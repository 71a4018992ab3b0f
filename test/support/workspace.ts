// A private folder for one test: home, configuration, catalogs. Removed at the end.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Workspace extends Disposable {
  readonly folder: string;
  readonly configFile: string;
  /** Where the facade keeps the catalog of a server. */
  catalogFile(server: string): string;
  write(name: string, content: string | object): string;
  read(name: string): string;
}

export function createWorkspace(config: object = {}): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-facade-test-")));
  const write = (name: string, content: string | object) => {
    const file = join(folder, name);
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };
  const configFile = write("facade.servers.json", config);
  return {
    folder,
    configFile,
    catalogFile: (server) => join(folder, ".omp/agent/mcp-facade/catalogs", `${server}.json`),
    write,
    read: (name) => readFileSync(join(folder, name), "utf8"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
