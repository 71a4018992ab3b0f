// The main job: serve one entry on stdio until the host is gone. A start with a fresh catalog and
// an unchanged configuration is answered by the front alone, and loads nothing else.
import { parseQuickStart, type QuickStart, readCatalogText } from "../catalog/start.ts";
import { EXIT, FacadeError, renderError } from "../errors.ts";
import type { Beginning } from "../facade/facade.ts";
import { createFront, type WholeFacade } from "../facade/front.ts";
import { createLineWriter, readLines } from "../host/stdio.ts";
import { PROGRAM_REVISION, VERSION } from "../version.ts";
import { type CommandContext, catalogFolder, readServersFile, requireServer } from "./entry.ts";
import type { Serving } from "./serving.ts";

/** How long what is written may take to reach a host that reads slowly. */
const DRAIN_LIMIT_MS = 3000;
const LOG_DRAIN_LIMIT_MS = 500;
/** Log lines kept for a host that does not read stderr just now. */
const LOG_PENDING_LIMIT_BYTES = 256 * 1024;

/** Resolves with the exit code when stdin has ended, stdout is broken or a signal came. */
export async function serve(context: CommandContext): Promise<number> {
  const server = requireServer(context);
  const [file, catalogText] = await Promise.all([
    readServersFile(context),
    // A name with a slash is no name, as the whole facade will say.
    server.includes("/") ? undefined : readCatalogText({ folder: catalogFolder(), server }),
  ]);
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const writer = createLineWriter({ file: Bun.stdout, onBroken: () => end(EXIT.fine) });
  // A host may stop reading stderr or close it: that costs lines, nothing else.
  const logWriter = createLineWriter({
    file: Bun.stderr,
    maxPendingBytes: LOG_PENDING_LIMIT_BYTES,
    onBroken: () => undefined,
  });
  /** No secret is known before the configuration is parsed, so none can be told. */
  let redact = (text: string) => text;
  const tell = (text: string) => logWriter.write(`[${server}] ${redact(text)}`);
  const { write, writeParts } = writer;

  async function open(beginning: Beginning | undefined, text?: string): Promise<Serving> {
    const { openServing } = await import("./serving.ts");
    const common = { server, file, beginning, write, writeParts };
    const serving = await openServing({
      ...common,
      catalogText: text,
      writeLog: logWriter.write,
    });
    redact = serving.redact;
    return serving;
  }

  function openFront(start: QuickStart): WholeFacade {
    for (const note of start.notes) tell(note);
    return createFront({
      server,
      version: VERSION,
      start,
      write,
      now: Date.now,
      open,
      onOpenFailure(error) {
        tell(renderError(error));
        end(error instanceof FacadeError ? error.exitCode : EXIT.bug);
      },
    });
  }

  const start =
    catalogText === undefined
      ? undefined
      : parseQuickStart({
          catalogText,
          configText: file.text,
          programRevision: PROGRAM_REVISION,
          environment: process.env,
          nowMs: Date.now(),
        });
  const serving = start === undefined ? await open(undefined, catalogText) : openFront(start);

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => end(EXIT.fine));
  }
  // A bug must not leave the upstream behind: it is told, then everything is ended in order.
  const onBug = (error: unknown) => {
    tell(`Unexpected failure: ${error instanceof Error ? error.message : String(error)}`);
    end(EXIT.bug);
  };
  process.on("uncaughtException", onBug);
  process.on("unhandledRejection", onBug);

  readLines(Bun.stdin.stream(), serving).then(() => end(EXIT.fine), onBug);
  const exitCode = await ended;
  await serving.close();
  await writer.drain(DRAIN_LIMIT_MS);
  await logWriter.drain(LOG_DRAIN_LIMIT_MS);
  return exitCode;
}
