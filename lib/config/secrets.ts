// Which configured values are secrets, by the names they stand under and by their form. Marking
// too much costs a word in an error text, marking too little costs a credential, so doubts are
// settled towards secret. Pure.

/** Long words also inside of others, short ones by themselves only. */
const SECRET_NAME =
  /token|secret|passw|passphrase|dbpass|pgpass|credential|private|session|cookie|authoriz|bearer|signature|webhook|(?:api|access|auth|master|account|admin|encryption|signing)key|connectionstr|connstr|(?:^|[^a-z])(?:keys?|sec|pass|auth|creds?|pwd|pat|pin|otp|jwt|dsn|conn|connection|cert|salt|sig|sid)(?:$|[^a-z])/;

/** Standard variables that only sound like one. */
const OPEN_NAME = /^(?:(?:OLD)?PWD|SSH_AUTH_SOCK|XDG_SESSION_\w+|DBUS_SESSION_BUS_ADDRESS)$/;

/** Values that are known by everybody, whatever they are called. */
const PLAIN_VALUE =
  /^(?:true|false|yes|no|on|off|none|null|default|enabled|disabled|required|optional|basic|bearer|oauth2?|localhost|production|development|staging|test)$/i;

/** Tokens known by their form: GitHub, GitLab, OpenAI and Anthropic, Slack, AWS, Google, JWT. */
const TOKEN_FORM =
  /^(?:gh[a-z]_|github_pat_|glpat-|sk-|xox[a-z]-|AKIA|ASIA|AIza|ya29\.|eyJ[\w-]+\.)/;

/** Headers whose value says nothing about who we are. */
const OPEN_HEADERS = [
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-type",
  "host",
  "mcp-protocol-version",
  "origin",
  "referer",
  "user-agent",
];

/** A word, a version, a date, a media type: too common to be a secret unless the header says so. */
const PLAIN_HEADER_VALUE = /^(?:[A-Za-z]{1,16}|v?[0-9][0-9.-]{0,11}|[a-z]+\/[a-z0-9.+-]+)$/;

/** Whether a variable or parameter of this name holds a secret: `DB_PASS`, `apiKey`, `SEC`. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&_");
  return SECRET_NAME.test(words.toLowerCase()) && !OPEN_NAME.test(name);
}

/** Secrets in variables of this name and value, such as those of `env` and `envFrom`. */
export function findVariableSecrets(name: string, value: string): string[] {
  const inUrl = findUrlSecrets(value);
  const isSecret =
    inUrl.length > 0 || TOKEN_FORM.test(value) || (name !== "" && isSecretName(name));
  return isSecret && value !== "" && !PLAIN_VALUE.test(value) ? [value, ...inUrl] : [];
}

/**
 * Secrets in a header: the value and what follows an auth scheme (and, for Basic, the password;
 * for Cookie, each cookie's value), except for headers that say nothing about who we are and for
 * plain words, versions and media types under a name that does not look secret.
 */
export function findHeaderSecrets(name: string, value: string): string[] {
  const header = name.toLowerCase();
  if (OPEN_HEADERS.includes(header) || value.trim() === "") return [];
  if (PLAIN_HEADER_VALUE.test(value.trim()) && !isSecretName(header)) return [];
  const secrets = [value.trim()];
  if (header === "cookie") {
    for (const cookie of value.split(";"))
      secrets.push(cookie.slice(cookie.indexOf("=") + 1).trim());
    return secrets;
  }
  const [, scheme, rest] = /^([A-Za-z][\w-]*)\s+(\S.*)$/.exec(value.trim()) ?? [];
  if (scheme === undefined || rest === undefined) return secrets;
  secrets.push(rest);
  if (scheme.toLowerCase() === "basic") secrets.push(...findBasicPassword(rest));
  return secrets;
}

function findBasicPassword(base64: string): string[] {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.replace(/=+$/, "").length % 4 === 1)
    return [];
  const pair = atob(base64);
  return pair.includes(":") ? [pair.slice(pair.indexOf(":") + 1)] : [];
}

/** Secrets inside a URL: the userinfo's password (or sole user) and query values with a secret name. */
export function findUrlSecrets(text: string): string[] {
  if (!/[@?]/.test(text) || !text.includes("://") || !URL.canParse(text)) return [];
  const url = new URL(text);
  const user = url.password === "" ? url.username : url.password;
  const secrets = user === "" ? [] : [user, decodeOrKeep(user)];
  for (const [name, value] of url.searchParams) {
    if (isSecretName(name) || name.toLowerCase() === "code") secrets.push(value);
  }
  return secrets;
}

/** Secrets in arguments such as `--api-key=x`, `--token x` or `Authorization: Bearer x`. */
export function findArgumentSecrets(args: readonly string[]): string[] {
  const secrets: string[] = [];
  let before = "";
  for (const arg of args) {
    const isFlag = arg.startsWith("-");
    const equals = isFlag ? arg.indexOf("=") : -1;
    const name = equals > 0 ? arg.slice(0, equals) : isFlag ? "" : before;
    secrets.push(...findVariableSecrets(name, arg.slice(equals + 1)));
    if (arg.includes(":")) secrets.push(...findHeaderInArgument(arg));
    before = isFlag && equals < 0 ? arg : "";
  }
  return secrets;
}

/** `Authorization: Bearer x` as one argument, the way bridges to remote servers take headers. */
function findHeaderInArgument(arg: string): string[] {
  const [, name, value] = /^([A-Za-z][\w-]*):\s*(\S.*)$/.exec(arg) ?? [];
  if (name === undefined || value === undefined || !isSecretName(name)) return [];
  return findHeaderSecrets(name, value);
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % in a password: its written form is all there is.
    return text;
  }
}
