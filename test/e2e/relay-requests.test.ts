// Requests and notifications of the host that are not ours to change: what the upstream receives
// and what the host gets back is the other side's own line, byte for byte.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FacadeProcess } from "../support/facade-process.ts";
import { answerLine, errorLine, filled, requestLine } from "../support/raw-line.ts";
import {
  ALL_HOST_CAPABILITIES,
  createScriptedUpstream,
  type ScriptedUpstream,
  TRANSPORTS,
} from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

// Real processes on a busy machine: the waits inside have limits of their own.
setDefaultTimeout(30_000);

interface Exchange {
  readonly what: string;
  readonly method: string;
  readonly params?: string;
  readonly meta?: string;
  /** The answer's line, with `$ID`. */
  readonly answer: string;
}

const EXCHANGES: readonly Exchange[] = [
  {
    what: "prompts/list with a cursor",
    method: "prompts/list",
    params: '"cursor":"p1"',
    answer: answerLine(
      '{"prompts":[{"name":"Greet","title":"G","description":"Greets. Nicely.","arguments":[{"name":"who","required":true}],"icons":[{"src":"data:,"}],"x-vendor":1}],"nextCursor":"p2"}',
    ),
  },
  {
    what: "prompts/get",
    method: "prompts/get",
    params: '"name":"Greet","arguments":{"who":"you"}',
    answer: answerLine(
      '{"description":"d","messages":[{"role":"user","content":{"type":"image","data":"aGk=","mimeType":"image/png","annotations":{"priority":0.5}}}],"_meta":{"k":1}}',
    ),
  },
  {
    what: "an unknown prompt",
    method: "prompts/get",
    params: '"name":"Nope"',
    answer: errorLine('{"code":-32602,"message":"Unknown prompt","data":{"name":"Nope"}}'),
  },
  {
    what: "resources/list",
    method: "resources/list",
    answer: answerLine(
      '{"resources":[{"uri":"mem://a","name":"a","size":12345678901234567890,"annotations":{"audience":["user"],"lastModified":"2025-01-01T00:00:00Z"}}]}',
    ),
  },
  {
    what: "resources/templates/list",
    method: "resources/templates/list",
    answer: answerLine('{"resourceTemplates":[{"uriTemplate":"mem://{id}{?q*}","name":"t"}]}'),
  },
  {
    what: "resources/read",
    method: "resources/read",
    params: '"uri":"mem://a"',
    answer: answerLine(
      '{"contents":[{"uri":"mem://a","text":"caf\\u00e9 \\ud83d\\ude00 é"},{"uri":"mem://b","blob":"aGk=","_meta":{"x":[]}}]}',
    ),
  },
  {
    what: "a missing resource",
    method: "resources/read",
    params: '"uri":"mem://none"',
    answer: errorLine(
      '{"code":-32002,"message":"Resource not found","data":{"uri":"mem://none"},"x-more":true}',
    ),
  },
  {
    what: "resources/subscribe",
    method: "resources/subscribe",
    params: '"uri":"mem://a"',
    answer: answerLine("{}"),
  },
  {
    what: "resources/unsubscribe",
    method: "resources/unsubscribe",
    params: '"uri":"mem://a"',
    answer: answerLine("{}"),
  },
  {
    what: "completion/complete",
    method: "completion/complete",
    params:
      '"ref":{"type":"ref/resource","uri":"mem://{id}"},"argument":{"name":"id","value":"an"},"context":{"arguments":{"a":"b"}}',
    answer: answerLine('{"completion":{"values":["anna","ann"],"total":2,"hasMore":false}}'),
  },
  {
    what: "logging/setLevel",
    method: "logging/setLevel",
    params: '"level":"debug"',
    answer: answerLine('{"_meta":{"level":"debug"}}'),
  },
  {
    what: "tasks/list",
    method: "tasks/list",
    params: '"cursor":"c"',
    answer: answerLine('{"tasks":[{"taskId":"t1","status":"working","ttl":null}]}'),
  },
  {
    what: "tasks/get",
    method: "tasks/get",
    params: '"taskId":"t1"',
    answer: answerLine(
      '{"taskId":"t1","status":"input_required","createdAt":"2025-11-25T10:30:00Z","ttl":60000,"pollInterval":5000}',
    ),
  },
  {
    what: "tasks/result",
    method: "tasks/result",
    params: '"taskId":"t1"',
    answer: answerLine(
      '{"content":[{"type":"text","text":"done"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}',
    ),
  },
  {
    what: "tasks/cancel of a finished task",
    method: "tasks/cancel",
    params: '"taskId":"t1"',
    answer: errorLine('{"code":-32602,"message":"Cannot cancel task: already in terminal status"}'),
  },
  {
    what: "an unknown method",
    method: "vendor/thing",
    params: '"a":9007199254740993,"b":[1.0,-0,1e400]',
    answer: answerLine('{"a":9007199254740993,"a":"repeated","b":[1.0,-0,1E2]}'),
  },
  {
    what: "an unknown method's error",
    method: "vendor/broken",
    answer: errorLine('{"code":1234,"message":"broken by vendor","data":[null,1.50]}'),
  },
  {
    what: "an unknown member beside the result",
    method: "vendor/thing",
    answer: '{"jsonrpc":"2.0","id":$ID,"x-trace":{"span":"7"},"result":{}}',
  },
  {
    what: "white space and another order of members",
    method: "vendor/thing",
    answer: '{ "result" : { "b" : 1 , "a" : 2 },\t"id" : $ID , "jsonrpc" : "2.0" }',
  },
  {
    what: "a result that is no object",
    method: "vendor/thing",
    answer: answerLine("[1,null]"),
  },
  {
    what: "a result that is null",
    method: "vendor/thing",
    answer: answerLine("null"),
  },
  {
    what: "_meta of the request, with a progress token of the reserved kind",
    method: "prompts/get",
    params: '"name":"Greet"',
    meta: '"progressToken":"facade:1","com.example/trace":{"id":18446744073709551615}',
    answer: answerLine('{"messages":[]}'),
  },
];

const IDS = [
  "0",
  "-1",
  "1",
  '"1"',
  "1.5",
  "9007199254740991",
  '"facade:1"',
  '"0"',
  '""',
  '"\\u00e9\\ud83d\\ude00 $&"',
  JSON.stringify("long ".repeat(1000)),
];

describe.each(TRANSPORTS)("a request of the host, %s", (transport) => {
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

  const seen = (line: string) =>
    until(
      () => facade.lines.includes(line),
      () => `${line}; stdout: ${facade.lines.join("\n")}; stderr: ${facade.stderr()}`,
    );

  test.each(EXCHANGES.map((exchange, index) => ({ exchange, index })))(
    "passes: $exchange.what",
    async ({ exchange: { answer, ...request }, index }) => {
      const id = JSON.stringify(`exchange-${index}`);
      const sent = requestLine({ id, ...request, script: [answer] });
      facade.write(`${sent}\n`);
      await seen(filled(answer, { id }));
      expect(upstream.received()).toContain(sent);
    },
  );

  test("is told apart by every kind of id, all of them at once", async () => {
    const answer = answerLine('{"echo":$ID}');
    const sent = IDS.map((id) => requestLine({ id, method: "vendor/id", script: [answer] }));
    facade.write(`${sent.join("\n")}\n`);
    for (const id of IDS) await seen(filled(answer, { id }));
    for (const line of sent) expect(upstream.received()).toContain(line);
  });

  test("is answered under an id that no number holds, by us and by the upstream", async () => {
    const id = "1764528000123456789";
    const lines = [
      `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
      `{"jsonrpc":"2.0","id":-${id}.50,"method":"server/discover"}`,
    ];
    facade.write(`${lines.join("\n")}\n`);
    await seen(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    await seen(
      `{"jsonrpc":"2.0","id":-${id}.50,"error":{"code":-32601,"message":"Method not found"}}`,
    );
    const answer = answerLine('{"theirs":true}');
    facade.write(`${requestLine({ id, method: "vendor/x", script: [answer] })}\n`);
    await seen(filled(answer, { id }));
    const call = '"name":"discover","arguments":{"query":"zzz"}';
    facade.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${call}}}\n`);
    await until(
      () =>
        facade.lines.some((line) =>
          line.startsWith(`{"jsonrpc":"2.0","id":${id},"result":{"content"`),
        ),
      "discover's answer",
    );
  });

  test("keeps unknown members beside its params", async () => {
    const answer = answerLine("{}");
    const line = requestLine({ id: '"top"', method: "vendor/top", script: [answer] });
    const sent = line.replace('"id"', '"x-first":[1.0],"id"').replace(/\}$/, ',"x-last":null}');
    facade.write(`${sent}\n`);
    await seen(filled(answer, { id: '"top"' }));
    expect(upstream.received()).toContain(sent);
  });

  test("has its notifications and its answer in the order the upstream wrote them", async () => {
    const notes = [1, 2, 3].map(
      (n) =>
        `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${n}}}`,
    );
    const [first = "", second = "", third = ""] = notes;
    const own = answerLine("{}");
    facade.write(
      `${requestLine({ id: '"order"', method: "vendor/x", script: [first, second, third, own] })}\n`,
    );
    const last = filled(own, { id: '"order"' });
    await seen(last);
    const end = facade.lines.indexOf(last);
    expect(facade.lines.slice(end - 3, end)).toEqual(notes);
  });

  test("is answered as cancelled requests are: not at all", async () => {
    const script = ["await notifications/cancelled", answerLine('{"late":true}')];
    for (const id of ["0", '"zero"']) {
      const sent = requestLine({ id, method: "vendor/slow", script });
      const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"tired","x":1}}`;
      facade.write(`${sent}\n`);
      await upstream.line((message) => JSON.stringify(message.id) === id, "the slow request");
      facade.write(`${cancel}\n`);
      await until(() => upstream.received().includes(cancel), "the cancellation");
    }
    // Whatever was written for the cancelled ones came before this answer.
    const after = requestLine({ id: '"after"', method: "vendor/x", script: [answerLine("{}")] });
    facade.write(`${after}\n`);
    await seen(filled(answerLine("{}"), { id: '"after"' }));
    expect(facade.lines.filter((line) => line.includes('"late"'))).toEqual([]);
  });
});

const HOST_NOTIFICATIONS = [
  '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"of a task"}}',
  '{"jsonrpc":"2.0","method":"notifications/vendor/ping","params":{"z":1.0},"x-top":1}',
  '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"h1","status":"completed"}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"u","progress":0.5}}',
];

const UPSTREAM_NOTIFICATIONS = [
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"db","data":{"q":1.0,"text":"hé"}}}',
  '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"mem://a","title":"A"}}',
  '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}',
  '{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"a":1}}}',
  '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t1","status":"working","ttl":1e3}}',
  '{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}',
  '{"jsonrpc":"2.0","method":"notifications/vendor/pong","params":{"big":9007199254740993},"x-top":[]}',
];

describe.each(TRANSPORTS)("a notification, %s", (transport) => {
  test("passes in both directions as it is", async () => {
    using upstream = createScriptedUpstream(transport);
    await using facade = await upstream.openFacade();
    facade.write(`${HOST_NOTIFICATIONS.join("\n")}\n`);
    for (const line of HOST_NOTIFICATIONS) {
      await until(
        () => upstream.received().includes(line),
        () => `${line}; received: ${upstream.received().join("\n")}`,
      );
    }
    const script = [...UPSTREAM_NOTIFICATIONS, answerLine("{}")];
    facade.write(`${requestLine({ id: "77", method: "vendor/x", script })}\n`);
    await facade.reply(77);
    const end = facade.lines.indexOf(filled(answerLine("{}"), { id: "77" }));
    expect(facade.lines.slice(end - UPSTREAM_NOTIFICATIONS.length, end)).toEqual(
      UPSTREAM_NOTIFICATIONS,
    );
  });
});

describe("a notification of the host before the upstream is needed", () => {
  test("opens it if only the upstream can know what it means, and comes before what follows", async () => {
    using upstream = createScriptedUpstream("stdio");
    await (await upstream.openFacade()).end();
    const before = upstream.received().length;
    await using facade = upstream.startFacade();
    await facade.initialize({
      protocolVersion: "2025-11-25",
      capabilities: ALL_HOST_CAPABILITIES,
    });
    // An upstream that has seen nothing of the host yet has nothing to forget.
    facade.notify("notifications/roots/list_changed");
    facade.notify("notifications/cancelled", { requestId: 5 });
    facade.notify("notifications/progress", { progressToken: 5, progress: 1 });
    await facade.request("tools/list");
    expect(upstream.received()).toHaveLength(before);

    facade.notify("notifications/vendor/place", { folder: "/here" });
    facade.notify("notifications/roots/list_changed");
    await facade.callTool("run", {});
    const methods = upstream.receivedMessages().map(({ method }) => method);
    expect(methods.slice(before)).toEqual([
      "initialize",
      "notifications/initialized",
      "notifications/vendor/place",
      "notifications/roots/list_changed",
      "tools/call",
    ]);
  });

  test("is told to be lost when the upstream cannot be opened", async () => {
    using upstream = createScriptedUpstream("stdio", {
      entry: { upstream: { command: "/nowhere/no-such-program" } },
    });
    await using facade = upstream.startFacade();
    await facade.initialize();
    facade.notify("notifications/vendor/place", {});
    await until(
      () => facade.stderr().includes("The host's notifications/vendor/place was lost: Cannot "),
      () => facade.stderr(),
    );
  });
});
