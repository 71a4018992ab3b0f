// A process that speaks JSON lines, driven raw: the same few lines of code in front of a facade
// and in front of its upstream, so that a difference between the two is the facade's.
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";

const LF = 10;

export interface LineProcess {
  readonly pid: number;
  /** Milliseconds from before the spawn. */
  sinceSpawn(): number;
  /** Sends a request and gives the answer, parsed. */
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  /** Sends a request and gives the answer's line as bytes, neither decoded nor parsed. */
  requestRaw(method: string, params?: JsonObject): Promise<Uint8Array>;
  notify(method: string, params?: JsonObject): void;
  initialize(): Promise<JsonObject>;
  /** Called with each line that is no answer to a waiting request. */
  onOther: (message: JsonObject) => void;
  /** Everything it wrote to stderr. */
  stderr(): string;
  readonly exited: Promise<number>;
  /** Ends stdin and waits for the end. */
  end(): Promise<number>;
}

export const HOST_PARAMS = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench-host", version: "1.0.0" },
} as const;

interface Waiting {
  readonly isRaw: boolean;
  resolve(answer: JsonObject | Uint8Array): void;
  reject(error: Error): void;
}

export function startLineProcess(options: {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}): LineProcess {
  const startedAt = performance.now();
  const child = Bun.spawn([...options.argv], {
    env: options.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const waiting = new Map<number, Waiting>();
  /** A raw request travels alone, so that the next line is its answer. */
  let raw: Waiting | undefined;
  let lastId = 0;
  let stderr = "";
  const decoder = new TextDecoder();

  function takeLine(line: Uint8Array): void {
    // Answers are large where lines are; notifications are not.
    if (raw !== undefined && line.length > 10_000) {
      const { resolve } = raw;
      raw = undefined;
      resolve(line);
      return;
    }
    const message: unknown = JSON.parse(decoder.decode(line));
    if (!isObject(message)) return;
    const one =
      message.method === undefined && typeof message.id === "number"
        ? waiting.get(message.id)
        : undefined;
    if (one === undefined) {
      child_.onOther(message);
      return;
    }
    waiting.delete(Number(message.id));
    if (one.isRaw) raw = undefined;
    one.resolve(one.isRaw ? line : message);
  }

  const readOut = (async () => {
    let parts: Uint8Array[] = [];
    for await (const chunk of child.stdout) {
      let start = 0;
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
        const tail = chunk.subarray(start, end);
        const line = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
        parts = [];
        start = end + 1;
        takeLine(line);
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
    }
  })();
  const readErr = (async () => {
    for await (const chunk of child.stderr) stderr += decoder.decode(chunk);
  })();
  const exited = Promise.all([child.exited, readOut, readErr]).then(([code]) => {
    const error = new Error(`the process ended with ${code}: ${stderr.slice(-500)}`);
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
    return code;
  });

  function send(message: JsonObject): void {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdin.flush();
  }

  function ask(method: string, params: JsonObject | undefined, isRaw: boolean) {
    const id = ++lastId;
    return new Promise<JsonObject | Uint8Array>((resolve, reject) => {
      const one = { isRaw, resolve, reject };
      waiting.set(id, one);
      if (isRaw) raw = one;
      send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  const child_: LineProcess = {
    pid: child.pid,
    sinceSpawn: () => performance.now() - startedAt,
    request: async (method, params) => (await ask(method, params, false)) as JsonObject,
    requestRaw: async (method, params) => (await ask(method, params, true)) as Uint8Array,
    notify(method, params) {
      send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
    },
    async initialize() {
      const answer = await child_.request("initialize", HOST_PARAMS);
      child_.notify("notifications/initialized");
      return answer;
    },
    onOther: () => undefined,
    stderr: () => stderr,
    exited,
    async end() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
  return child_;
}
