// stderr for people, one line a thing, without secrets.
import type { Redactor } from "./redactor.ts";

export interface Log {
  /** One line on stderr, prefixed with the server name, redacted. Line breaks become spaces. */
  line(text: string): void;
}

/** `[acme] text` */
export function createLog(options: {
  readonly server: string;
  readonly redactor: Redactor;
  /** Takes one line without its end. */
  readonly write: (line: string) => void;
}): Log {
  const { server, redactor, write } = options;
  return {
    line(text) {
      const flat = redactor.redact(text).replace(/[\r\n]+/g, " ");
      write(`[${server}] ${flat.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")}`);
    },
  };
}
