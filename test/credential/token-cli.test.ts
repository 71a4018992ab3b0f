import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runTokenCli, TokenCliError, type TokenCliRun } from "../../lib/credential/token-cli.ts";
import { until } from "../support/until.ts";
import { createWorkspace, type Workspace } from "../support/workspace.ts";
import { isAlive } from "./fake-cli.ts";

const PATH = process.env.PATH ?? "";

function writeProgram(workspace: Workspace, name: string, lines: string): string {
  const file = workspace.write(name, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
  return file;
}

function run(
  workspace: Workspace,
  argv: readonly string[],
  options: Partial<TokenCliRun> = {},
): Promise<string> {
  const environment = { PATH: `${workspace.folder}:${PATH}`, MARK: "mark-1" };
  return runTokenCli({
    argv,
    environment,
    home: workspace.folder,
    timeoutMs: 20_000,
    graceMs: 50,
    ...options,
  });
}

/** Kind and message of the failure of a program of these lines. */
async function failure(lines: string, options: Partial<TokenCliRun> = {}): Promise<string[]> {
  using workspace = createWorkspace();
  writeProgram(workspace, "cli", lines);
  return await failureOf(run(workspace, ["cli"], options));
}

async function failureOf(running: Promise<string>): Promise<string[]> {
  try {
    return ["token", await running];
  } catch (error) {
    if (!(error instanceof TokenCliError)) throw error;
    return [error.failure, error.message];
  }
}

/** What a program has written of itself; undefined as long as it has not got that far. */
function readPid({ folder }: Workspace, file: string): number | undefined {
  const path = join(folder, file);
  return existsSync(path) ? Number(readFileSync(path, "utf8")) || undefined : undefined;
}

describe("runTokenCli()", () => {
  test("passes arguments and environment as they are, without a shell, and no stdin", async () => {
    using workspace = createWorkspace();
    writeProgram(workspace, "cli", 'cat; printf "%s|" "$#" "$1" "$2" "$MARK" | tr " " _');
    expect(await run(workspace, ["cli", "$(id) ; x", "*"])).toBe("2|$(id)_;_x|*|mark-1|");
  });

  test("looks for omp in the home's .bun/bin, then on PATH", async () => {
    using workspace = createWorkspace();
    mkdirSync(join(workspace.folder, ".bun/bin"), { recursive: true });
    const own = writeProgram(workspace, ".bun/bin/omp", "echo of-home");
    writeProgram(workspace, "omp", "echo of-path");
    expect(await run(workspace, ["omp", "token"])).toBe("of-home");
    chmodSync(own, 0o644);
    expect(await run(workspace, ["omp", "token"])).toBe("of-path");
    rmSync(own);
    expect(await run(workspace, ["omp", "token"])).toBe("of-path");
    expect(await failureOf(run(workspace, ["omp"], { environment: { PATH: "/nowhere" } }))).toEqual(
      ["missing", 'the command "omp" was found neither at ~/.bun/bin/omp nor on PATH'],
    );
  });

  test("takes a path, and names a command that is missing or cannot be started", async () => {
    using workspace = createWorkspace();
    const cli = writeProgram(workspace, "cli", "echo tok-1");
    expect(await run(workspace, [cli], { environment: {} })).toBe("tok-1");
    expect(await failureOf(run(workspace, ["no-such-cli"]))).toEqual([
      "missing",
      'the command "no-such-cli" was not found on PATH',
    ]);
    const file = workspace.write("broken", "#!/no/such/interpreter\n");
    chmodSync(file, 0o755);
    expect(await failureOf(run(workspace, ["broken"]))).toEqual([
      "missing",
      'the command "broken" cannot be started (ENOENT)',
    ]);
  });

  test.each([
    ["exit 3", "failed", '"cli" ended with exit code 3'],
    ["echo first >&2; echo second >&2; exit 1", "failed", '"cli" ended with exit code 1 (first)'],
    [
      "echo tok-planted; echo bad tok-planted >&2; exit 1",
      "failed",
      '"cli" ended with exit code 1 (bad [secret])',
    ],
    ["true", "unusable", '"cli" printed nothing, wanted the bare token on its first line'],
    [
      "echo not logged in >&2",
      "unusable",
      '"cli" printed nothing (not logged in), wanted the bare token on its first line',
    ],
    [
      "echo please log in",
      "unusable",
      '"cli" printed a line with spaces, wanted the bare token on its first line',
    ],
    ["yes x", "unusable", '"cli" printed more than 64 KB, wanted a token on its first line'],
    ["kill -9 $$", "failed", '"cli" ended with exit code 137'],
  ])("a program %j: %s", async (lines, kind, message) => {
    expect(await failure(lines)).toEqual([kind, message]);
  });

  test("drains a stderr of any length", async () => {
    expect(await failure("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo tok-1")).toEqual([
      "token",
      "tok-1",
    ]);
  });

  test("does not wait for a helper that keeps the pipes open, and ends it", async () => {
    using workspace = createWorkspace();
    writeProgram(workspace, "cli", `sleep 1000 & echo $! > ${workspace.folder}/helper; echo tok-1`);
    expect(await run(workspace, ["cli"])).toBe("tok-1");
    const helper = Number(readFileSync(join(workspace.folder, "helper"), "utf8"));
    await until(() => !isAlive(helper), "the helper is gone");
  });

  test("ends a program that takes too long, also one that ignores SIGTERM", async () => {
    const message = '"cli" gave no answer within 0.1 s';
    expect(await failure("sleep 1000", { timeoutMs: 100 })).toEqual(["timeout", message]);
    expect(await failure("trap '' TERM; sleep 1000", { timeoutMs: 100 })).toEqual([
      "timeout",
      message,
    ]);
  });

  test("ends what a program that takes too long began in a session of its own", async () => {
    using workspace = createWorkspace();
    const note = `sh -c 'echo $$ > ${workspace.folder}/helper; exec sleep 1000'`;
    writeProgram(workspace, "cli", `setsid ${note} & wait`);
    const running = failureOf(run(workspace, ["cli"], { timeoutMs: 1000 }));
    const helper = await until(() => readPid(workspace, "helper"), "the helper runs");
    expect(await running).toEqual(["timeout", '"cli" gave no answer within 1 s']);
    await until(() => !isAlive(helper), "the helper is gone");
  });

  test("ends a program when told to, and does not start one afterwards", async () => {
    using workspace = createWorkspace();
    const { folder } = workspace;
    writeProgram(workspace, "cli", `trap '' TERM; echo $$ > ${folder}/pid; sleep 1000`);
    const stop = new AbortController();
    const running = failureOf(run(workspace, ["cli"], { signal: stop.signal }));
    const pid = await until(() => readPid(workspace, "pid"), "the program runs");
    stop.abort();
    expect(await running).toEqual(["closed", '"cli" was ended: we are closing']);
    await until(() => !isAlive(pid), "the program is gone");
    expect(await failureOf(run(workspace, ["cli"], { signal: stop.signal }))).toEqual([
      "closed",
      '"cli" was not run: we are closing',
    ]);
  });
});
