// The same requests to the reference server `everything`, directly and through the facade with all
// its tools used, by both routes: the answers are alike but for what DESIGN changes on purpose.
import { beforeAll, describe, expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../lib/json-rpc.ts";
import { VERSION } from "../../lib/version.ts";
import { EVERYTHING, startEverythingHttp } from "../support/everything-server.ts";
import { environmentOf, FACADE } from "../support/facade-process.ts";
import { type LineHost, startHttpHost, startStdioHost } from "../support/line-host.ts";
import { until } from "../support/until.ts";
import { createWorkspace } from "../support/workspace.ts";

const CAPABILITIES = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
};

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: CAPABILITIES,
  clientInfo: { name: "test-host", version: "1" },
};

/** What the host answers when the server asks. */
function answerQuestion({ method, params }: JsonObject): JsonObject {
  const asked = isObject(params) ? params : {};
  if (method === "roots/list") return { result: { roots: [{ uri: "file:///x", name: "x" }] } };
  if (method === "tasks/get") return { result: { taskId: asked.taskId, status: "completed" } };
  if (isObject(asked.task)) return { result: { task: { taskId: "host-1", status: "working" } } };
  const content = { type: "text", text: "from the host" };
  const sample = { role: "assistant", content, model: "m", stopReason: "endTurn" };
  if (method === "sampling/createMessage" || method === "tasks/result") return { result: sample };
  if (asked.mode === "url") return { result: { action: "decline" } };
  return { result: { action: "accept", content: { name: "Ann", interpretation: "technical" } } };
}

interface Step {
  readonly what: string;
  readonly method: string;
  readonly params?: JsonObject | ((answers: ReadonlyMap<string, JsonObject>) => JsonObject);
}

function call(what: string, name: string, args?: JsonObject, more: JsonObject = {}): Step {
  const params = { name, ...(args === undefined ? {} : { arguments: args }), ...more };
  return { what, method: "tools/call", params };
}

function ask(what: string, method: string, params?: JsonObject): Step {
  return { what, method, ...(params === undefined ? {} : { params }) };
}

function taskIdOf(answers: ReadonlyMap<string, JsonObject>): unknown {
  const result = answers.get("a task")?.result;
  return isObject(result) && isObject(result.task) ? result.task.taskId : undefined;
}

const onTask = (what: string, method: string): Step => ({
  what,
  method,
  params: (answers) => ({ taskId: taskIdOf(answers) }),
});

const TEXT_DOCUMENT = "demo://resource/static/document/features.md";
/** Each host puts an id of its own here: the server keeps one set of files for all sessions. */
const OWN = "OWN-ID";
const DATA_URL = "data:text/plain,hello";

const STEPS: readonly Step[] = [
  call(
    "a task",
    "simulate-research-query",
    { topic: "facades", ambiguous: true },
    { task: { ttl: 60_000 } },
  ),
  ask("ping", "ping"),
  ask("the probe of another era", "server/discover"),
  ask("an unknown method", "vendor/thing", { a: 1 }),
  ask("prompts", "prompts/list"),
  ask("a prompt", "prompts/get", { name: "simple-prompt" }),
  ask("a prompt with arguments", "prompts/get", {
    name: "args-prompt",
    arguments: { city: "Bonn" },
  }),
  ask("a prompt without its arguments", "prompts/get", { name: "args-prompt" }),
  ask("an unknown prompt", "prompts/get", { name: "nope" }),
  ask("a prompt's completion", "completion/complete", {
    ref: { type: "ref/prompt", name: "completable-prompt" },
    argument: { name: "department", value: "E" },
  }),
  ask("a template's completion", "completion/complete", {
    ref: { type: "ref/resource", uri: "demo://resource/dynamic/text/{resourceId}" },
    argument: { name: "resourceId", value: "3" },
  }),
  ask("resources", "resources/list"),
  ask("templates", "resources/templates/list"),
  ask("a document", "resources/read", { uri: TEXT_DOCUMENT }),
  ask("a resource made for us", "resources/read", { uri: "demo://resource/dynamic/text/1" }),
  ask("an unknown resource", "resources/read", { uri: "demo://nope" }),
  ask("a log level", "logging/setLevel", { level: "info" }),
  ask("a log level that is none", "logging/setLevel", { level: "loud" }),
  ask("a subscription", "resources/subscribe", { uri: TEXT_DOCUMENT }),
  call("updates", "toggle-subscriber-updates", {}),
  call("no more updates", "toggle-subscriber-updates", {}),
  ask("no subscription", "resources/unsubscribe", { uri: TEXT_DOCUMENT }),
  call("a text", "echo", { message: "grüße \u{1f600}" }),
  call("an error message", "get-annotated-message", { messageType: "error", includeImage: true }),
  call("a message for debugging", "get-annotated-message", { messageType: "debug" }),
  call("links", "get-resource-links", { count: 3 }),
  call("a reference", "get-resource-reference", { resourceType: "Text", resourceId: 2 }),
  call("structured content", "get-structured-content", { location: "Chicago" }),
  call("a sum", "get-sum", { a: 1.5, b: -2 }),
  call("an image", "get-tiny-image"),
  call("a file", "gzip-file-as-resource", {
    name: `${OWN}-a.gz`,
    data: DATA_URL,
    outputType: "resource",
  }),
  call("a link to a file", "gzip-file-as-resource", { name: `${OWN}-b.gz`, data: DATA_URL }),
  ask("the file behind the link", "resources/read", { uri: `demo://resource/session/${OWN}-b.gz` }),
  call(
    "progress",
    "trigger-long-running-operation",
    { duration: 0.05, steps: 5 },
    { _meta: { progressToken: 0 } },
  ),
  call("no progress", "trigger-long-running-operation", { duration: 0.01, steps: 2 }),
  call("sampling", "trigger-sampling-request", { prompt: "Say hi", maxTokens: 5 }),
  call("sampling as a task", "trigger-sampling-request-async", { prompt: "Say hi" }),
  call("a form", "trigger-elicitation-request", {}),
  call("a URL to visit", "trigger-url-elicitation", { url: "https://example.com/a" }),
  call("a URL to visit first", "trigger-url-elicitation", {
    url: "https://example.com/b",
    errorPath: true,
  }),
  call("roots", "get-roots-list"),
  onTask("the task's result", "tasks/result"),
  onTask("the task's state", "tasks/get"),
  ask("all tasks", "tasks/list"),
  onTask("the end of a finished task", "tasks/cancel"),
  ask("an unknown task", "tasks/get", { taskId: "nope" }),
  call("arguments of a wrong type", "get-sum", { a: "one", b: 2 }),
  call("arguments that are missing", "echo", {}),
  call("an unknown tool", "no-such-tool", {}),
];

const TOOLS = [
  "echo",
  "get-annotated-message",
  "get-env",
  "get-resource-links",
  "get-resource-reference",
  "get-structured-content",
  "get-sum",
  "get-tiny-image",
  "gzip-file-as-resource",
  "toggle-simulated-logging",
  "toggle-subscriber-updates",
  "trigger-long-running-operation",
  "get-roots-list",
  "trigger-elicitation-request",
  "trigger-url-elicitation",
  "trigger-sampling-request",
  "simulate-research-query",
  "trigger-sampling-request-async",
  "trigger-elicitation-request-async",
];

/** Where the facade's answer differs on purpose, and what it is then. */
const EXCEPTIONS: Readonly<Record<string, { why: string; answer: unknown }>> = {
  "arguments of a wrong type": {
    why: "section 7: a refused call never reaches the upstream",
    answer: refusal(/^a: found "one", wanted number\nget-sum\(a: number, b: number\)$/),
  },
  "arguments that are missing": {
    why: "section 7: a refused call never reaches the upstream",
    answer: refusal(/message.*echo\(message: string\)/s),
  },
  "an unknown tool": {
    why: "section 7: names are looked up in the catalog",
    answer: refusal(/^Cannot find tool "no-such-tool"/),
  },
};

function refusal(text: RegExp): JsonObject {
  const content = [{ type: "text", text: expect.stringMatching(text) }];
  return { jsonrpc: "2.0", id: expect.any(String), result: { content, isError: true } };
}

/** Nobody chose these: ids and times of the server's own, which are others in every session. */
function withoutChance(message: unknown): unknown {
  const text = JSON.stringify(message)
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b[0-9a-f]{32}\b/g, "<id>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{1,2}:\d\d:\d\d [AP]M\b/g, "<time>");
  return JSON.parse(text);
}

interface Transcript {
  readonly handshake: JsonObject;
  readonly tools: readonly JsonObject[];
  readonly answers: ReadonlyMap<string, JsonObject>;
  /** For each step, what came between request and answer that belongs to it: progress, questions. */
  readonly meanwhile: ReadonlyMap<string, readonly unknown[]>;
  /** What came at any time, in no certain order: log messages, updates, states of tasks. */
  readonly news: readonly string[];
}

/** Without the ids of questions: the server counts all it asks, when it happens to ask. */
function belongsToStep(message: JsonObject): boolean {
  return message.method === "notifications/progress" || isQuestion(message);
}

function isQuestion(message: JsonObject): boolean {
  return message.method !== undefined && message.id !== undefined && message.method !== "ping";
}

function isNews({ method }: JsonObject): boolean {
  return NEWS.includes(String(method));
}

const NEWS = [
  "notifications/message",
  "notifications/resources/updated",
  "notifications/tasks/status",
];

async function play(
  host: LineHost,
  options: { readonly route: "direct" | "call" },
): Promise<Transcript> {
  const handshake = await host.request("hello", "initialize", HELLO);
  await host.notify("notifications/initialized");
  // The facade opens the upstream for this; the server asks for the roots when it is ready to.
  await host.request("first", "prompts/list");
  const listed = await host.request("list", "tools/list");
  const tools =
    isObject(listed.result) && Array.isArray(listed.result.tools) ? listed.result.tools : [];
  const knowsRoots = (message: JsonObject) => JSON.stringify(message).includes("Roots updated");
  await until(() => host.messages.some(knowsRoots), "the roots are known", 15_000);

  const ownId = crypto.randomUUID();
  const answers = new Map<string, JsonObject>();
  const meanwhile = new Map<string, readonly unknown[]>();
  for (const [index, { what, method, params }] of STEPS.entries()) {
    const template = JSON.stringify(typeof params === "function" ? params(answers) : params);
    const given = template === undefined ? undefined : JSON.parse(template.replaceAll(OWN, ownId));
    const from = host.messages.length;
    const answer = await host.request(
      `step-${index}`,
      method,
      method === "tools/call" && options.route === "call" ? throughCall(given) : given,
    );
    const between = host.messages.slice(from, host.messages.indexOf(answer));
    answers.set(what, answer);
    meanwhile.set(
      what,
      between.filter(belongsToStep).map(({ id: _id, ...message }) => withoutChance(message)),
    );
  }
  const news = host.messages.filter(isNews).map((one) => JSON.stringify(withoutChance(one)));
  return { handshake, tools, answers, meanwhile, news: news.sort() };
}

/** The same call through the meta-tool. */
function throughCall(params: JsonObject | undefined): JsonObject {
  const { name, arguments: args, ...more } = params ?? {};
  return {
    name: "call",
    arguments: { tool: name, ...(args === undefined ? {} : { args }) },
    ...more,
  };
}

const TRANSPORTS = ["stdio", "http"] as const;

interface Played {
  readonly server: Transcript;
  readonly direct: Transcript;
  readonly call: Transcript;
}

async function playAll(transport: (typeof TRANSPORTS)[number]): Promise<Played> {
  using workspace = createWorkspace();
  const { folder } = workspace;
  await using http = transport === "http" ? await startEverythingHttp(folder) : undefined;
  const env = environmentOf(folder);
  const command = process.execPath;
  const args = [EVERYTHING, "stdio"];
  const upstream = http === undefined ? { command, args } : { url: http.url };
  workspace.write("facade.servers.json", { everything: { upstream, used: TOOLS } });
  const facadeArgs = ["run", FACADE, "--server", "everything", "--config", workspace.configFile];
  const common = { cwd: folder, env, answer: answerQuestion };
  const startFacadeHost = () => startStdioHost({ command: [command, ...facadeArgs], ...common });

  await using original =
    http === undefined
      ? startStdioHost({ command: [command, ...args], ...common })
      : startHttpHost({ url: http.url, answer: answerQuestion });
  const server = play(original, { route: "direct" });
  {
    // The catalog, so that the facades below promise what the server promises.
    await using first = startFacadeHost();
    await first.request("hello", "initialize", HELLO);
    await first.request("list", "tools/list");
  }
  await using byName = startFacadeHost();
  await using byCall = startFacadeHost();
  const direct = play(byName, { route: "direct" });
  const call = play(byCall, { route: "call" });
  return { server: await server, direct: await direct, call: await call };
}

const played = new Map<string, Played>();

beforeAll(async () => {
  await Promise.all(
    TRANSPORTS.map(async (transport) => {
      played.set(transport, await playAll(transport));
    }),
  );
}, 60_000);

describe.each(TRANSPORTS)("the reference server through the facade, %s", (transport) => {
  function transcriptOf(name: keyof Played): Transcript {
    const transcript = played.get(transport)?.[name];
    if (transcript === undefined) throw new Error(`nothing played: ${transport}, ${name}`);
    return transcript;
  }

  describe.each(["direct", "call"] as const)("by the route %s", (route) => {
    test.each(STEPS)("answers alike: $what", ({ what }) => {
      const original = transcriptOf("server").answers.get(what);
      const exception = EXCEPTIONS[what];
      const answer = transcriptOf(route).answers.get(what);
      const expected = exception === undefined ? withoutChance(original) : exception.answer;
      expect(withoutChance(answer)).toEqual(expected as object);
    });

    test("shows the same progress and asks the same questions meanwhile", () => {
      expect(Object.fromEntries(transcriptOf(route).meanwhile)).toEqual(
        Object.fromEntries(transcriptOf("server").meanwhile),
      );
    });

    test("tells the same news", () => {
      expect(transcriptOf(route).news).toEqual(transcriptOf("server").news);
    });

    test("promises the same, with a name, a version and a paragraph of its own", () => {
      const { result } = transcriptOf("server").handshake;
      const original = isObject(result) ? result : {};
      const serverInfo = isObject(original.serverInfo) ? original.serverInfo : {};
      expect(transcriptOf(route).handshake.result).toEqual({
        ...original,
        serverInfo: { name: "everything", title: serverInfo.title, version: VERSION },
        instructions: expect.stringMatching(endingWith(String(original.instructions))),
      });
    });

    test("lists the same tools, and the meta-tools", () => {
      const names = (tools: readonly JsonObject[]) => tools.map(({ name }) => String(name));
      expect(names(transcriptOf("server").tools)).toEqual(TOOLS);
      expect(names(transcriptOf(route).tools)).toEqual([...TOOLS, "discover", "describe", "call"]);
    });
  });
});

function endingWith(text: string): RegExp {
  return new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}
