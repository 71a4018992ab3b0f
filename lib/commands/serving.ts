// The whole facade on stdio: configuration, edges, session. Loaded at the first message that a quick
// start cannot answer.
import type { ServersFile } from "../config/resolve.ts";
import { parseServersFile } from "../config/servers-file.ts";
import type { Beginning } from "../facade/facade.ts";
import { createFacade } from "../facade/facade.ts";
import { createExactIds } from "../host/exact-ids.ts";
import type { HostEvents } from "../host/stdio.ts";
import { VERSION } from "../version.ts";
import { openEdges } from "./edges.ts";

export interface Serving extends HostEvents {
  /** Takes the entry's secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Ends the upstream and what else was started, in bounded time. */
  close(): Promise<void>;
}

/** Throws `ConfigError`. */
export async function openServing(options: {
  readonly server: string;
  readonly file: ServersFile;
  readonly catalogText: string | undefined;
  /** What the host was told so far. */
  readonly beginning: Beginning | undefined;
  /** One line of JSON to the host. */
  readonly write: (text: string) => void;
  /** The same as bytes in parts. */
  readonly writeParts: (parts: readonly Uint8Array[]) => void;
  /** One line for people. */
  readonly writeLog: (line: string) => void;
}): Promise<Serving> {
  const { server, file, catalogText, beginning, write, writeParts, writeLog } = options;
  const entry = await parseServersFile({ ...file, server });
  const exactIds = createExactIds();
  const edges = openEdges({
    entry,
    configText: file.text,
    catalogText,
    write: (text) => write(exactIds.restore(text)),
    // Only ids that a number holds come this way.
    writeParts,
    writeLog,
  });
  const facade = createFacade({ entry, version: VERSION, edges: edges.facadeEdges });
  if (beginning !== undefined) facade.resume(beginning);
  return {
    onMessage(received) {
      exactIds.note(received);
      facade.onMessage(received);
    },
    onUnreadable: facade.onUnreadable,
    redact: edges.redactor.redact,
    async close() {
      await Promise.all([facade.close(), edges.close()]);
    },
  };
}
