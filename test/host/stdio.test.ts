import { describe, expect, test } from "bun:test";
import { readLines, type UnreadableLine } from "../../lib/host/stdio.ts";
import type { Received } from "../../lib/json-rpc.ts";

async function read(chunks: (string | Uint8Array)[], maxLineBytes?: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      }
      controller.close();
    },
  });
  const events = {
    onMessage: (received: Received) => seen.push(received.text),
    onUnreadable: (problem: UnreadableLine) => seen.push(problem),
  };
  await readLines(stream, events, maxLineBytes);
  return seen;
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe("readLines()", () => {
  test.each([
    ["a line", [`${PING}\n`], [PING]],
    ["lines in one chunk", [`${PING}\n${PING}\n`], [PING, PING]],
    ["a line in pieces", ['{"jsonrpc":"2.0",', '"id":1,"method"', ':"ping"}\n'], [PING]],
    ["CR LF and empty lines", [`\r\n${PING}\r\n\n  \n`], [PING]],
    [
      "big numbers and odd spacing as they are",
      [`{ "jsonrpc":"2.0","method":"n", "params":{"n":9007199254740993} }\n`],
      [`{ "jsonrpc":"2.0","method":"n", "params":{"n":9007199254740993} }`],
    ],
    ["noise as a parse error", [`oops\n${PING}\n`], [{ isJson: false, id: null }, PING]],
    [
      "other JSON as a bad request",
      ['{"id":1}\n5\nnull\n[]\n'],
      Array(4).fill({ isJson: true, id: null }),
    ],
    [
      "a request of another version under its id",
      ['{"jsonrpc":"1.0","id":1,"method":"x"}\n'],
      [{ isJson: true, id: 1 }],
    ],
    [
      "a broken answer under no id",
      ['{"jsonrpc":"2.0","id":1,"error":"x"}\n'],
      [{ isJson: true, id: null }],
    ],
    ["a batch as its messages", [`[${PING},${PING}]\n`], [PING, PING]],
    ["a batch inside a batch once", [`[[${PING}]]\n`], [{ isJson: true, id: null }]],
    ["a last line without its line break", [`${PING}\n${PING}`], [PING, PING]],
    [
      "numbers in a batch as they are",
      [
        '[{"jsonrpc":"2.0","method":"n","params":{"n":12345678901234567890}}, ',
        `${PING}]\n${PING}\n`,
      ],
      ['{"jsonrpc":"2.0","method":"n","params":{"n":12345678901234567890}}', PING, PING],
    ],
  ])("reads %s", async (_name, chunks, expected) => {
    expect(await read(chunks)).toEqual(expected);
  });

  test.each([
    [`{"jsonrpc":"2.0","id":7,"method":"x","params":"${"a".repeat(200)}"}`, 7],
    [`{"method":"x","id" : "seven","params":"${"a".repeat(200)}"}`, "seven"],
    [`{"params":{"id":5},"id":7,"a":"${"a".repeat(200)}"}`, null],
  ])(
    "answers a line that is too long once, under its id if that is told early: %p",
    async (line, id) => {
      const bytes = new TextEncoder().encode(`${line}\n${PING}\n`);
      const chunks = Array.from({ length: 10 }, (_, n) =>
        bytes.slice(n * 40, n === 9 ? undefined : (n + 1) * 40),
      );
      expect(await read(chunks, 100)).toEqual([{ isJson: true, id }, PING]);
      expect(await read([bytes], 100)).toEqual([{ isJson: true, id }, PING]);
    },
  );

  test("decodes a character that is split between chunks", async () => {
    const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","method":"ü漢😀"}\n');
    for (let at = 1; at < bytes.length; at++) {
      expect(await read([bytes.slice(0, at), bytes.slice(at)])).toEqual([
        '{"jsonrpc":"2.0","method":"ü漢😀"}',
      ]);
    }
  });
});
