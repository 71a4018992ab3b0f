// A scriptable MCP server on stdio, raw JSON-RPC without any SDK. What it does is asked of it by
// its tools, so that one process can be driven through every situation a test needs:
//   bun test/upstreams/stdio-upstream.ts [--log FILE] [--ignore-signals] [--ignore-end]
//                                        [--silent-start] [--carriage-returns] [--child]
// `--log` appends one line for each start, received method and executed tool.
import { appendFileSync, closeSync } from "node:fs";
import { parseArgs } from "node:util";

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: Arguments;
    readonly _meta?: { readonly progressToken?: string | number };
  };
}

type Arguments = Readonly<Record<string, unknown>>;

const { values: flags } = parseArgs({
  options: {
    log: { type: "string" },
    "ignore-signals": { type: "boolean", default: false },
    "ignore-end": { type: "boolean", default: false },
    "silent-start": { type: "boolean", default: false },
    "carriage-returns": { type: "boolean", default: false },
    child: { type: "boolean", default: false },
  },
});

function note(text: string): void {
  if (flags.log !== undefined) appendFileSync(flags.log, `${process.pid} ${text}\n`);
}

const lineEnd = flags["carriage-returns"] ? "\r\n" : "\n";
const waiting = new Map<string, (answer: Message) => void>();

function write(text: string): void {
  process.stdout.write(text);
}

function send(message: object): void {
  write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}${lineEnd}`);
}

function text(value: string): object {
  return { content: [{ type: "text", text: value }] };
}

interface Tool {
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  /** Undefined: no answer. */
  run(args: Arguments, request: Message): object | undefined | Promise<object | undefined>;
}

const STRING = { type: "string" };
const INTEGER = { type: "integer" };

const TOOLS: Readonly<Record<string, Tool>> = {
  echo: {
    description: "Gives the arguments back as JSON.",
    properties: { value: {} },
    run: (args) => text(JSON.stringify(args)),
  },
  large: {
    description: "Gives a text of a size.",
    properties: { sizeBytes: INTEGER },
    run: ({ sizeBytes }) => text("x".repeat(Number(sizeBytes))),
  },
  say: {
    description: "Writes raw text to stdout or stderr before it answers.",
    properties: { words: STRING, stream: { enum: ["stdout", "stderr"] } },
    run({ words, stream }) {
      if (stream === "stderr") process.stderr.write(String(words));
      else write(String(words));
      return text("said");
    },
  },
  exit: {
    description: "Ends the process, with last words on stderr.",
    properties: { code: INTEGER, words: STRING },
    run({ code, words }) {
      if (words !== undefined) process.stderr.write(`${words}\n`);
      process.exit(Number(code));
    },
  },
  hang: {
    description: "Never answers.",
    properties: {},
    run: () => undefined,
  },
  closeOutput: {
    description: "Closes stdout and lives on.",
    properties: {},
    run() {
      closeSync(1);
      return undefined;
    },
  },
  batch: {
    description: "Answers in an array, behind a notification.",
    properties: {},
    run(_args, { id }) {
      const notification = { jsonrpc: "2.0", method: "notifications/message", params: { data: 1 } };
      const answer = { jsonrpc: "2.0", id, result: text("in a batch") };
      write(`${JSON.stringify([notification, answer])}\n`);
      return undefined;
    },
  },
  progress: {
    description: "Reports progress in steps before it answers.",
    properties: { steps: INTEGER },
    run({ steps }, { params }) {
      const progressToken = params?._meta?.progressToken;
      for (
        let progress = 1;
        progress <= Number(steps) && progressToken !== undefined;
        progress += 1
      )
        send({ method: "notifications/progress", params: { progressToken, progress } });
      return text("done");
    },
  },
  ask: {
    description: "Asks the client something and gives its answer back as JSON.",
    properties: { method: STRING, params: { type: "object" } },
    async run({ method, params }) {
      const id = crypto.randomUUID();
      const answer = await new Promise<Message>((resolve) => {
        waiting.set(id, resolve);
        send({ id, method, params });
      });
      return text(JSON.stringify(answer));
    },
  },
  whoami: {
    description: "Tells process, arguments, folder and environment.",
    properties: {},
    run: () =>
      text(
        JSON.stringify({
          pid: process.pid,
          args: process.argv.slice(2),
          cwd: process.cwd(),
          env: process.env,
        }),
      ),
  },
};

async function resultOf(request: Message): Promise<object | undefined> {
  const { method, params } = request;
  if (method === "initialize") {
    return {
      result: {
        protocolVersion: params?.protocolVersion ?? "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "stdio-upstream", version: "1.0.0" },
      },
    };
  }
  if (method === "ping") return { result: {} };
  if (method === "tools/list") {
    const tools = Object.entries(TOOLS).map(([name, { description, properties }]) => ({
      name,
      description,
      inputSchema: { type: "object", properties },
    }));
    return { result: { tools } };
  }
  if (method !== "tools/call") return { error: { code: -32601, message: `No method ${method}` } };
  const tool = TOOLS[params?.name ?? ""];
  if (tool === undefined) return { error: { code: -32602, message: `No tool ${params?.name}` } };
  note(`run ${params?.name}`);
  const result = await tool.run(params?.arguments ?? {}, request);
  return result === undefined ? undefined : { result };
}

async function take(line: string): Promise<void> {
  const message: Message = JSON.parse(line);
  note(`message ${message.method ?? "answer"}`);
  if (message.method === undefined) {
    waiting.get(String(message.id))?.(message);
    return;
  }
  if (message.id === undefined || flags["silent-start"]) return;
  const outcome = await resultOf(message);
  if (outcome !== undefined) send({ id: message.id, ...outcome });
}

note("start");
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, () => {
    note(`signal ${signal}`);
    if (!flags["ignore-signals"]) process.exit(0);
  });
}
if (flags.child) {
  // One that holds our pipes and heeds neither signals nor the end of stdin.
  const script = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6);`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  note(`child ${child.pid}`);
}
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) void take(line);
});
process.stdin.on("end", () => {
  note("end");
  if (!flags["ignore-end"]) process.exit(0);
});
setInterval(() => {}, 1_000_000);
