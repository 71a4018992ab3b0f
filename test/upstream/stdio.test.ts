import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UpstreamError } from "../../lib/errors.ts";
import type { Connection } from "../../lib/upstream/connection.ts";
import { openStdio, type StdioLimits } from "../../lib/upstream/stdio.ts";
import { until } from "../support/until.ts";
import { createWireDriver, type WireDriver } from "../support/wire-driver.ts";
import { createWorkspace } from "../support/workspace.ts";

const SCRIPT = join(import.meta.dir, "../upstreams/stdio-upstream.ts");
const QUICK = { graceMs: 100 };

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder() {
  const workspace = createWorkspace();
  cleanups.push(() => workspace[Symbol.dispose]());
  return workspace;
}

async function open(
  options: {
    readonly command?: string;
    readonly args?: readonly string[];
    readonly cwd?: string;
    readonly env?: Record<string, string>;
    readonly limits?: Partial<StdioLimits>;
    readonly redact?: (text: string) => string;
  } = {},
): Promise<{ driver: WireDriver; connection: Connection }> {
  const driver = createWireDriver();
  const { command = process.execPath, args = [], cwd, env = {}, limits = QUICK } = options;
  const connection = await openStdio({
    upstream: {
      kind: "stdio",
      command,
      args: options.command === undefined ? [SCRIPT, ...args] : args,
      cwd,
      env: {},
      envFrom: undefined,
    },
    server: "acme",
    environment: { PATH: process.env.PATH ?? "", ...env },
    events: driver.events,
    log: driver.log,
    limits,
    ...(options.redact === undefined ? {} : { redact: options.redact }),
  });
  cleanups.push(() => connection.close());
  return { driver, connection };
}

/** Living processes are the ones that are no zombies. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!existsSync(`/proc/${pid}/stat`)) return process.platform !== "linux";
  return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

function startFailure(options: Parameters<typeof open>[0]): Promise<unknown> {
  return open(options).then(
    () => "started",
    (error) => [error.kind, error.message],
  );
}

describe("openStdio()", () => {
  test("relays requests and answers with their exact text", async () => {
    const { driver, connection } = await open();
    await driver.shakeHands(connection);
    expect(await driver.callTool(connection, "echo", { value: "wörked 漢😀" })).toBe(
      '{"value":"wörked 漢😀"}',
    );
    expect(driver.received.at(-1)?.text).toBe(
      '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\\"value\\":\\"wörked 漢😀\\"}"}]}}',
    );
  });

  test("starts the child with the environment, arguments and folder it is given", async () => {
    const { folder: cwd } = folder();
    const env = { ONLY: "this" };
    const { driver, connection } = await open({ args: ["--carriage-returns"], cwd, env });
    const seen = JSON.parse(await driver.callTool(connection, "whoami"));
    expect(seen.cwd).toBe(cwd);
    expect(seen.args).toEqual(["--carriage-returns"]);
    expect(Object.keys(seen.env).sort()).toEqual(["ONLY", "PATH"]);
  });

  test("skips what is not JSON-RPC on stdout and tells each kind once", async () => {
    const { driver, connection } = await open({ args: ["--carriage-returns"] });
    const noise = '*** ready ***\n\n  \n{"jsonrpc":"2.0","id":\nagain\n{"level":"info"}\n5\n';
    expect(await driver.callTool(connection, "say", { words: noise })).toBe("said");
    expect(await driver.callTool(connection, "say", { words: "and again\n" })).toBe("said");
    expect(driver.received).toHaveLength(2);
    expect(driver.logLines).toEqual([
      'skipped a line of its stdout that is not JSON: "*** ready ***" (told once)',
      'skipped a line of its stdout that is not JSON-RPC: "{\\"level\\":\\"info\\"}" (told once)',
    ]);
  });

  test("splits arrays into their messages", async () => {
    const { driver, connection } = await open();
    expect(await driver.callTool(connection, "batch")).toBe("in a batch");
    expect(driver.received.map(({ message }) => message.method)).toEqual([
      "notifications/message",
      undefined,
    ]);
  });

  test("carries ten million bytes either way", async () => {
    const { driver, connection } = await open();
    const sizeBytes = 10_000_000;
    expect((await driver.callTool(connection, "large", { sizeBytes })).length).toBe(sizeBytes);
    const value = "y".repeat(sizeBytes);
    expect((await driver.callTool(connection, "echo", { value })).length).toBe(sizeBytes + 12);
  });

  test("loses nothing to a reader slower than many writers", async () => {
    const { driver, connection } = await open();
    const value = "z".repeat(100_000);
    const echoes = Array.from({ length: 40 }, (_, index) =>
      driver.callTool(connection, "echo", { index, value }),
    );
    const indices = (await Promise.all(echoes)).map((text) => JSON.parse(text).index);
    expect(indices).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  test("fails only the request whose answer is over the limit", async () => {
    const { driver, connection } = await open({ limits: { ...QUICK, messageBytes: 2 ** 20 } });
    expect(
      await driver.ask(connection, "tools/call", { name: "large", arguments: { sizeBytes: 2e6 } }),
    ).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32000,
        message: 'Cannot take the answer of "acme": it has 2 MB, wanted at most 1 MB',
      },
    });
    expect(await driver.callTool(connection, "echo", { value: 1 })).toBe('{"value":1}');
    expect(driver.ends).toEqual([]);
  });

  test("names what keeps a command from starting", async () => {
    const { folder: place, write } = folder();
    const script = write("script", "echo hello\n");
    const orphan = write("orphan", "#!/nowhere/interpreter\n");
    for (const file of [orphan]) chmodSync(file, 0o755);
    expect(await startFailure({ command: "mcp-no-such-command" })).toEqual([
      "unreachable",
      'Cannot start "mcp-no-such-command" for "acme": command not found',
    ]);
    expect(await startFailure({ command: script })).toEqual([
      "unreachable",
      `Cannot start "${script}" for "acme": it is not executable`,
    ]);
    expect(await startFailure({ command: place })).toEqual([
      "unreachable",
      `Cannot start "${place}" for "acme": it is a folder`,
    ]);
    expect(await startFailure({ command: orphan })).toEqual([
      "unreachable",
      `Cannot start "${orphan}" for "acme": the interpreter named in its first line was not found`,
    ]);
    expect(await startFailure({ command: "sh", cwd: `${place}/none` })).toEqual([
      "unreachable",
      `Cannot start "sh" for "acme": its working folder "${place}/none" does not exist`,
    ]);
    expect(await startFailure({ command: "sh", cwd: script })).toEqual([
      "unreachable",
      `Cannot start "sh" for "acme": its working folder "${script}" is not a folder`,
    ]);
  });
});

describe("the end of a stdio upstream", () => {
  const reason = async (driver: WireDriver) => {
    await until(() => driver.ends.length > 0, "the end");
    return driver.ends.map(({ kind, message }) => [kind, message]);
  };

  test("is told with exit code and last words, and later messages fail alike", async () => {
    const { driver, connection } = await open();
    const args = { code: 7, words: "loading\nboom: licence missing" };
    const message =
      'Cannot reach "acme": it ended with exit code 7; its last words: boom: licence missing';
    await driver
      .failure(connection, "tools/call", { name: "exit", arguments: args })
      .catch(() => undefined);
    expect(await reason(driver)).toEqual([["closed", message]]);
    expect((await driver.failure(connection, "ping")).message).toBe(message);
    expect(driver.logLines).toEqual(["loading", "boom: licence missing"]);
  });

  test("is told with the words above a stack trace", async () => {
    const { driver } = await open({
      command: process.execPath,
      args: ["-e", `throw new Error("no database")`],
    });
    expect(await reason(driver)).toEqual([
      [
        "closed",
        'Cannot reach "acme": it ended with exit code 1; its last words: error: no database',
      ],
    ]);
  });

  test("is told with the signal", async () => {
    const { driver } = await open({ command: "sh", args: ["-c", "kill -9 $$"] });
    expect(await reason(driver)).toEqual([
      ["closed", 'Cannot reach "acme": it was ended by SIGKILL'],
    ]);
  });

  test("comes after the answers that were written before it", async () => {
    const line = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const { driver } = await open({ command: "sh", args: ["-c", `printf '%s' '${line}'; exit 3`] });
    await reason(driver);
    expect(driver.received.map(({ text }) => text)).toEqual([line]);
  });

  test("is also the closing of its stdout, or of its stdin", async () => {
    const closing = await open();
    await closing.driver
      .failure(closing.connection, "tools/call", { name: "closeOutput" })
      .catch(() => undefined);
    expect(await reason(closing.driver)).toHaveLength(1);

    const deaf = await open({
      command: "sh",
      args: ["-c", "exec <&-; echo up >&2; exec sleep 1000"],
    });
    await until(() => deaf.driver.logLines.includes("up"), "its start");
    const error = await deaf.driver.failure(deaf.connection, "ping");
    expect(error.message).toMatch(/^Cannot reach "acme": it /);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(await reason(deaf.driver)).toHaveLength(1);
  });

  test("is not told when it was asked for", async () => {
    const { driver, connection } = await open();
    await driver.callTool(connection, "echo");
    await Promise.all([connection.close(), connection.close()]);
    expect(driver.ends).toEqual([]);
    expect((await driver.failure(connection, "ping")).message).toBe(
      'Cannot reach "acme": the connection is being closed',
    );
  });
});

describe("close()", () => {
  const pidsIn = (log: string): number[] =>
    [...log.matchAll(/^(\d+) start|child (\d+)$/gm)].map((match) => Number(match[1] ?? match[2]));

  async function groupOf(args: readonly string[], shell?: string) {
    const workspace = folder();
    const log = workspace.write("log", "");
    const all = ["--log", log, ...args];
    const { driver, connection } = await open(
      shell === undefined
        ? { args: all }
        : { command: "sh", args: ["-c", shell, process.execPath, SCRIPT, ...all] },
    );
    await driver.callTool(connection, "echo");
    const pids = pidsIn(workspace.read("log"));
    expect(pids.map(isAlive)).toEqual(pids.map(() => true));
    return { driver, connection, pids, log: () => workspace.read("log") };
  }

  test("lets an ordinary server go by the end of its stdin", async () => {
    const { connection, pids, log } = await groupOf([]);
    await connection.close();
    expect(pids.map(isAlive)).toEqual([false]);
    expect(log()).toContain(" end\n");
    expect(log()).not.toContain("signal");
  });

  test("ends a server that ignores the end of stdin and every signal", async () => {
    const { connection, pids, log } = await groupOf(["--ignore-end", "--ignore-signals"]);
    await connection.close();
    expect(pids.map(isAlive)).toEqual([false]);
    expect(log()).toMatch(/ end\n(?:.*\n)*.* signal SIGTERM\n/);
  });

  for (const [what, shell] of [
    ["behind a shell", '"$0" "$@"; exit $?'],
    ["behind a shell that waits for a background job", 'exec 3<&0; "$0" "$@" <&3 & wait'],
    ["in a group of its own beside the shell's", 'set -m; exec 3<&0; "$0" "$@" <&3 & wait'],
    ["in a session of its own", 'exec 3<&0; setsid "$0" "$@" <&3 & wait'],
  ] as const) {
    test(`ends a stubborn server ${what}`, async () => {
      const { connection, pids } = await groupOf(["--ignore-end", "--ignore-signals"], shell);
      await connection.close();
      expect(pids.map(isAlive)).toEqual([false]);
    });
  }

  test("ends stubborn children of the server", async () => {
    const { connection, pids } = await groupOf(["--child"]);
    expect(pids).toHaveLength(2);
    await connection.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  test("does not have to be called for the children of a server that crashed", async () => {
    const { driver, connection, pids } = await groupOf(["--child"]);
    const exit = { name: "exit", arguments: { code: 9, words: "crash" } };
    await driver.failure(connection, "tools/call", exit).catch(() => undefined);
    await until(() => driver.ends.length > 0, "the end");
    expect(driver.ends[0]?.message).toBe(
      'Cannot reach "acme": it ended with exit code 9; its last words: crash',
    );
    await until(() => !pids.some(isAlive), "the end of its child");
  });

  test("ends a server that never said anything", async () => {
    const { connection } = await open({ args: ["--silent-start", "--ignore-end"] });
    await connection.close();
  });

  test("ends a server that does not read what was sent", async () => {
    const { driver, connection } = await open({ command: "sleep", args: ["1000"] });
    const failure = driver.failure(connection, "tools/call", { value: "x".repeat(1_000_000) });
    await connection.close();
    expect(await failure).toBeInstanceOf(UpstreamError);
    expect(driver.ends).toEqual([]);
  });
});
