// The one place where secrets are taken out of what leaves the process. Pure.
// People's text loses every secret wherever it stands. JSON for the host and for the disk must stay
// what it is: there a secret goes only inside string values, never in member names, numbers, ids,
// methods or as a part of a tool's name, and values that are ordinary words are left alone, because
// a password "postgres" must not rename the tools of a database.

/** Stands where a secret was taken out. */
export const HIDDEN = "[secret]";
/** Shorter values are too common to be replaced without wrecking ordinary text. */
const MIN_SECRET_LENGTH = 6;
/** From here on a value of one kind of character is no ordinary word or number either. */
const LONG_SECRET_LENGTH = 16;

export interface Redactor {
  /** Later texts no longer show this value. Values under six characters are ignored. */
  add(secret: string): void;
  /** For people: log lines, messages of commands. */
  redact(text: string): string;
  /** For JSON text; gives valid JSON of the same form. */
  redactJson(json: string): string;
  /** A JSON text that holds none of these is as `redactJson` would leave it. */
  jsonForms(): readonly string[];
}

/** Whether a value is anything but a word, a name or a number: of two kinds of character, or long. */
function isTelling(secret: string): boolean {
  if (secret.length >= LONG_SECRET_LENGTH) return true;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/];
  const found = kinds.filter((kind) => kind.test(secret)).length;
  return found > 1 && !/^[A-Z][a-z]+$/.test(secret);
}

/** A string with its quotes, and the colon if it is a member name. Linear, whatever stands in it. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs;
/** Members whose value is never free text. */
const KEPT_MEMBERS = new Set(['"id"', '"jsonrpc"', '"method"', '"progressToken"', '"requestId"']);

export function createRedactor(): Redactor {
  // Longest first, so that a secret that contains another one goes as a whole.
  let secrets: string[] = [];
  let telling: string[] = [];
  /** What a telling secret looks like inside JSON text. */
  let escaped: string[] = [];

  const replaceIn = (text: string, values: readonly string[]) =>
    values.reduce(
      (out, value) => (out.includes(value) ? out.replaceAll(value, HIDDEN) : out),
      text,
    );

  /** `token` is a JSON string that stands as the value of the member `name`. */
  function redactValue(token: string, name: string): string {
    const value: string = JSON.parse(token);
    const redacted = replaceIn(value, telling);
    if (redacted === value || KEPT_MEMBERS.has(name)) return token;
    // A name that only contains the value, such as a tool's, is not where a secret is told.
    const isPartOfName = name === '"name"' && /^[\w.-]+$/.test(value) && !telling.includes(value);
    return isPartOfName ? token : JSON.stringify(redacted);
  }

  return {
    add(secret) {
      const forms = [secret, encodeURIComponent(secret.toWellFormed())];
      for (const form of forms) {
        if (form.length >= MIN_SECRET_LENGTH && !secrets.includes(form)) secrets.push(form);
      }
      secrets = secrets.sort((a, b) => b.length - a.length);
      telling = secrets.filter(isTelling);
      escaped = telling.map((value) => JSON.stringify(value).slice(1, -1));
    },
    redact: (text) => replaceIn(text, secrets),
    jsonForms: () => escaped,
    redactJson(json) {
      if (!escaped.some((secret) => json.includes(secret))) return json;
      let name = "";
      let nameEnd = 0;
      return json.replace(STRING, (token: string, colon: string | undefined, at: number) => {
        if (colon !== undefined) {
          name = token.slice(0, -colon.length);
          nameEnd = at + token.length;
          return token;
        }
        const isMember = json.slice(nameEnd, at).trim() === "";
        return redactValue(token, isMember ? name : "");
      });
    },
  };
}
