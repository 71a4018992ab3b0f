// Who belongs to a child that was started as the leader of a session of its own, and signals to
// all of them. On Linux /proc is asked, as it tells three things that signals cannot: members that
// are dead and only not yet reaped (for ever, in a container whose first process reaps nothing),
// job-control groups beside the leader's, and descendants that began a session of their own. Those
// are known from when they are seen: once the process between has died, nothing leads to them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { errorCode } from "../errors.ts";

export interface ProcessGroup {
  /** No living member. Once true it stays so: the number may belong to others afterwards. */
  isEmpty(): boolean;
  signal(signal: NodeJS.Signals): void;
}

export function createGroup(leader: number): ProcessGroup {
  const sessions = new Set([leader]);
  let wasEmpty = false;
  const groups = (): readonly number[] => (wasEmpty ? [] : livingGroups(leader, sessions));
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

/** Process groups with living members in these sessions; sessions of descendants are added. */
function livingGroups(leader: number, sessions: Set<number>): readonly number[] {
  if (!existsSync("/proc/self/stat")) return trySignal(leader, 0) ? [leader] : [];
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter(({ state }) => state !== "Z" && state !== "X");
  const members = new Set([leader]);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const { pid, parent, session } of all) {
      if (!sessions.has(session) && !members.has(parent)) continue;
      members.add(pid);
      sessions.add(session);
    }
  }
  return [
    ...new Set(
      all
        .filter(({ pid, session }) => members.has(pid) && sessions.has(session))
        .map(({ group }) => group),
    ),
  ];
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly group: number;
  readonly session: number;
}

/** The fields after the name, which may hold anything (proc_pid_stat(5)). */
function statOf(pid: string): Stat {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parent, group, session] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ", 4);
    return {
      pid: Number(pid),
      parent: Number(parent),
      state,
      group: Number(group),
      session: Number(session),
    };
  } catch {
    // The process has gone since the folder was read.
    return { pid: Number(pid), parent: 0, state: "X", group: 0, session: 0 };
  }
}

/** False when the group has no member at all. */
function trySignal(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: members of another user. They cannot be signalled, but they are there.
    return errorCode(error) !== "ESRCH";
  }
}
