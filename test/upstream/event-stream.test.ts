import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createEventStream } from "../../lib/upstream/event-stream.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function parse(
  chunks: readonly Uint8Array[],
  options: { end?: boolean; maxEventBytes?: number } = {},
) {
  const events: { type: string; data: string }[] = [];
  const oversized: string[] = [];
  const stream = createEventStream({
    maxEventBytes: options.maxEventBytes ?? 1000,
    onEvent: (event) => events.push(event),
    onOversized: ({ head }) => oversized.push(head),
  });
  for (const chunk of chunks) stream.push(chunk);
  if (options.end !== false) stream.end();
  const { lastEventId, retryMs } = stream;
  return { events, oversized, lastEventId, retryMs };
}

const message = (data: string) => ({ type: "", data });

describe("createEventStream()", () => {
  const table: readonly (readonly [string, string, ReturnType<typeof parse>["events"]])[] = [
    ["one event", "data: a\n\n", [message("a")]],
    ["no blank after the colon", "data:a\n\n", [message("a")]],
    ["one of two blanks", "data:  a\n\n", [message(" a")]],
    ["several data lines", "data: a\ndata\ndata: b\n\n", [message("a\n\nb")]],
    ["CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", [message("a"), message("b")]],
    ["CR alone", "data: a\r\rdata: b\r\r", [message("a"), message("b")]],
    ["mixed line ends", "data: a\r\ndata: b\r\n\ndata: c\n\r", [message("a\nb"), message("c")]],
    ["comments", ": hello\n:\ndata: a\n: more\n\n", [message("a")]],
    ["types", "event: ping\ndata: a\n\ndata: b\n\n", [{ type: "ping", data: "a" }, message("b")]],
    ["unknown fields", "foo: x\ndatax: y\nda: z\ndata: a\n\n", [message("a")]],
    ["events without data", "event: x\n\nid: 1\n\ndata: a\n\n", [message("a")]],
    ["empty data as no event", "data:\n\n", []],
    ["a byte-order mark", "\ufeffdata: a\n\n", [message("a")]],
    ["a last event without blank line", "data: a\n\ndata: b\n", [message("a"), message("b")]],
    ["a last line without end", "data: a\n\ndata: b", [message("a"), message("b")]],
    ["wide characters", "data: wörked 漢😀\n\n", [message("wörked 漢😀")]],
  ];
  for (const [what, text, events] of table) {
    test(`reads ${what}`, () => {
      expect(parse([encode(text)]).events).toEqual(events);
    });

    test(`reads ${what} byte by byte`, () => {
      const bytes = [...encode(text)].map((byte) => new Uint8Array([byte]));
      expect(parse(bytes).events).toEqual(events);
    });
  }

  test("gives the same events wherever the bytes are split", () => {
    const piece = fc.constantFrom(
      "data: ä",
      "data",
      "\n",
      "\r",
      "\r\n",
      ": c",
      "id: 7",
      "event: x",
      "漢",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(), fc.nat(), (pieces, a, b) => {
        const bytes = encode(pieces.join(""));
        const [from, to] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y);
        const split = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
        expect(parse(split)).toEqual(parse([bytes]));
      }),
    );
  });

  test("keeps an unfinished event back while the stream goes on", () => {
    expect(parse([encode("data: a\ndata: b\n")], { end: false }).events).toEqual([]);
  });

  test("remembers the last id of a finished event, and the retry time", () => {
    const text = "id: 1\nretry: 250\ndata: a\n\nid: 2\n\nid: 3\ndata: b";
    const { lastEventId, retryMs } = parse([encode(text)], { end: false });
    expect({ lastEventId, retryMs }).toEqual({ lastEventId: "2", retryMs: 250 });
  });

  test("ignores ids with NUL and retry times that are no numbers", () => {
    const { lastEventId, retryMs } = parse([encode("id: a\0b\nretry: soon\ndata: a\n\n")]);
    expect({ lastEventId, retryMs }).toEqual({ lastEventId: undefined, retryMs: undefined });
  });

  for (const [what, text] of [
    ["one long line", `data: ${"x".repeat(50)}\n\n`],
    ["many short lines", `${"data: xxxxx\n".repeat(10)}\n`],
  ] as const) {
    test(`drops an event over the limit, ${what}, and goes on`, () => {
      const bytes = encode(`data: a\n\n${text}data: b\n\n`);
      const whole = parse([bytes], { maxEventBytes: 30 });
      expect(whole.events).toEqual([message("a"), message("b")]);
      expect(whole.oversized).toHaveLength(1);
      const single = [...bytes].map((byte) => new Uint8Array([byte]));
      expect(parse(single, { maxEventBytes: 30 }).events).toEqual(whole.events);
    });
  }
});
