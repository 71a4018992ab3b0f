import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isLocked, type LockOptions, tryLock } from "../../lib/credential/renew-lock.ts";
import { readRecord, writeRecord } from "../../lib/credential/renewal-record.ts";
import { until } from "../support/until.ts";
import { createWorkspace, type Workspace } from "../support/workspace.ts";
import { createFakeCli } from "./fake-cli.ts";

const NOW_MS = 1_700_000_000_000;

function optionsFor(workspace: Workspace): LockOptions {
  const lockFile = join(workspace.folder, "catalogs/acme.renew.lock");
  return { lockFile, now: () => NOW_MS, staleMs: 60_000 };
}

/** A lock that is there already. */
function plant(options: LockOptions, content: unknown): void {
  mkdirSync(join(options.lockFile, ".."), { recursive: true });
  writeFileSync(options.lockFile, typeof content === "string" ? content : JSON.stringify(content));
}

async function deadPid(): Promise<number> {
  const child = Bun.spawn([process.execPath, "-e", "0"]);
  await child.exited;
  return child.pid;
}

describe("tryLock()", () => {
  test("gives the lock to one at a time", async () => {
    using workspace = createWorkspace();
    const options = optionsFor(workspace);
    const first = await tryLock(options);
    expect([first.state, await isLocked(options)]).toEqual(["held", true]);
    expect((await tryLock(options)).state).toBe("busy");
    if (first.state === "held") await first.release();
    expect(await isLocked(options)).toBe(false);
    expect((await tryLock(options)).state).toBe("held");
  });

  test("names its owner, nothing else", async () => {
    using workspace = createWorkspace();
    const options = optionsFor(workspace);
    await tryLock(options);
    expect(JSON.parse(readFileSync(options.lockFile, "utf8"))).toEqual({
      pid: process.pid,
      host: hostname(),
      atMs: NOW_MS,
      nonce: expect.any(String),
    });
  });

  test.each<[string, (pid: number) => unknown, string]>([
    ["of a living process", () => ({ pid: process.pid, host: hostname(), atMs: NOW_MS }), "busy"],
    ["of a killed process", (pid) => ({ pid, host: hostname(), atMs: NOW_MS }), "held"],
    ["of a process elsewhere", (pid) => ({ pid, host: "elsewhere", atMs: NOW_MS }), "busy"],
    [
      "that is too old",
      () => ({ pid: process.pid, host: hostname(), atMs: NOW_MS - 60_001 }),
      "held",
    ],
    [
      "that is not too old",
      () => ({ pid: process.pid, host: hostname(), atMs: NOW_MS - 60_000 }),
      "busy",
    ],
    [
      "from the future",
      () => ({ pid: process.pid, host: hostname(), atMs: NOW_MS + 60_001 }),
      "held",
    ],
    ["that has just been created", () => "", "busy"],
  ])("a lock %s: %3$s", async (_case, content, state) => {
    using workspace = createWorkspace();
    const options = optionsFor(workspace);
    plant(options, content(await deadPid()));
    expect(await isLocked(options)).toBe(state === "busy");
    expect((await tryLock(options)).state).toBe(state as "busy" | "held");
    expect(readdirSync(join(workspace.folder, "catalogs"))).toEqual(["acme.renew.lock"]);
  });

  test("takes over a lock whose owner was killed before it signed", async () => {
    using workspace = createWorkspace();
    const options = optionsFor(workspace);
    plant(options, '{"pid": 1');
    utimesSync(options.lockFile, new Date(0), new Date(0));
    expect((await tryLock(options)).state).toBe("held");
  });

  test("lets one of many take over a stale lock", async () => {
    using workspace = createWorkspace();
    const options = optionsFor(workspace);
    plant(options, { pid: await deadPid(), host: hostname(), atMs: NOW_MS });
    const attempts = await Promise.all(Array.from({ length: 20 }, () => tryLock(options)));
    expect(attempts.filter((attempt) => attempt.state === "held").length).toBe(1);
  });

  test("releases only its own lock", async () => {
    using workspace = createWorkspace();
    const options = optionsFor(workspace);
    const mine = await tryLock(options);
    plant(options, "another's");
    if (mine.state === "held") await mine.release();
    expect(readFileSync(options.lockFile, "utf8")).toBe("another's");
  });

  test("says why there can be none", async () => {
    using workspace = createWorkspace();
    workspace.write("file", "");
    const lockFile = join(workspace.folder, "file/x/acme.renew.lock");
    const options = { ...optionsFor(workspace), lockFile };
    expect(await tryLock(options)).toEqual({ state: "unavailable", reason: "ENOTDIR" });
    expect(await isLocked(options)).toBe(false);
  });
});

describe("several processes", () => {
  test("refused at once, they force one renewal and all get its token", async () => {
    using cli = createFakeCli();
    const children = Array.from({ length: 6 }, () => startRenewing(cli.folder, "tok-old-planted"));
    const printed = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    expect(printed).toEqual(Array(6).fill("tok-new-planted-1\n"));
    expect(cli.forced()).toBe(1);
    expect(existsSync(join(cli.folder, "catalogs/acme.renew.lock"))).toBe(false);
  });

  test("a process killed while it renews leaves nothing that stops the others", async () => {
    using cli = createFakeCli();
    cli.setForce("hang");
    const killed = startRenewing(cli.folder, "tok-old-planted");
    await until(() => cli.forced() === 1, "the renewal runs");
    killed.kill("SIGKILL");
    await killed.exited;
    for (const pid of cli.pids()) killIfThere(pid);
    cli.setForce("normal");
    const next = startRenewing(cli.folder, "tok-old-planted");
    expect(await new Response(next.stdout).text()).toBe("tok-new-planted-1\n");
  });
});

describe("readRecord()", () => {
  test("gives what writeRecord() wrote, for the same credential only", async () => {
    using workspace = createWorkspace();
    const file = join(workspace.folder, "acme.renew.last");
    const record = { credentialId: "c", renewedAtMs: 5, uselessAtMs: 6 };
    expect(await readRecord(file, "c")).toBeUndefined();
    await writeRecord(file, record);
    expect(await readRecord(file, "c")).toEqual(record);
    expect(await readRecord(file, "d")).toBeUndefined();
    expect(readdirSync(workspace.folder).sort()).toEqual([
      "acme.renew.last",
      "facade.servers.json",
    ]);
  });

  test.each([
    "",
    "{",
    "[]",
    "null",
    '{"credentialId": "c"}',
    '{"credentialId": "c", "renewedAtMs": "5"}',
  ])("takes %j for none", async (content) => {
    using workspace = createWorkspace();
    expect(await readRecord(workspace.write("record", content), "c")).toBeUndefined();
  });

  test("gives none where writeRecord() could not write, which leaves no draft", async () => {
    using workspace = createWorkspace();
    const file = join(workspace.folder, "record");
    mkdirSync(file);
    await writeRecord(file, { credentialId: "c", renewedAtMs: 1 });
    expect(await readRecord(file, "c")).toBeUndefined();
    expect(readdirSync(workspace.folder).sort()).toEqual(["facade.servers.json", "record"]);
  });
});

function startRenewing(folder: string, refused: string) {
  return Bun.spawn(
    [process.execPath, join(import.meta.dir, "renewing-process.ts"), folder, refused],
    {
      env: { ...process.env, HOME: folder },
      stdout: "pipe",
      stderr: "inherit",
    },
  );
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // ESRCH: it has ended by itself.
  }
}
