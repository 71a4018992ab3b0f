// Requests of the upstream: what the host is asked and what the upstream hears back is the other
// side's own line, during a call by either route.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../lib/json-rpc.ts";
import type { FacadeProcess } from "../support/facade-process.ts";
import { answerLine, requestLine } from "../support/raw-line.ts";
import {
  createScriptedUpstream,
  type ScriptedUpstream,
  TRANSPORTS,
} from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

// Real processes on a busy machine: the waits inside have limits of their own.
setDefaultTimeout(30_000);

interface Question {
  readonly what: string;
  /** JSON text. */
  readonly id: string;
  readonly method: string;
  /** JSON text; none: a request without params. */
  readonly params?: string;
  /** What the host answers, without the braces and the id. */
  readonly answer: string;
}

const QUESTIONS: readonly Question[] = [
  {
    what: "sampling with tools",
    id: "0",
    method: "sampling/createMessage",
    params:
      '{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"c1","content":[]}]}],"tools":[{"name":"T","inputSchema":{"type":"object","default":{}}}],"toolChoice":{"mode":"required"},"modelPreferences":{"hints":[{"name":"m"}]},"maxTokens":5,"x-extra":1.0}',
    answer:
      '"result":{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"T","input":{"n":9007199254740993}}],"model":"m-1","stopReason":"toolUse","_meta":{"k":1}}',
  },
  {
    what: "a form",
    id: '"u-1"',
    method: "elicitation/create",
    params:
      '{"mode":"form","message":"Name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ann","enumNames":["x"]}},"required":["name"]}}',
    answer: '"result":{"action":"accept","content":{"name":"Ann","age":30.0}}',
  },
  {
    what: "a URL to visit",
    id: "-7",
    method: "elicitation/create",
    params:
      '{"mode":"url","elicitationId":"e1","url":"https://example.com/login?a=1&b=2","message":"Log in"}',
    answer: '"result":{"action":"decline"}',
  },
  {
    what: "roots",
    id: "1.5",
    method: "roots/list",
    answer: '"result":{"roots":[{"uri":"file:///x","name":"x","_meta":{"a":null}}]}',
  },
  {
    what: "a sampling task",
    id: '"facade:1"',
    method: "sampling/createMessage",
    params: '{"messages":[],"maxTokens":1,"task":{"ttl":60000}}',
    answer: '"result":{"task":{"taskId":"h1","status":"working","ttl":null}}',
  },
  {
    what: "a task of the host",
    id: "4",
    method: "tasks/get",
    params: '{"taskId":"h1"}',
    answer: '"result":{"taskId":"h1","status":"completed"}',
  },
  {
    what: "something unknown",
    id: '"\\u00fc"',
    method: "vendor/ask",
    params: '{"a":[1E2]}',
    answer: '"x-top":{"a":1},"result":[1,"ü",null]',
  },
  {
    what: "what the host refuses",
    id: "9007199254740991",
    method: "sampling/createMessage",
    params: '{"messages":[],"maxTokens":1}',
    answer:
      '"error":{"code":-1,"message":"User rejected sampling request","data":{"why":["no",1.0]}}',
  },
];

const ROUTES = [
  { route: "direct", params: '"name":"run"' },
  { route: "call", params: '"name":"call","arguments":{"tool":"Other"}' },
];

function questionLine({ id, method, params }: Omit<Question, "what" | "answer">): string {
  const end = params === undefined ? "" : `,"params":${params}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}"${end}}`;
}

describe.each(TRANSPORTS)("a question of the upstream, %s", (transport) => {
  let upstream: ScriptedUpstream;
  let facade: FacadeProcess;
  beforeAll(async () => {
    upstream = createScriptedUpstream(transport);
    facade = await upstream.openFacade();
  });
  afterAll(async () => {
    await facade[Symbol.asyncDispose]();
    upstream[Symbol.dispose]();
  });

  describe.each(ROUTES)("during a call by the route $route", ({ route, params }) => {
    test.each(QUESTIONS)(
      "is answered by the host: $what",
      async ({ what, answer, ...question }) => {
        const asked = questionLine(question);
        const reply = `{"jsonrpc":"2.0","id":${question.id},${answer}}`;
        const id = `${route}: ${what}`;
        const script = [asked, `await ${question.id}`, answerLine('{"content":[]}')];
        const seen = facade.lines.length;
        const heard = upstream.received().length;
        facade.write(
          `${requestLine({ id: JSON.stringify(id), method: "tools/call", params, script })}\n`,
        );
        await until(
          () => facade.lines.slice(seen).includes(asked),
          () => `${asked}; stdout: ${facade.lines.slice(seen).join("\n")}; ${facade.stderr()}`,
        );
        facade.write(`${reply}\n`);
        expect((await facade.reply(id)).result).toEqual({ content: [] });
        expect(upstream.received().slice(heard)).toContain(reply);
      },
    );
  });

  test("is taken back with the id the host knows, and its answer then goes nowhere", async () => {
    const withdrawal =
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0,"reason":"changed my mind","x":1}}';
    const asked = '{"jsonrpc":"2.0","id":0,"method":"roots/list"}';
    const script = [asked, withdrawal, answerLine("{}")];
    facade.write(`${requestLine({ id: '"regret"', method: "vendor/x", script })}\n`);
    await facade.reply("regret");
    expect(facade.lines.slice(facade.lines.indexOf(withdrawal) - 1).slice(0, 2)).toEqual([
      asked,
      withdrawal,
    ]);
    facade.write('{"jsonrpc":"2.0","id":0,"result":{"roots":[{"uri":"file:///late"}]}}\n');
    facade.write(
      `${requestLine({ id: '"after"', method: "vendor/x", script: [answerLine("{}")] })}\n`,
    );
    await facade.reply("after");
    expect(upstream.received().filter((line) => line.includes("file:///late"))).toEqual([]);
  });

  test("has progress of its own, told by the host", async () => {
    const asked =
      '{"jsonrpc":"2.0","id":"p","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"_meta":{"progressToken":"u-p"}}}';
    const progress =
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"u-p","progress":1,"total":2.0,"message":"half"}}';
    const script = [asked, "await notifications/progress", answerLine("{}")];
    facade.write(`${requestLine({ id: '"progress"', method: "vendor/x", script })}\n`);
    await facade.message((message) => message.id === "p", "the question");
    facade.write(`${progress}\n`);
    await facade.reply("progress");
    expect(upstream.received()).toContain(progress);
    facade.write('{"jsonrpc":"2.0","id":"p","error":{"code":-1,"message":"enough"}}\n');
  });

  test("whether we live is answered without the host", async () => {
    const ping = '{"jsonrpc":"2.0","id":"are you there","method":"ping"}';
    const script = [ping, 'await "are you there"', answerLine("{}")];
    facade.write(`${requestLine({ id: '"ping"', method: "vendor/x", script })}\n`);
    await facade.reply("ping");
    expect(facade.lines).not.toContain(ping);
    const pong = upstream.receivedMessages().find((message) => message.id === "are you there");
    expect(pong).toEqual({ jsonrpc: "2.0", id: "are you there", result: {} });
  });
});

describe.each(TRANSPORTS)("a question the host did not declare, %s", (transport) => {
  test("is refused without the host, whichever it is", async () => {
    using upstream = createScriptedUpstream(transport);
    await using facade = await upstream.openFacade({ capabilities: { elicitation: {} } });
    const methods = ["sampling/createMessage", "roots/list", "tasks/list"];
    const script = methods.flatMap((method, id) => [
      questionLine({ id: String(id), method, params: "{}" }),
      `await ${id}`,
    ]);
    const line = requestLine({
      id: "9",
      method: "vendor/x",
      script: [...script, answerLine("{}")],
    });
    facade.write(`${line}\n`);
    await facade.reply(9);
    const refusals = upstream.receivedMessages().filter((message) => message.error !== undefined);
    expect(refusals).toEqual(
      ["sampling", "roots", "tasks"].map((capability, id) => ({
        jsonrpc: "2.0",
        id,
        error: {
          code: -32601,
          message: `Method not found: the host does not declare ${capability}`,
        },
      })),
    );
    expect(facade.messages.filter((message) => methods.includes(String(message.method)))).toEqual(
      [],
    );
  });
});

describe("a question whose upstream ends", () => {
  test("is taken back from the host, and its id serves the next connection", async () => {
    using upstream = createScriptedUpstream("stdio");
    await using facade = await upstream.openFacade();
    const asked = '{"jsonrpc":"2.0","id":0,"method":"roots/list"}';
    const fatal = requestLine({
      id: "50",
      method: "tools/call",
      params: '"name":"run"',
      script: [asked, "exit 3"],
    });
    facade.write(`${fatal}\n`);
    const cancelled = await facade.message(
      ({ method }) => method === "notifications/cancelled",
      "the withdrawal",
    );
    expect(cancelled.params).toEqual({
      requestId: 0,
      reason: "the upstream's connection ended",
    });
    expect((await facade.reply(50)).result).toMatchObject({ isError: true });

    // The host has not answered id 0 yet: the new connection's question gets another one.
    const again = requestLine({
      id: "51",
      method: "tools/call",
      params: '"name":"run"',
      script: [asked, "await 0", answerLine('{"content":[]}')],
    });
    facade.write(`${again}\n`);
    const isRoots = (message: JsonObject) => message.method === "roots/list" && message.id !== 0;
    const second = await facade.message(isRoots, "the second question");
    facade.send({ jsonrpc: "2.0", id: 0, result: { roots: [{ uri: "file:///old" }] } });
    facade.send({ jsonrpc: "2.0", id: second.id, result: { roots: [{ uri: "file:///new" }] } });
    expect((await facade.reply(51)).result).toEqual({ content: [] });
    const heard = upstream.received().filter((line) => line.includes('"roots":['));
    expect(heard).toEqual(['{"jsonrpc":"2.0","id":0,"result":{"roots":[{"uri":"file:///new"}]}}']);
  });
});
