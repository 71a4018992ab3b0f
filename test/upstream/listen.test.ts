import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../lib/errors.ts";
import type { UpstreamRequest } from "../../lib/upstream/fetch.ts";
import { listen } from "../../lib/upstream/listen.ts";

type Visit = { readonly lastsMs?: number } & (
  | { readonly events: string }
  | { readonly status: number }
  | { readonly failure: UpstreamError }
);

/** Listens to a server that answers with these visits in turn, then refuses. */
async function listenTo(visits: readonly Visit[]) {
  const requests: UpstreamRequest[] = [];
  const texts: string[] = [];
  const pausesMs: number[] = [];
  let clockMs = 0;
  await listen({
    fetch: {
      async send(request) {
        const visit = visits[requests.length] ?? { status: 405 };
        requests.push(request);
        clockMs += visit.lastsMs ?? 0;
        if ("failure" in visit) throw visit.failure;
        if ("status" in visit) return new Response("", { status: visit.status });
        return new Response(visit.events, { headers: { "Content-Type": "text/event-stream" } });
      },
      async renew() {},
    },
    headers: { "Mcp-Session-Id": "s" },
    signal: new AbortController().signal,
    maxEventBytes: 1000,
    now: () => clockMs,
    pause: async (delayMs) => void pausesMs.push(delayMs),
    onText: (text) => void texts.push(text),
  });
  return { requests, texts, pausesMs };
}

const broken = { failure: new UpstreamError("closed", "broken") };
const short = { events: "" };

describe("listen()", () => {
  for (const status of [400, 401, 404, 405, 406, 500, 501]) {
    test(`gives up at once after HTTP ${status}`, async () => {
      const { requests, pausesMs } = await listenTo([{ status }]);
      expect([requests.length, pausesMs]).toEqual([1, []]);
    });
  }

  test("gives up at once when the credential is refused", async () => {
    const failure = new UpstreamError("auth", "refused");
    expect((await listenTo([{ failure }])).requests).toHaveLength(1);
  });

  test("pauses longer and longer between streams that end at once", async () => {
    const { pausesMs } = await listenTo(Array.from({ length: 8 }, () => short));
    expect(pausesMs).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  test("begins anew after a stream that lasted", async () => {
    const { pausesMs } = await listenTo([short, short, { events: "", lastsMs: 30_000 }, short]);
    expect(pausesMs).toEqual([1000, 2000, 1000, 2000]);
  });

  test("gives up after five failures in a row", async () => {
    const { requests } = await listenTo([
      broken,
      short,
      ...Array.from({ length: 9 }, () => broken),
    ]);
    expect(requests).toHaveLength(7);
  });

  test("looks again for a stream that was there when the server is ill", async () => {
    const { requests } = await listenTo([short, { status: 503 }, { status: 503 }, short]);
    expect(requests).toHaveLength(5);
  });

  test("takes up after the last event and heeds the pause it is asked for", async () => {
    const { requests, texts, pausesMs } = await listenTo([
      { events: "retry: 5000\nid: e1\ndata: one\n\nevent: ping\ndata: none\n\n" },
      { events: "id: ä\ndata: two\n\n" },
    ]);
    expect(texts).toEqual(["one", "two"]);
    expect(pausesMs).toEqual([5000, 2000]);
    expect(requests.map(({ headers }) => headers)).toEqual([
      { "Mcp-Session-Id": "s", Accept: "text/event-stream" },
      { "Mcp-Session-Id": "s", Accept: "text/event-stream", "Last-Event-ID": "e1" },
      { "Mcp-Session-Id": "s", Accept: "text/event-stream" },
    ]);
  });
});
