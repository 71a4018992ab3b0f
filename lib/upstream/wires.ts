// Every wire that is open or being opened, so that none is left behind: each is closed once, and
// the end of the program waits for all of them.
import { renderError, type UpstreamError } from "../errors.ts";
import type { RawResult, Received } from "../json-rpc.ts";
import type { Log } from "../log.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";

export interface WireEvents {
  onMessage(connection: Connection, received: Received): void;
  onRawResult(result: RawResult): boolean;
  onEnd(connection: Connection, reason: UpstreamError): void;
}

export interface Wires {
  /** Opens one more wire. Throws what connecting throws. */
  open(): Promise<Connection>;
  close(connection: Connection): void;
  /** Closes all wires but this one. */
  closeOthers(connection: Connection): void;
  /** Closes all, also those still being opened, and waits for their end. */
  closeAll(): Promise<void>;
}

export function createWires(options: {
  readonly connect: (events: ConnectionEvents) => Promise<Connection>;
  readonly events: WireEvents;
  readonly log: Log;
}): Wires {
  const { events, log } = options;
  const wires = new Set<Connection>();
  const connecting = new Set<Promise<Connection>>();
  const closings = new Set<Promise<void>>();

  function close(connection: Connection): void {
    if (!wires.delete(connection)) return;
    const closing = connection
      .close()
      .catch((error: unknown) => log.line(`Closing the connection failed: ${renderError(error)}`));
    closings.add(closing);
    void closing.then(() => closings.delete(closing));
  }

  return {
    async open() {
      let wire: Connection | undefined;
      let early: UpstreamError | undefined;
      const connected = options.connect({
        onMessage(received) {
          if (wire !== undefined && wires.has(wire)) events.onMessage(wire, received);
        },
        onRawResult: (result) =>
          wire !== undefined && wires.has(wire) && events.onRawResult(result),
        onEnd(reason) {
          if (wire === undefined) early = reason;
          else if (wires.has(wire)) events.onEnd(wire, reason);
        },
      });
      connecting.add(connected);
      wire = await connected.finally(() => connecting.delete(connected));
      wires.add(wire);
      if (early === undefined) return wire;
      close(wire);
      throw early;
    },
    close,
    closeOthers(connection) {
      for (const wire of wires) if (wire !== connection) close(wire);
    },
    async closeAll() {
      for (const wire of wires) close(wire);
      await Promise.allSettled(connecting);
      for (const wire of wires) close(wire);
      await Promise.all(closings);
    },
  };
}
