// The edges of one entry for a command: no host, log lines on stderr, ended by a signal.
import type { CatalogKey } from "../catalog/store.ts";
import { InterruptedError } from "../errors.ts";
import type { JsonObject } from "../json-rpc.ts";
import type { HostIdentity } from "../upstream/handshake.ts";
import { PROTOCOL_VERSIONS, VERSION } from "../version.ts";
import { type Edges, openEdges } from "./edges.ts";
import type { WrittenEntry } from "./entry.ts";

export interface CommandEdges extends AsyncDisposable {
  readonly edges: Edges;
  /** What the catalog on disk is kept under. */
  readonly key: CatalogKey;
  /** As whom a command speaks to the upstream. */
  readonly host: HostIdentity;
  /** The outcome of the work, or an `InterruptedError` when a signal comes first. */
  orInterrupted<Value>(work: Promise<Value>): Promise<Value>;
}

export function openCommandEdges(options: {
  readonly written: WrittenEntry;
  /** Takes one line of JSON for the host that a command stands for. */
  readonly write?: (text: string) => void;
  readonly onFailure?: (error: unknown) => void;
}): CommandEdges {
  const { written, write = () => undefined, onFailure = () => undefined } = options;
  const { entry } = written;
  const writeLog = (line: string) => console.error(line);
  const edges = openEdges({ ...written, write, writeLog, onFailure });

  // Whoever waits unwinds, and so closes what it opened: nothing is left running.
  const { promise: interrupted, reject: interrupt } = Promise.withResolvers<never>();
  interrupted.catch(() => undefined);
  const forgets = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const onSignal = () => interrupt(new InterruptedError(signal));
    process.on(signal, onSignal);
    return () => process.off(signal, onSignal);
  });

  // The catalog belongs to the capabilities a host declared: go on with those of the last host.
  const capabilities: JsonObject = edges.store.storedHostCapabilities() ?? {};
  const protocolVersion = PROTOCOL_VERSIONS[0];
  const clientInfo = { name: "mcp-facade", version: VERSION };
  return {
    edges,
    key: { identity: entry.identity, hostCapabilities: capabilities },
    host: { protocolVersion, params: { protocolVersion, capabilities, clientInfo } },
    orInterrupted: (work) => Promise.race([work, interrupted]),
    async [Symbol.asyncDispose]() {
      await edges.close();
      for (const forget of forgets) forget();
    },
  };
}
