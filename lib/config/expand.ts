// `${VAR}` and `${VAR:-default}` in configured texts. As in Claude Code the default stands in for
// an unset variable only, an empty one is set; what a variable holds is not expanded again, and
// anything that is not of these two forms stays as it is written. Pure.

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expanded {
  readonly text: string;
  /** Names of unset variables without a default; `text` keeps their written form. */
  readonly missing: readonly string[];
  /** The variables that were replaced by their value. */
  readonly replaced: readonly { readonly name: string; readonly value: string }[];
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export function expandVariables(text: string, environment: Environment): Expanded {
  if (!text.includes("${")) return { text, missing: [], replaced: [] };
  const missing: string[] = [];
  const replaced: { name: string; value: string }[] = [];
  const out = text.replace(VARIABLE, (written, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (value !== undefined) {
      replaced.push({ name, value });
      return value;
    }
    if (fallback !== undefined) return fallback;
    if (!missing.includes(name)) missing.push(name);
    return written;
  });
  return { text: out, missing, replaced };
}
