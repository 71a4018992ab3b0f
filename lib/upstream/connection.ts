// The seam between the relay and a wire: one open connection to an upstream, stdio or HTTP.
// A wire moves messages; it knows nothing of the handshake, of retries after a lost session, of
// time-outs per call or of what a model sees. Those are upstream.ts's and the facade's.
import type { UpstreamError } from "../errors.ts";
import type { JsonRpcMessage, RawResult, Received } from "../json-rpc.ts";

/** What a wire reports to its owner. Called synchronously, in the order things arrived. */
export interface ConnectionEvents {
  /** Every valid JSON-RPC message from the upstream. */
  onMessage(received: Received): void;
  /** True when a large result is taken as it is; otherwise it comes by `onMessage`. */
  onRawResult?(result: RawResult): boolean;
  /** The connection ended by itself; called once at most, never after `close()`. */
  onEnd(reason: UpstreamError): void;
}

export interface Connection extends AsyncDisposable {
  /**
   * Sends one message. `text` is its JSON on one line.
   * Settles when the wire has nothing more to tell about it: for stdio when it is written, for
   * HTTP when the answer to its POST has ended. Rejects with an `UpstreamError` (or a
   * `CredentialError`) when it was not delivered, was refused, or when a request's answer can no
   * longer come over this wire.
   * The answer to a request arrives by `onMessage` before the promise resolves.
   */
  send(message: JsonRpcMessage, text: string): Promise<void>;
  /** Tells the wire the negotiated version, and that the handshake is done (HTTP: header, GET stream). */
  ready(protocolVersion: string): void;
  /** Forgets the session, so that the next message can be `initialize`. Streams still open go on. */
  resetSession(): void;
  /** Ends the connection in bounded time and everything it started. Idempotent. */
  close(): Promise<void>;
}
