// What an upstream offers: its handshake and all its tools, and how a tool is found by any of the
// names a model may use for it. Pure.
import type { JsonObject } from "../json-rpc.ts";

/** A tool exactly as the upstream sent it; anything beyond `name` may be missing or odd. */
export interface Tool extends JsonObject {
  readonly name: string;
}
