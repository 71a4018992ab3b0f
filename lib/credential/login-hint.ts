// Which command logs in again, for the token CLIs whose command we know. For any other the
// configured command itself is named: its own words are the best guide.

const LOGIN_COMMANDS: Readonly<Record<string, string>> = {
  aws: "aws sso login",
  az: "az login",
  gcloud: "gcloud auth login",
  gh: "gh auth login",
  glab: "glab auth login",
  op: "op signin",
  vault: "vault login",
};

/** One imperative line for the end of an error message. */
export function renderLoginHint(tokenCommand: readonly string[]): string {
  const check = renderCommand(tokenCommand);
  const program = (tokenCommand[0] ?? "").replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd)$/i, "");
  if (program === "omp") {
    return `Log in again with /mcp reauth in omp, then check with: ${check}`;
  }
  const login = Object.hasOwn(LOGIN_COMMANDS, program) ? LOGIN_COMMANDS[program] : undefined;
  if (login !== undefined) return `Log in again with: ${login}, then check with: ${check}`;
  return `Run this in a terminal and log in again as it says: ${check}`;
}

/** An argv as one would type it in a shell. */
export function renderCommand(argv: readonly string[]): string {
  return argv
    .map((arg) => (/^[\w@%+=:,./~-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
