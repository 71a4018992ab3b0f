// The scripted server as a process: bun scripted-stdio.ts SETUP_JSON LOG_FILE
// Every line it receives is appended to the log file as it came.
import { appendFileSync } from "node:fs";
import { createScriptedPeer } from "./scripted-peer.ts";

const [setup = "{}", logFile = "/dev/null"] = process.argv.slice(2);
const peer = createScriptedPeer({
  setup: JSON.parse(setup),
  onLine: (line) => appendFileSync(logFile, `${line}\n`),
  exit: (code) => process.exit(code),
});

const write = (line: string) => void process.stdout.write(`${line}\n`);
const output = { write, writeAside: write, end: () => undefined };

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) peer.receive(line, output);
});
process.stdin.on("end", () => process.exit(0));
