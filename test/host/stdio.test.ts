import { describe, expect, test } from "bun:test";
import { readLines } from "../../lib/host/stdio.ts";

async function read(chunks: (string | Uint8Array)[]): Promise<unknown[]> {
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
  await readLines(stream, {
    onMessage: (received) => seen.push(received.text),
    onUnreadable: (problem) => seen.push(problem),
  });
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
      [{ isJson: true, id: 1 }, ...Array(3).fill({ isJson: true, id: null })],
    ],
    ["a batch as its messages", [`[${PING},${PING}]\n`], [PING, PING]],
    ["a batch inside a batch once", [`[[${PING}]]\n`], [{ isJson: true, id: null }]],
    ["an unfinished last line not at all", [`${PING}\n${PING}`], [PING]],
  ])("reads %s", async (_name, chunks, expected) => {
    expect(await read(chunks)).toEqual(expected);
  });

  test("decodes a character that is split between chunks", async () => {
    const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","method":"ü漢😀"}\n');
    for (let at = 1; at < bytes.length; at++) {
      expect(await read([bytes.slice(0, at), bytes.slice(at)])).toEqual([
        '{"jsonrpc":"2.0","method":"ü漢😀"}',
      ]);
    }
  });
});
