// The lock that lets one process at a time force a renewal: a file beside the catalog, shared by
// all facades of a server. A lock whose owner was killed, or which is older than any renewal
// takes, is taken over; a folder that cannot be written means no lock, not a failure.
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { errorCode } from "../errors.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";

export type LockAttempt =
  | { readonly state: "held"; release(): Promise<void> }
  | { readonly state: "busy" }
  | { readonly state: "unavailable"; readonly reason: string };

export interface LockOptions {
  readonly lockFile: string;
  /** Wall now in ms. */
  readonly now: () => number;
  /** An older lock is taken over. */
  readonly staleMs: number;
}

/** How long a lock file may be without its owner's name, which is written right after creation. */
const UNSIGNED_MS = 2_000;

/** Tries once, never waits. */
export async function tryLock(options: LockOptions): Promise<LockAttempt> {
  const { lockFile, now } = options;
  const signature = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    atMs: now(),
    nonce: crypto.randomUUID(),
  });
  try {
    if (!(await create(lockFile, signature)) && !(await takeOver(options, signature))) {
      return { state: "busy" };
    }
  } catch (error) {
    return { state: "unavailable", reason: errorCode(error) ?? String(error) };
  }
  return {
    state: "held",
    async release() {
      try {
        // Taken over by someone who thought us dead: then it is theirs.
        if ((await readOrUndefined(lockFile)) === signature) await rm(lockFile, { force: true });
      } catch {
        // The folder became unreadable meanwhile; the others take the lock over when we are gone.
      }
    },
  };
}

/** Whether another process holds the lock now. */
export async function isLocked(options: LockOptions): Promise<boolean> {
  try {
    const found = await readOrUndefined(options.lockFile);
    return found !== undefined && !(await isStale(found, options));
  } catch {
    // Not readable any more: the next attempt says why.
    return false;
  }
}

async function create(lockFile: string, signature: string): Promise<boolean> {
  await mkdir(dirname(lockFile), { recursive: true, mode: 0o700 });
  try {
    const file = await open(lockFile, "wx", 0o600);
    try {
      await file.writeFile(signature);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Puts our lock in the place of a stale one; false when it is not stale, or another process is at
 * it. A file of its own guards the look and the replacement, and the replacement is a rename, so
 * that there is never a moment without a lock in which others could create theirs.
 */
async function takeOver(options: LockOptions, signature: string): Promise<boolean> {
  const { lockFile } = options;
  const guard = `${lockFile}.takeover`;
  if (!(await create(guard, signature))) {
    // Left by a process that was killed within it: gone for the next attempt.
    if (await isOlder(guard, UNSIGNED_MS)) await rm(guard, { force: true });
    return false;
  }
  try {
    const found = await readOrUndefined(lockFile);
    if (found === undefined) return await create(lockFile, signature);
    if (!(await isStale(found, options))) return false;
    const own = `${lockFile}.${crypto.randomUUID()}`;
    await create(own, signature);
    await rename(own, lockFile);
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

async function isOlder(path: string, ageMs: number): Promise<boolean> {
  const changedMs = (await stat(path).catch(() => undefined))?.mtimeMs;
  return changedMs === undefined || Date.now() - changedMs > ageMs;
}

async function isStale(found: string, options: LockOptions): Promise<boolean> {
  const owner = parseOwner(found);
  if (owner === undefined) {
    return isOlder(options.lockFile, UNSIGNED_MS);
  }
  const ageMs = options.now() - owner.atMs;
  if (ageMs > options.staleMs || ageMs < -options.staleMs) return true;
  return owner.host === hostname() && !isAlive(owner.pid);
}

function parseOwner(
  text: string,
): { readonly pid: number; readonly host: string; readonly atMs: number } | undefined {
  const owner = parseObject(text);
  const { pid, host, atMs } = owner ?? {};
  if (typeof pid !== "number" || typeof host !== "string" || typeof atMs !== "number") return;
  return { pid, host, atMs };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Half written by a process that was killed: a lock without an owner's name.
    return undefined;
  }
}

async function readOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
