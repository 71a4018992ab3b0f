// JSON-RPC lines as text, for tests in which every byte counts.

/** A request whose id and params are JSON text; what the scripted upstream shall write comes along. */
export function requestLine(options: {
  readonly id: string;
  readonly method: string;
  /** Members of `params` as JSON text, without braces. */
  readonly params?: string;
  /** Further members of `_meta` as JSON text, without braces. */
  readonly meta?: string;
  readonly script: readonly string[];
}): string {
  const { id, method, params = "", meta = "", script } = options;
  const metaText = `{${meta}${meta === "" ? "" : ","}"script":${JSON.stringify(script)}}`;
  const paramsText = `{${params}${params === "" ? "" : ","}"_meta":${metaText}}`;
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${paramsText}}`;
}

/** The upstream's answer, to stand in a script. */
export function answerLine(resultText: string): string {
  return `{"jsonrpc":"2.0","id":$ID,"result":${resultText}}`;
}

export function errorLine(errorText: string): string {
  return `{"jsonrpc":"2.0","id":$ID,"error":${errorText}}`;
}

/** A line of a script as it is written for a request. */
export function filled(line: string, values: { readonly id: string; readonly token?: string }) {
  const { id, token = "null" } = values;
  // Functions, because a text with dollar signs of its own is put in as it is.
  return line.replaceAll("$ID", () => id).replaceAll("$TOKEN", () => token);
}
