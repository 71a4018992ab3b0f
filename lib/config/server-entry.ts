// The resolved configuration of one server: defaults filled in, variables expanded, durations in ms.

export interface HttpUpstream {
  readonly kind: "http" | "sse";
  readonly url: string;
  /** Sent with every request to the upstream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credential: CredentialSource | undefined;
}

export interface CredentialSource {
  readonly id: string;
  /** argv that prints the current token; `{credentialId}` is already replaced. */
  readonly tokenCommand: readonly string[];
  /** argv that forces a new token; undefined: the CLI cannot be forced, ask `tokenCommand` again. */
  readonly renewCommand: readonly string[] | undefined;
}

export interface StdioUpstream {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** As written, such as `claude:acme`; followed when the process is started. */
  readonly envFrom: string | undefined;
}

export interface ServerEntry {
  readonly name: string;
  readonly upstream: HttpUpstream | StdioUpstream;
  readonly used: readonly string[];
  readonly hidden: readonly string[];
  readonly ttlMs: number;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly metaPrefix: string;
  readonly validate: boolean;
  /**
   * Canonical JSON of what makes the upstream another one (url or command, transport, args, cwd,
   * env, envFrom, header names, credentialId), as written, before expansion. May hold literal
   * secrets: hash it before it leaves the process (DESIGN.md section 8).
   */
  readonly identity: string;
  /** Values that must never leave the process: header values, secret-looking env values, expanded variables. */
  readonly secrets: readonly string[];
}
