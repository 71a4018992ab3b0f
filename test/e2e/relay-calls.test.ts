// tools/call by both routes: what goes upstream is the host's line with the tool's own name and
// arguments, what comes back is the upstream's line.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FacadeProcess } from "../support/facade-process.ts";
import { answerLine, errorLine, filled, requestLine } from "../support/raw-line.ts";
import {
  createScriptedUpstream,
  type ScriptedUpstream,
  TRANSPORTS,
} from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

// Real processes on a busy machine: the waits inside have limits of their own.
setDefaultTimeout(30_000);

interface Route {
  readonly route: string;
  /** Members of `params` for the tool `Run` with these arguments, as JSON text. */
  params(args: string): string;
}

const ROUTES: readonly Route[] = [
  { route: "direct", params: (args) => `"name":"run","arguments":${args}` },
  {
    route: "call",
    params: (args) => `"name":"call","arguments":{"tool":"Run","args":${args}}`,
  },
];

/** What the upstream receives for either route. */
const upstreamParams = (args: string) => `"name":"Run","arguments":${args}`;

const ARGUMENTS = [
  "{}",
  '{"big":9007199254740993,"small":1e-400,"exact":1.10,"huge":123456789012345678901234567890}',
  '{"b":1,"a":{"z":[],"y":null,"":"empty key"},"__proto__":{"x":1},"constructor":"c"}',
  '{"text":"caf\\u00e9 \\ud83d\\ude00 \\ud800 \\u2028 é \\/","a":1,"a":2}',
  '{ "spaced" : [ 1 , 2 ] }',
];

const RESULTS = {
  "content of every kind": answerLine(
    '{"content":[{"type":"text","text":"t","annotations":{"priority":1}},{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"audio","data":"aGk=","mimeType":"audio/wav","_meta":{}},{"type":"resource_link","uri":"mem://a","name":"a","size":9007199254740993},{"type":"resource","resource":{"uri":"mem://b","blob":"aGk=","annotations":{"audience":[]}}},{"type":"x-vendor/3d","mesh":[1.0]}],"x-more":{"a":1.50}}',
  ),
  "structured content": answerLine(
    '{"structuredContent":{"id":12345678901234567890,"list":[]},"content":[],"_meta":{"k":[null]}}',
  ),
  "structured content that is an array": answerLine('{"structuredContent":[1,2],"content":[]}'),
  "an error of the tool": answerLine(
    '{"content":[{"type":"text","text":"The disk is full"}],"isError":true}',
  ),
  "a result without content": answerLine('{"toolResult":7}'),
  "a URL to visit first": errorLine(
    '{"code":-32042,"message":"This request requires more information.","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://example.com/connect","message":"Log in"}]}}',
  ),
  "an error of the protocol": errorLine('{"code":-32603,"message":"boom","data":{"n":1.0}}'),
  "an error of its own": errorLine('{"code":-31999,"message":"own"}'),
  "a task": answerLine(
    '{"task":{"taskId":"t1","status":"working","createdAt":"2025-11-25T10:30:00Z","ttl":60000,"pollInterval":5000},"_meta":{"io.modelcontextprotocol/model-immediate-response":"started"}}',
  ),
};

const progress = (token: string, n: number) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${n},"total":3.0,"message":"step ${n}"}}`;

describe.each(TRANSPORTS)("tools/call, %s", (transport) => {
  let upstream: ScriptedUpstream;
  let facade: FacadeProcess;
  let calls = 0;
  beforeAll(async () => {
    upstream = createScriptedUpstream(transport);
    facade = await upstream.openFacade();
  });
  afterAll(async () => {
    await facade[Symbol.asyncDispose]();
    upstream[Symbol.dispose]();
  });

  const seen = (line: string) =>
    until(
      () => facade.lines.includes(line),
      () => `${line}; stdout: ${facade.lines.slice(-20).join("\n")}; ${facade.stderr()}`,
    );
  const nextId = () => JSON.stringify(`call-${++calls}`);

  describe.each(ROUTES)("by the route $route", ({ params }) => {
    test.each(ARGUMENTS)("sends the arguments as they are: %s", async (args) => {
      const id = nextId();
      const answer = answerLine('{"content":[]}');
      const rest = { id, method: "tools/call", meta: '"x":1.0', script: [answer] };
      facade.write(`${requestLine({ ...rest, params: params(args) })}\n`);
      await seen(filled(answer, { id }));
      expect(upstream.received()).toContain(requestLine({ ...rest, params: upstreamParams(args) }));
    });

    test.each(Object.entries(RESULTS))("returns the answer as it is: %s", async (_what, answer) => {
      const id = nextId();
      facade.write(
        `${requestLine({ id, method: "tools/call", params: params("{}"), script: [answer] })}\n`,
      );
      await seen(filled(answer, { id }));
    });

    test("shows progress before the result, for every kind of token, and none after", async () => {
      const tokens = ["0", '"p-\\u03b1"', "7", '"7"', '"facade:1"', "1.5"];
      const ids = tokens.map(nextId);
      const answer = answerLine('{"content":[]}');
      const steps = [1, 2, 3].map((n) => progress("$TOKEN", n));
      const script = [...steps, answer, progress("$TOKEN", 4)];
      const from = facade.lines.length;
      for (const [index, token] of tokens.entries()) {
        const meta = `"progressToken":${token}`;
        const id = ids[index] ?? "";
        facade.write(
          `${requestLine({ id, method: "tools/call", params: params("{}"), meta, script })}\n`,
        );
      }
      for (const id of ids) await seen(filled(answer, { id }));
      // A later request makes sure that the late progress had its time to arrive.
      await facade.request("vendor/barrier");
      for (const [index, token] of tokens.entries()) {
        const id = ids[index] ?? "";
        const own = facade.lines
          .slice(from)
          .filter((line) => line.includes(`"progressToken":${token},`) || line.includes(id));
        expect(own).toEqual([...steps, answer].map((line) => filled(line, { id, token })));
      }
    });

    test("as a task: the task, its status, its progress and its result pass", async () => {
      const id = nextId();
      const status =
        '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t1","status":"working"}}';
      const answer = RESULTS["a task"];
      const script = [answer, status, progress("$TOKEN", 1)];
      const rest = { id, method: "tools/call", meta: `"progressToken":${id}`, script };
      const task = ',"task":{"ttl":60000,"x":1.0}';
      facade.write(`${requestLine({ ...rest, params: params("{}") + task })}\n`);
      await seen(filled(answer, { id }));
      await seen(progress(id, 1));
      expect(facade.lines).toContain(status);
      expect(upstream.received()).toContain(
        requestLine({ ...rest, params: upstreamParams("{}") + task }),
      );
      // Input that the task needs is asked for while the host waits for the task's result.
      const resultId = nextId();
      const questionId = `"roots for ${calls}"`;
      const question = `{"jsonrpc":"2.0","id":${questionId},"method":"roots/list"}`;
      const result = answerLine('{"content":[{"type":"text","text":"done"}]}');
      const waiting = [question, `await ${questionId}`, result];
      facade.write(
        `${requestLine({ id: resultId, method: "tasks/result", params: '"taskId":"t1"', script: waiting })}\n`,
      );
      await seen(question);
      facade.write(`{"jsonrpc":"2.0","id":${questionId},"result":{"roots":[]}}\n`);
      await seen(filled(result, { id: resultId }));
    });

    test.each(["0", '"0"', "-3"])("is cancelled under its own id: %s", async (id) => {
      const script = [
        "await notifications/cancelled",
        answerLine('{"content":[{"type":"text","text":"late"}]}'),
      ];
      const from = upstream.received().length;
      facade.write(`${requestLine({ id, method: "tools/call", params: params("{}"), script })}\n`);
      await until(
        () =>
          upstream
            .received()
            .slice(from)
            .some((line) => line.includes(`"id":${id},`)),
        "the call",
      );
      const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"tired"}}`;
      facade.write(`${cancel}\n`);
      await until(() => upstream.received().slice(from).includes(cancel), "the cancellation");
      await facade.request("vendor/barrier");
      expect(facade.lines.filter((line) => line.includes('"late"'))).toEqual([]);
      // The id is free again.
      const answer = answerLine('{"content":[],"x":"again"}');
      facade.write(
        `${requestLine({ id, method: "tools/call", params: params("{}"), script: [answer] })}\n`,
      );
      await seen(filled(answer, { id }));
    });

    test("does not keep others waiting", async () => {
      const id = nextId();
      const answer = answerLine('{"content":[]}');
      facade.write(
        `${requestLine({ id, method: "tools/call", params: params("{}"), script: ["await vendor/go", answer] })}\n`,
      );
      const discover = { name: "discover", arguments: {} };
      await Promise.all([
        facade.request("ping"),
        facade.request("tools/list"),
        facade.request("tools/call", discover),
        facade.callTool("run", { other: true }),
      ]);
      expect(facade.lines).not.toContain(filled(answer, { id }));
      await facade.request("vendor/go");
      await seen(filled(answer, { id }));
    });
  });

  test("is refused when its id is still in use", async () => {
    facade.write(
      `${requestLine({ id: '"twice"', method: "tools/call", params: '"name":"run"', script: ["await vendor/end", answerLine('{"content":[]}')] })}\n`,
    );
    await upstream.line((message) => message.id === "twice", "the first call");
    const second = await facade.request("vendor/other", {}, "twice");
    expect(second.error?.code).toBe(-32600);
    await facade.request("vendor/end");
    await seen(filled(answerLine('{"content":[]}'), { id: '"twice"' }));
  });
});
