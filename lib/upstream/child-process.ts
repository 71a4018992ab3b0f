// A child in a process group of its own, and the end of that group: nothing the child started
// outlives it, whether it was asked to go, was killed or crashed.
import { statSync } from "node:fs";
import { createGroup } from "../child/process-group.ts";
import { errorCode, UpstreamError } from "../errors.ts";

export interface ChildOptions {
  /** Server name, for messages. */
  readonly server: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** The whole environment of the child. */
  readonly environment: Readonly<Record<string, string>>;
  /** How long the group may take after the end of stdin, and again after SIGTERM. */
  readonly graceMs: number;
}

export interface ExitState {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<ExitState>;
  /** Resolves when the bytes are with the child's pipe; rejects with the system's error. */
  write(text: string): Promise<void>;
  /**
   * Ends the group: end of stdin, SIGTERM, SIGKILL, each after the grace. Resolves when no member
   * is left, or a last grace after SIGKILL. Idempotent.
   */
  end(options?: { readonly closeStdinFirst: boolean }): Promise<void>;
}

const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 80;

/** Throws `UpstreamError` `unreachable`, naming what is wrong, when the child cannot be started. */
export function startChild(options: ChildOptions): Child {
  const { command, args, cwd, environment, graceMs } = options;
  const child = spawn(options, () =>
    Bun.spawn([command, ...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: environment,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    }),
  );
  const exited = child.exited.then(() => ({
    code: child.exitCode,
    signal: child.signalCode === null ? null : String(child.signalCode),
  }));
  let ending: Promise<void> | undefined;

  const group = createGroup(child.pid);
  const emptyWithin = async (limitMs: number): Promise<boolean> => {
    const until = performance.now() + limitMs;
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_POLL_MS)) {
      if (group.isEmpty()) return true;
      if (performance.now() >= until) return false;
      await Bun.sleep(pauseMs);
    }
  };
  const closeStdin = async (): Promise<void> => {
    try {
      await child.stdin.end();
    } catch {
      // What was not yet written can no longer be read by anyone.
    }
  };
  const endGroup = async (closeStdinFirst: boolean): Promise<void> => {
    // Before the leader can go: it leads to descendants in sessions of their own.
    if (group.isEmpty()) return;
    void closeStdin();
    if (closeStdinFirst && (await emptyWithin(graceMs))) return;
    group.signal("SIGTERM");
    if (await emptyWithin(graceMs)) return;
    group.signal("SIGKILL");
    await emptyWithin(graceMs);
  };

  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    async write(text) {
      const written = child.stdin.write(text);
      const flushed = child.stdin.flush();
      if (typeof written === "number" && typeof flushed === "number") return;
      await Promise.all([written, flushed]);
    },
    end({ closeStdinFirst } = { closeStdinFirst: true }) {
      ending ??= endGroup(closeStdinFirst);
      return ending;
    },
  };
}

function spawn<T>(options: ChildOptions, start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw startFailure(options, error);
  }
}

function startFailure({ server, command, cwd }: ChildOptions, error: unknown): UpstreamError {
  const subject = `Cannot start "${command}" for "${server}"`;
  const fail = (state: string, hint: string): UpstreamError =>
    new UpstreamError("unreachable", `${subject}: ${state}`, { hint, cause: error });
  if (cwd !== undefined && kindOf(cwd) !== "folder") {
    const state = kindOf(cwd) === "file" ? "is not a folder" : "does not exist";
    return fail(`its working folder "${cwd}" ${state}`, "Correct upstream.cwd");
  }
  const isPath = command.includes("/");
  switch (errorCode(error)) {
    case "ENOENT":
      return isPath && kindOf(command) === "file"
        ? fail("the interpreter named in its first line was not found", "Install the interpreter")
        : fail("command not found", "Install it, or set upstream.command to its full path");
    case "ENOTDIR":
      return fail("command not found", "Correct the path in upstream.command");
    case "EACCES":
    case "EPERM":
      return isPath && kindOf(command) === "folder"
        ? fail("it is a folder", "Set upstream.command to a program")
        : fail(
            "it is not executable",
            "Make it executable with chmod +x, or start it by its interpreter",
          );
    case "ENOEXEC":
      return fail(
        "it is neither a program nor a script with an interpreter line",
        "Start it by its interpreter",
      );
    case "E2BIG":
      return fail("its arguments and environment are too large", "Shorten upstream.args or env");
    default:
      return fail(errorCode(error) ?? "the system refused", "Try the command in a terminal");
  }
}

function kindOf(path: string): "file" | "folder" | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? "folder" : "file";
}
