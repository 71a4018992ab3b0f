// The main job: serve one entry on stdio until the host is gone.
import { EXIT } from "../errors.ts";
import { createFacade } from "../facade/facade.ts";
import { createExactIds } from "../host/exact-ids.ts";
import { createLineWriter, type HostEvents, readLines } from "../host/stdio.ts";
import { VERSION } from "../version.ts";
import { openEdges, prefetchCatalog } from "./edges.ts";
import { type CommandContext, requireEntry } from "./entry.ts";

/** How long what is written may take to reach a host that reads slowly. */
const DRAIN_LIMIT_MS = 1000;
/** Log lines kept for a host that does not read stderr just now. */
const LOG_PENDING_LIMIT_BYTES = 256 * 1024;

/** Resolves with the exit code when stdin has ended, stdout is broken or a signal came. */
export async function serve(context: CommandContext): Promise<number> {
  const entry = await requireEntry(context);
  const catalogText = await prefetchCatalog(entry.name);
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const writer = createLineWriter({ file: Bun.stdout, onBroken: () => end(EXIT.fine) });
  // A host may stop reading stderr or close it: that costs lines, nothing else.
  const logWriter = createLineWriter({
    file: Bun.stderr,
    maxPendingBytes: LOG_PENDING_LIMIT_BYTES,
    onBroken: () => undefined,
  });
  const exactIds = createExactIds();
  const edges = openEdges({
    entry,
    catalogText,
    write: (text) => writer.write(exactIds.restore(text)),
    writeLog: logWriter.write,
  });
  const facade = createFacade({ entry, version: VERSION, edges: edges.facadeEdges });

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => end(EXIT.fine));
  }
  // A bug must not leave the upstream behind: it is told, then everything is ended in order.
  const onBug = (error: unknown) => {
    edges.log.line(`Unexpected failure: ${error instanceof Error ? error.message : String(error)}`);
    end(EXIT.bug);
  };
  process.on("uncaughtException", onBug);
  process.on("unhandledRejection", onBug);

  const host: HostEvents = {
    onMessage(received) {
      exactIds.note(received);
      facade.onMessage(received);
    },
    onUnreadable: facade.onUnreadable,
  };
  readLines(Bun.stdin.stream(), host).then(() => end(EXIT.fine), onBug);
  const exitCode = await ended;
  await Promise.all([facade.close(), edges.close(), writer.drain(DRAIN_LIMIT_MS)]);
  await logWriter.drain(DRAIN_LIMIT_MS);
  return exitCode;
}
