// Ids that a number cannot hold, such as a time in nanoseconds: an answer made in here would carry
// another id than the request, and the host would wait for ever. They are remembered as the host
// wrote them, and put back. Pure; costs nothing as long as there are none.
import { isRequest, type Received } from "../json-rpc.ts";
import { memberText } from "../json-text.ts";

export interface ExactIds {
  /** Remembers the id of a request of the host, if need be. */
  note(received: Received): void;
  /** The line for the host: an answer of our own gets the id as the host wrote it. */
  restore(text: string): string;
}

/** How answers made in here begin; those of an upstream have the right id already. */
const OWN_ANSWER = /^\{"jsonrpc":"2\.0","id":(-?[\d.eE+-]+)(?=,"(?:result|error)":)/;

export function createExactIds(): ExactIds {
  const written = new Map<number, string>();
  return {
    note({ message, text }) {
      if (!isRequest(message) || typeof message.id !== "number") return;
      const { id } = message;
      if (Number.isSafeInteger(id)) return;
      const idText = memberText(text, ["id"]);
      if (idText !== undefined && idText !== JSON.stringify(id)) written.set(id, idText);
    },
    restore(text) {
      if (written.size === 0) return text;
      const [start, found] = OWN_ANSWER.exec(text) ?? [];
      if (start === undefined || found === undefined) return text;
      const idText = written.get(Number(found));
      if (idText === undefined) return text;
      written.delete(Number(found));
      return `{"jsonrpc":"2.0","id":${idText}${text.slice(start.length)}`;
    },
  };
}
