// Puts the rooms at the edge together for one entry: catalog file, upstream, credential, log.
// What costs time to load is imported when it is first needed.
import { type CatalogSource, createCatalogSource, REFRESH_LIMITS } from "../catalog/refresh.ts";
import { startKeyOf } from "../catalog/start.ts";
import { type CatalogStore, createCatalogStore } from "../catalog/store.ts";
import type { CredentialSource, ServerEntry, StdioUpstream } from "../config/server-entry.ts";
import type { Credential } from "../credential/credential.ts";
import type { FacadeEdges } from "../facade/facade.ts";
import { viewKeyOf } from "../facade/view-key.ts";
import { createLog, type Log } from "../log.ts";
import { createRedactor, type Redactor } from "../redactor.ts";
import { includes } from "../upstream/byte-parts.ts";
import type { Connection, ConnectionEvents } from "../upstream/connection.ts";
import { PROGRAM_REVISION } from "../version.ts";
import { catalogFolder, homeFolder } from "./entry.ts";

export interface Edges {
  readonly facadeEdges: FacadeEdges;
  readonly store: CatalogStore;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Ends what is not the upstream's: a token CLI that still runs. */
  close(): Promise<void>;
}

function schedule(delayMs: number, task: () => void): () => void {
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
}

/** One for each credential, not each server: entries that share one share its renewal. */
function renewLockFile(folder: string, source: CredentialSource): string {
  const { id, tokenCommand, renewCommand } = source;
  const identity = JSON.stringify([id, tokenCommand, renewCommand]);
  const hash = new Bun.CryptoHasher("sha256").update(identity).digest("hex").slice(0, 16);
  return `${folder}/credential-${hash}.renew.lock`;
}

function ownEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

export function openEdges(options: {
  readonly entry: ServerEntry;
  /** What the entry was read from. */
  readonly configText: string;
  /** What the catalog's file held a moment ago. */
  readonly catalogText?: string | undefined;
  /** Takes one line of JSON for the host. */
  readonly write: (text: string) => void;
  /** The same as bytes in parts. Without it all lines come by `write`. */
  readonly writeParts?: (parts: readonly Uint8Array[]) => void;
  /** Takes one line for people. */
  readonly writeLog: (line: string) => void;
  readonly onFailure?: (error: unknown) => void;
}): Edges {
  const { entry, write, writeParts, writeLog, onFailure = () => undefined } = options;
  const { upstream, name: server } = entry;
  const redactor = createRedactor();
  for (const secret of entry.secrets) redactor.add(secret);
  const log = createLog({ server, redactor, write: writeLog });
  const folder = catalogFolder();
  const { configText, catalogText: text } = options;
  const start = {
    key: startKeyOf(configText, PROGRAM_REVISION),
    metaPrefix: entry.metaPrefix,
    ttlMs: entry.ttlMs,
  };
  const store = createCatalogStore({
    folder,
    server,
    redactJson: redactor.redactJson,
    text,
    start,
  });
  let credential: Promise<Credential | undefined> | undefined;
  /** Why `envFrom` could not be followed; told again with a failure that may come of it. */
  let environmentProblem: string | undefined;

  function requireCredential(): Promise<Credential | undefined> {
    credential ??= (async () => {
      if (upstream.kind === "stdio" || upstream.credential === undefined) return undefined;
      const { createCredential } = await import("../credential/credential.ts");
      return createCredential({
        source: upstream.credential,
        server,
        lockFile: renewLockFile(folder, upstream.credential),
        redactor,
        log,
        now: Date.now,
        environment: process.env,
        home: homeFolder(),
      });
    })();
    return credential;
  }

  async function childEnvironment(stdio: StdioUpstream): Promise<Record<string, string>> {
    const environment = ownEnvironment();
    if (stdio.envFrom !== undefined) {
      const { loadClaudeEnv } = await import("../config/claude-env.ts");
      const { findVariableSecrets } = await import("../config/secrets.ts");
      try {
        const loaded = loadClaudeEnv({
          source: stdio.envFrom,
          home: homeFolder(),
          environment: process.env,
        });
        for (const [name, value] of Object.entries(loaded.env)) {
          for (const secret of findVariableSecrets(name, value)) redactor.add(secret);
        }
        for (const warning of loaded.warnings) log.line(warning);
        Object.assign(environment, loaded.env);
        environmentProblem = undefined;
      } catch (error) {
        const state = error instanceof Error ? error.message : String(error);
        if (state !== environmentProblem) log.line(state);
        environmentProblem = state;
      }
    }
    return { ...environment, ...stdio.env };
  }

  async function connect(events: ConnectionEvents): Promise<Connection> {
    if (upstream.kind === "stdio") {
      const { openStdio } = await import("../upstream/stdio.ts");
      const environment = await childEnvironment(upstream);
      return openStdio({ upstream, server, environment, events, log, redact: redactor.redact });
    }
    const credential = await requireCredential();
    // Now, so that a token CLI that hangs is not taken for a server that does.
    await credential?.token();
    const common = { upstream, server, events, log, credential };
    if (upstream.kind === "sse") {
      const { openSse } = await import("../upstream/sse.ts");
      return openSse(common);
    }
    const { openHttp } = await import("../upstream/http.ts");
    return openHttp(common);
  }

  const createSource: FacadeEdges["createSource"] = ({
    hostCapabilities,
    upstream: opened,
    onRefreshed,
    tellsNotes,
  }): CatalogSource =>
    createCatalogSource({
      server,
      key: { identity: entry.identity, hostCapabilities },
      store,
      async fetch() {
        const { fetchCatalog } = await import("../catalog/fetch.ts");
        return fetchCatalog({ server, upstream: await opened(), now: Date.now });
      },
      viewKey: viewKeyOf(entry),
      async renderView(tools) {
        const { renderView } = await import("../facade/exposed.ts");
        return renderView(tools, entry);
      },
      limits: { ttlMs: entry.ttlMs, ...REFRESH_LIMITS },
      now: Date.now,
      schedule,
      log,
      tellsNotes,
      onRefreshed,
    });

  const createUpstreamNow: FacadeEdges["createUpstream"] = async (host, events) => {
    const { createUpstream, UPSTREAM_LIMITS } = await import("../upstream/upstream.ts");
    const { timeoutMs, connectTimeoutMs } = entry;
    return createUpstream({
      server,
      host,
      connect,
      mayHedge: upstream.kind !== "stdio",
      explainFailure: () => environmentProblem,
      events,
      limits: { ...UPSTREAM_LIMITS, timeoutMs, connectTimeoutMs },
      schedule,
      now: Date.now,
      log,
    });
  };

  const writeText = (text: string) => write(redactor.redactJson(text));

  return {
    facadeEdges: {
      write: writeText,
      writeRaw({ parts }) {
        const hasSecret = redactor.jsonForms().some((form) => includes(parts, form));
        if (writeParts === undefined || hasSecret) writeText(Buffer.concat(parts).toString());
        else writeParts(parts);
      },
      createUpstream: createUpstreamNow,
      createSource,
      log,
      onFailure,
    },
    store,
    redactor,
    log,
    async close() {
      await (await credential)?.close();
    },
  };
}
