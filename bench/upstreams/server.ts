// What the bench upstreams offer, whatever the wire: synthetic tools that answer at once, and
// `large`. Its content is there before it is asked for; its JSON is made when it is asked for, as
// by any server, or `prepared`, so that nothing but its way is timed.
import type { JsonObject } from "../../lib/json-rpc.ts";
import { makeTools } from "../support/synthetic-tools.ts";

export const LARGE_KINDS = ["plain", "lines", "unicode", "rows"] as const;
export type LargeKind = (typeof LARGE_KINDS)[number];

const LARGE_TOOL = {
  name: "large",
  description: "Gives a result of about 10 MB.",
  inputSchema: {
    type: "object",
    properties: { kind: { type: "string", enum: LARGE_KINDS }, prepared: { type: "boolean" } },
    required: ["kind"],
  },
};

const UNITS: Readonly<Record<Exclude<LargeKind, "rows">, string>> = {
  plain: "abcdefghijklmnopqrstuvwxyz0123456789",
  lines: 'The quick brown fox jumps over the lazy dog, and "quoted" it is.\n',
  unicode: "Größe und Maß, ein Text mit Umläuten, 漢字 und so weiter.\n",
};
const LARGE_BYTES = 10_000_000;

/** The result of `large`. */
function makeLarge(kind: LargeKind): object {
  if (kind === "rows") {
    const rows = Array.from({ length: 150_000 }, (_, n) => ({ id: n, name: `row ${n}`, ok: true }));
    const text = `${rows.length} rows`;
    return { content: [{ type: "text", text }], structuredContent: { rows } };
  }
  const unit = UNITS[kind];
  const text = unit.repeat(Math.ceil(LARGE_BYTES / Buffer.byteLength(unit)));
  return { content: [{ type: "text", text }] };
}

export interface BenchServer {
  /** The answer to a request as bytes, without a line end; undefined for notifications. */
  answer(message: JsonObject): Uint8Array | undefined;
}

export function createBenchServer(options: { readonly toolCount: number }): BenchServer {
  const tools = [...makeTools(options.toolCount), LARGE_TOOL];
  const large = new Map<string, { readonly result: object; readonly bytes: Uint8Array }>();

  function answerLarge({ kind, prepared }: JsonObject): Uint8Array {
    let known = large.get(String(kind));
    if (known === undefined) {
      const result = makeLarge(kind as LargeKind);
      known = { result, bytes: toBytes(result) };
      large.set(String(kind), known);
    }
    return prepared === true ? known.bytes : toBytes(known.result);
  }

  function resultOf(method: unknown, params: JsonObject): Uint8Array {
    if (method === "initialize") {
      return toBytes({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "bench-upstream", version: "1.0.0" },
      });
    }
    if (method === "tools/list") return toBytes({ tools });
    if (method !== "tools/call") return toBytes({});
    const args = (params.arguments ?? {}) as JsonObject;
    if (params.name === "large") return answerLarge(args);
    return toBytes({ content: [{ type: "text", text: String(args.text) }] });
  }

  return {
    answer({ id, method, params }) {
      if (id === undefined) return undefined;
      const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
      return Buffer.concat([head, resultOf(method, (params ?? {}) as JsonObject), CLOSE]);
    },
  };
}

const CLOSE = Buffer.from("}");

function toBytes(result: object): Uint8Array {
  return Buffer.from(JSON.stringify(result));
}
