// The least a program in the middle can do: starts the command it is given and copies bytes both
// ways. What it costs is the floor for anything that stands between a host and an upstream.
//   bun bench/support/bare-relay.ts COMMAND [ARGUMENT ...]
import { spawn } from "bun";

const child = spawn(process.argv.slice(2), { stdin: "pipe", stdout: "pipe" });
const out = Bun.stdout.writer();

async function copyAnswers(): Promise<void> {
  for await (const chunk of child.stdout) {
    out.write(chunk);
    out.flush();
  }
}

void copyAnswers();
for await (const chunk of Bun.stdin.stream()) {
  child.stdin.write(chunk);
  child.stdin.flush();
}
child.stdin.end();
await child.exited;
