// A raw client for Streamable HTTP, and the bench upstream it talks to.

import { join } from "node:path";
import type { JsonObject } from "../../lib/json-rpc.ts";
import { HOST_PARAMS } from "./line-process.ts";

export interface HttpUpstreamProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts a server of bench/upstreams and waits for its address. */
export async function startHttpUpstream(
  args: readonly string[],
  script = "http.ts",
): Promise<HttpUpstreamProcess> {
  const file = join(import.meta.dir, "../upstreams", script);
  const child = Bun.spawn([process.execPath, file, ...args], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const url = new TextDecoder().decode(value).trim();
  if (!URL.canParse(url)) throw new Error(`the HTTP upstream did not start: ${url}`);
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

export interface HttpClient {
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  /** The whole body of the answer, neither decoded nor parsed. */
  requestRaw(method: string, params?: JsonObject): Promise<Uint8Array>;
}

export async function openHttpClient(url: string): Promise<HttpClient> {
  let lastId = 0;
  let session: Record<string, string> = {};

  async function post(message: JsonObject): Promise<Response> {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...session,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response;
  }

  const client: HttpClient = {
    async request(method, params) {
      const response = await post({ id: ++lastId, method, ...(params && { params }) });
      const text = await response.text();
      const isEvent = response.headers.get("Content-Type") === "text/event-stream";
      return JSON.parse(isEvent ? text.slice(text.indexOf("data: ") + 6) : text);
    },
    async requestRaw(method, params) {
      const response = await post({ id: ++lastId, method, ...(params && { params }) });
      return await response.bytes();
    },
  };
  await client.request("initialize", HOST_PARAMS);
  session = { "Mcp-Session-Id": "bench-session", "MCP-Protocol-Version": "2025-06-18" };
  await (await post({ method: "notifications/initialized" })).text();
  return client;
}
