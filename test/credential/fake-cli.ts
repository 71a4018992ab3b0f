// A token CLI as an executable `omp` in a temporary home: it notes each run, prints the current
// token, and with --force-refresh makes the next one current, or fails in the way it is told to.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkspace, type Workspace } from "../support/workspace.ts";

export type ForceMode = "normal" | "fail" | "failonce" | "empty" | "hang" | "same" | "crlf";

export interface FakeCli extends Workspace {
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of each run, in order. */
  runs(): string[];
  /** Number of runs with --force-refresh. */
  forced(): number;
  /** What --force-refresh does. */
  setForce(mode: ForceMode): void;
  /** What a run without it prints; a text that starts with `!` is an error message and exit code 1. */
  setToken(token: string): void;
  /** Process ids of runs, and of what they left in the background, in order. */
  pids(): number[];
}

export function createFakeCli(): FakeCli {
  const workspace = createWorkspace();
  const { folder } = workspace;
  mkdirSync(join(folder, ".bun/bin"), { recursive: true });
  const program = join(folder, ".bun/bin/omp");
  writeFileSync(program, SCRIPT.replaceAll("@FOLDER@", folder));
  chmodSync(program, 0o755);
  const lines = (name: string): string[] =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "");
  for (const name of ["runs", "pids"]) workspace.write(name, "");
  workspace.write("token", "tok-old-planted\n");
  workspace.write("mode", "normal\n");
  return {
    ...workspace,
    environment: { PATH: process.env.PATH ?? "", HOME: folder },
    runs: () => lines("runs"),
    forced: () => lines("runs").filter((run) => run.includes("--force-refresh")).length,
    setForce: (mode) => workspace.write("mode", `${mode}\n`),
    setToken: (token) => workspace.write("token", `${token}\n`),
    pids: () => lines("pids").map(Number),
  };
}

/** Whether a process lives; a zombie, which only its parent can remove, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    // ESRCH: there is no such process.
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, "utf8"));
}

const SCRIPT = `#!/bin/sh
cd '@FOLDER@' || exit 9
echo $$ >> pids
echo "$*" >> runs
read -r token < token
read -r mode < mode
case "$*" in
  *--force-refresh*) ;;
  *)
    case "$token" in
      !*) printf '%s\\n' "$token" >&2; exit 1 ;;
    esac
    echo "$token"; exit 0 ;;
esac
refuse() { printf '\\033[31merror: refresh failed, token=%s\\033[0m\\n' "$token" >&2; exit 1; }
case "$mode" in
  fail) refuse ;;
  failonce) [ -f failed ] || { : > failed; refuse; } ;;
  empty) exit 0 ;;
  hang) trap '' TERM; sleep 1000 & echo $! >> pids; wait ;;
  same) echo "$token"; exit 0 ;;
esac
until mkdir lock 2>/dev/null; do :; done
count=0; [ -f count ] && read -r count < count
count=$((count + 1))
echo "$count" > count
echo "tok-new-planted-$count" > token
rmdir lock
if [ "$mode" = crlf ]; then
  printf '\\033[33mwarning: beta channel\\033[0m\\n' >&2
  printf '\\r\\n\\033[1mtok-new-planted-%s\\033[0m\\r\\n' "$count"
else
  echo "tok-new-planted-$count"
fi
`;
