// stderr for people, one line a thing, and the one place where secrets are taken out of text.

const HIDDEN = "[secret]";
/** Shorter values are too common to be replaced without wrecking ordinary text. */
const MIN_SECRET_LENGTH = 6;

/** Knows the secrets of this process and takes them out of anything that leaves it. */
export interface Redactor {
  /** Later texts no longer show this value. Values under six characters are ignored. */
  add(secret: string): void;
  redact(text: string): string;
}

export function createRedactor(): Redactor {
  // Longest first, so that a secret that contains another one goes as a whole.
  let secrets: string[] = [];
  return {
    add(secret) {
      const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
      for (const form of forms) {
        if (form.length >= MIN_SECRET_LENGTH && !secrets.includes(form)) secrets.push(form);
      }
      secrets = secrets.sort((a, b) => b.length - a.length);
    },
    redact(text) {
      let out = text;
      for (const secret of secrets) {
        if (out.includes(secret)) out = out.replaceAll(secret, HIDDEN);
      }
      return out;
    },
  };
}

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
