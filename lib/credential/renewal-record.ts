// The record of the last forced renewal, a file beside the lock, so that one process does not repeat
// what another has just done or found useless. Holds times and the credential's id, no token.
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isObject } from "../json-rpc.ts";

/** What is known of the last forced renewal of a credential, by any process. */
export interface RenewalRecord {
  readonly credentialId: string;
  /** When it ended. */
  readonly renewedAtMs: number;
  /** When its token turned out to be refused as well. */
  readonly uselessAtMs?: number;
}

/** The record of this credential; undefined when there is none or it cannot be read. */
export async function readRecord(
  recordFile: string,
  credentialId: string,
): Promise<RenewalRecord | undefined> {
  const record = await readJson(recordFile);
  if (!isObject(record) || record.credentialId !== credentialId) return undefined;
  const { renewedAtMs, uselessAtMs } = record;
  if (typeof renewedAtMs !== "number") return undefined;
  return typeof uselessAtMs === "number"
    ? { credentialId, renewedAtMs, uselessAtMs }
    : { credentialId, renewedAtMs };
}

/** Written whole and renamed, so that a reader never sees half of it. Without a word if it cannot be. */
export async function writeRecord(recordFile: string, record: RenewalRecord): Promise<void> {
  const draft = `${recordFile}.${crypto.randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
    await rename(draft, recordFile);
  } catch {
    // The record spares other processes a useless renewal; without it each finds out by itself.
    await rm(draft, { force: true }).catch(() => {});
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    // Absent, unreadable or not JSON: nothing is known, which is the usual state.
    return undefined;
  }
}
