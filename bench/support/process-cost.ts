// What a process costs, as Linux tells it in /proc.
import { readdirSync, readFileSync } from "node:fs";

export interface Memory {
  readonly rssMb: number;
  /** Pages shared with other processes counted by their share: sums up over processes. */
  readonly pssMb: number;
  /** Pages nobody else has. */
  readonly privateMb: number;
}

/** True when this machine can tell; benches that need it say so and end with 2. */
export function hasProcFiles(): boolean {
  return process.platform === "linux";
}

export function requireProcFiles(): void {
  if (hasProcFiles()) return;
  console.error("Cannot measure memory and CPU: this bench reads /proc and runs on Linux only");
  process.exit(2);
}

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const read = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) / 1024;
  return {
    rssMb: read("Rss"),
    pssMb: read("Pss"),
    privateMb: read("Private_Clean") + read("Private_Dirty"),
  };
}

/** The most the process ever had resident. */
export function peakRssMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}

/** Time spent on a CPU so far by all threads that live, to the nanosecond. */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  });
  return spent.reduce((sum, ms) => sum + ms, 0);
}

export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** False also for one that has ended and only waits for its exit code to be fetched. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** All processes below this one. */
export function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );
  return children.flatMap((child) => [Number(child), ...descendantsOrNone(Number(child))]);
}

function descendantsOrNone(pid: number): number[] {
  try {
    return descendants(pid);
  } catch {
    // It has ended between the two looks.
    return [];
  }
}
