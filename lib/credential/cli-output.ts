// What a token CLI printed: the token on its first line, or the reason on stderr. Output of other
// people's programs carries colour, carriage returns and now and then a token where none belongs.
import { HIDDEN } from "../redactor.ts";

/** CSI, OSC and two-character escape sequences. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
const MAX_REASON_LENGTH = 200;

export type TokenLine = { readonly token: string } | { readonly refusal: string };

/** The first line that is not empty, when it can be a bearer token, else why it cannot. */
export function parseTokenLine(stdout: string): TokenLine {
  const line = firstLine(stdout);
  if (line === "") return { refusal: "printed nothing" };
  if (/^[{["']/.test(line)) return { refusal: "printed JSON or a quoted text" };
  if (/\s/.test(line)) return { refusal: "printed a line with spaces" };
  if (!/^[\u0021-\u007e]+$/.test(line))
    return { refusal: "printed a line that is not plain ASCII" };
  return { token: line };
}

/** The first line of stderr that says something, shortened, without what looks like a secret. */
export function parseReason(stderr: string): string | undefined {
  const line = maskTokens(firstLine(stderr));
  if (line === "") return undefined;
  return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH)}...` : line;
}

function firstLine(output: string): string {
  for (const raw of output.replace(ESCAPES, "").split(/[\r\n]+/)) {
    const line = raw.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, "").trim();
    if (line !== "") return line;
  }
  return "";
}

/** Tokens by their form: JWTs, what follows `token=` or `Bearer`, and long runs of letters and digits. */
export function maskTokens(text: string): string {
  return text
    .replace(/\beyJ[\w-]+(?:\.[\w-]+)*/g, HIDDEN)
    .replace(
      /\b(bearer\s+|(?:[\w-]*token|secret|password|api[_-]?key)\s*[=:]\s*)\S+/gi,
      `$1${HIDDEN}`,
    )
    .replace(/[A-Za-z0-9_-]{32,}/g, (run) => (isPlain(run) ? run : HIDDEN));
}

/** Long runs that are no token: words joined by dashes or underscores, and UUIDs. */
function isPlain(run: string): boolean {
  return !/[0-9]/.test(run) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(run);
}
