// The main job: serve one entry on stdio until the host is gone.
import { EXIT } from "../errors.ts";
import { createFacade } from "../facade/facade.ts";
import { createLineWriter, readLines } from "../host/stdio.ts";
import { VERSION } from "../version.ts";
import { openEdges } from "./edges.ts";
import { type CommandContext, requireEntry } from "./entry.ts";

/** How long what is written may take to reach a host that reads slowly. */
const DRAIN_LIMIT_MS = 1000;

/** Resolves with the exit code when stdin has ended, stdout is broken or a signal came. */
export async function serve(context: CommandContext): Promise<number> {
  const entry = await requireEntry(context);
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const writer = createLineWriter({ onBroken: () => end(EXIT.fine) });
  const edges = openEdges({ entry, write: writer.write });
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

  readLines(Bun.stdin.stream(), facade).then(() => end(EXIT.fine), onBug);
  const exitCode = await ended;
  await Promise.all([facade.close(), edges.close(), writer.drain(DRAIN_LIMIT_MS)]);
  return exitCode;
}
