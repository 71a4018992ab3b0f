// A server of the legacy transport (2024-11-05, HTTP with SSE): the GET stream names the address
// for messages and brings all answers.
import type { JsonObject } from "../../lib/json-rpc.ts";
import { type HttpTestUpstream, startHttpUpstream } from "./http-upstream.ts";
import type { EventWriter, ResponseWriter, SeenRequest } from "./http-wire.ts";

export interface SseTestUpstream extends AsyncDisposable {
  readonly http: HttpTestUpstream;
  readonly url: string;
  /** The stream that is open. */
  stream(): EventWriter | undefined;
  /** Breaks the open stream off. */
  breakStream(): void;
}

export async function startSseUpstream(
  options: {
    /** What the stream names; by default a path of its own with a session in the query. */
    readonly endpoint?: string;
    readonly respond?: (request: SeenRequest, response: ResponseWriter) => boolean;
    /** The outcome of a request, if it is not the usual one; undefined leaves it open. */
    readonly outcomeOf?: (request: SeenRequest, usual: () => JsonObject) => JsonObject | undefined;
  } = {},
): Promise<SseTestUpstream> {
  const { endpoint = "/messages?session=s1" } = options;
  let stream: EventWriter | undefined;
  let breakStream = () => {};
  const http = await startHttpUpstream({
    respond(request, response) {
      if (options.respond?.(request, response) === true) return true;
      if (request.method === "GET") {
        stream = response.events();
        breakStream = () => response.reset();
        stream.raw(`event: endpoint\ndata: ${endpoint}\n\n`);
        return true;
      }
      if (request.path !== endpoint) return false;
      response.status(202, {}, "Accepted");
      const { message } = request;
      if (message?.id === undefined || message.method === undefined) return true;
      const usual = () =>
        message.method === "tools/call" ? http.execute(request) : { result: {} };
      const outcome = options.outcomeOf === undefined ? usual() : options.outcomeOf(request, usual);
      if (outcome !== undefined) {
        stream?.message({ jsonrpc: "2.0", id: message.id, ...outcome }, { type: "message" });
      }
      return true;
    },
  });
  return {
    http,
    url: http.url,
    stream: () => stream,
    breakStream: () => breakStream(),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
