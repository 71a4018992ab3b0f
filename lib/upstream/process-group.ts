// Who belongs to a child that was started as the leader of a session of its own, and signals to
// all of them. On Linux /proc is asked, as it tells two things that signals cannot: members that
// are dead and only not yet reaped (for ever, in a container whose first process reaps nothing),
// and job-control groups beside the leader's.
import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface ProcessGroup {
  /** No living member. Once true it stays so: the number may belong to others afterwards. */
  isEmpty(): boolean;
  signal(signal: NodeJS.Signals): void;
}

export function createGroup(leader: number): ProcessGroup {
  let wasEmpty = false;
  const groups = (): readonly number[] => (wasEmpty ? [] : livingGroups(leader));
  return {
    isEmpty() {
      wasEmpty ||= groups().length === 0;
      return wasEmpty;
    },
    signal(signal) {
      for (const group of groups()) trySignal(group, signal);
    },
  };
}

/** Process groups with living members in the session that the leader began. */
function livingGroups(leader: number): readonly number[] {
  if (!existsSync("/proc/self/stat")) return trySignal(leader, 0) ? [leader] : [];
  const groups = new Set<number>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const { state, group, session } = statOf(pid);
    if (session === leader && state !== "Z" && state !== "X") groups.add(group);
  }
  return [...groups];
}

interface Stat {
  readonly state: string;
  readonly group: number;
  readonly session: number;
}

/** The fields after the name, which may hold anything (proc_pid_stat(5)). */
function statOf(pid: string): Stat {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 4);
    return { state, group: Number(group), session: Number(session) };
  } catch {
    // The process has gone since the folder was read.
    return { state: "X", group: 0, session: 0 };
  }
}

/** False when the group has no member at all. */
function trySignal(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: members of another user. They cannot be signalled, but they are there.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
