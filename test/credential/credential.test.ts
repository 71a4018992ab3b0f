import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { CredentialSource } from "../../lib/config/server-entry.ts";
import { type Credential, createCredential } from "../../lib/credential/credential.ts";
import type { CredentialLimits } from "../../lib/credential/limits.ts";
import { CredentialError, renderError } from "../../lib/errors.ts";
import { createRedactor, type Redactor } from "../../lib/redactor.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { createFakeLog } from "../support/fake-log.ts";
import { until } from "../support/until.ts";
import { createFakeCli, type FakeCli, isAlive } from "./fake-cli.ts";

const OLD = "tok-old-planted";
const ASK = "token cred-1";
const FORCE = "token --force-refresh cred-1";
const SOURCE: CredentialSource = {
  id: "cred-1",
  tokenCommand: ["omp", "token", "cred-1"],
  renewCommand: ["omp", "token", "--force-refresh", "cred-1"],
};
const HINT = "Log in again with /mcp reauth in omp, then check with: omp token cred-1";

interface Setting extends AsyncDisposable {
  readonly cli: FakeCli;
  readonly clock: FakeClock;
  /** How often the time was asked for. */
  clockReads(): number;
  readonly redactor: Redactor;
  readonly lines: readonly string[];
  readonly credential: Credential;
  /** A credential of another process with the same folder and clock. */
  another(): Credential;
}

function createSetting(
  options: {
    readonly source?: Partial<CredentialSource>;
    readonly limits?: Partial<CredentialLimits>;
    readonly lockFile?: string;
  } = {},
): Setting {
  const cli = createFakeCli();
  const clock = createFakeClock();
  const redactor = createRedactor();
  const log = createFakeLog();
  const opened: Credential[] = [];
  let clockReads = 0;
  const another = (): Credential => {
    const credential = createCredential({
      source: { ...SOURCE, ...options.source },
      server: "acme",
      lockFile: join(cli.folder, options.lockFile ?? "catalogs/acme.renew.lock"),
      redactor,
      log,
      now: () => {
        clockReads += 1;
        return clock.now();
      },
      environment: cli.environment,
      home: cli.folder,
      limits: { lockPollMs: 1, ...options.limits },
    });
    opened.push(credential);
    return credential;
  };
  return {
    cli,
    clock,
    clockReads: () => clockReads,
    redactor,
    lines: log.lines,
    credential: another(),
    another,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((credential) => credential.close()));
      cli[Symbol.dispose]();
    },
  };
}

/** What a failing promise says to a person; no secret may be in it, nor in its parts. */
async function refusal(failing: Promise<unknown>): Promise<string> {
  try {
    return `accepted: ${String(await failing)}`;
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    expect(error.exitCode).toBe(3);
    expect(`${error.message} ${error.hint}`).not.toContain("planted");
    return renderError(error);
  }
}

describe("token()", () => {
  test("asks once for any number of callers, then answers from memory", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const tokens = await Promise.all([credential.token(), credential.token(), credential.token()]);
    expect([...tokens, await credential.token()]).toEqual([OLD, OLD, OLD, OLD]);
    expect(cli.runs()).toEqual([ASK]);
    expect(setting.redactor.redact(`Bearer ${OLD}`)).toBe("Bearer [secret]");
  });

  test("is not spoiled by a failure: the next caller asks again", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    cli.setToken("!No active credential found");
    const failed = await Promise.all([refusal(credential.token()), refusal(credential.token())]);
    const message =
      'Cannot get a token for credential "cred-1" of "acme": "omp token cred-1" ended with exit ' +
      `code 1 (!No active credential found). ${HINT}`;
    expect(failed).toEqual([message, message]);
    cli.setToken(OLD);
    expect(await credential.token()).toBe(OLD);
    expect(cli.runs()).toEqual([ASK, ASK]);
  });

  test("names a CLI that is not there", async () => {
    await using setting = createSetting({ source: { tokenCommand: ["no-such-cli", "cred-1"] } });
    expect(await refusal(setting.credential.token())).toBe(
      'Cannot get a token for credential "cred-1" of "acme": the command "no-such-cli" was not ' +
        "found on PATH. Install it, or name another program in upstream.tokenCommand",
    );
  });
});

describe("renew()", () => {
  test("shares one forced renewal among all callers", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const old = await credential.token();
    const renewed = await Promise.all(Array.from({ length: 6 }, () => credential.renew(old)));
    expect(new Set(renewed)).toEqual(new Set(["tok-new-planted-1"]));
    expect(cli.runs()).toEqual([ASK, ASK, FORCE]);
    expect(await credential.token()).toBe("tok-new-planted-1");
    expect(setting.redactor.redact("tok-new-planted-1")).toBe("[secret]");
    expect(setting.lines).toEqual(['credential "cred-1": the token was renewed']);
  });

  test("a late refusal of a replaced token gets the new one without a run", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    await credential.renew(await credential.token());
    expect(await credential.renew(OLD)).toBe("tok-new-planted-1");
    expect(cli.runs()).toEqual([ASK, ASK, FORCE]);
  });

  test("takes what the token command gives when that is another token", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const old = await credential.token();
    cli.setToken("tok-other-planted");
    expect(await credential.renew(old)).toBe("tok-other-planted");
    expect(cli.runs()).toEqual([ASK, ASK]);
  });

  test("renews again when a renewed token is refused after it has been accepted", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const first = await credential.renew(await credential.token());
    expect(await credential.renew(first)).toBe("tok-new-planted-2");
    expect(cli.forced()).toBe(2);
  });

  test("does not go back to a token that was refused before", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const first = await credential.renew(await credential.token());
    cli.setToken(OLD);
    expect(await credential.renew(first)).toBe("tok-new-planted-2");
  });

  test("takes the token from lines with colour and carriage returns", async () => {
    await using setting = createSetting();
    setting.cli.setForce("crlf");
    expect(await setting.credential.renew(await setting.credential.token())).toBe(
      "tok-new-planted-1",
    );
  });

  test("forces when the token command fails, as for a token that has expired", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const old = await credential.token();
    cli.setToken("!No active credential found");
    expect(await credential.renew(old)).toBe("tok-new-planted-1");
  });

  test("a renewal that gives the refused token is not repeated for a minute", async () => {
    await using setting = createSetting();
    const { credential, cli, clock } = setting;
    cli.setForce("same");
    const old = await credential.token();
    const cannot = 'Cannot renew credential "cred-1" of "acme" after 401 unauthorized: ';
    const same = `${cannot}the renewal gave a token that had just been refused`;
    expect(await refusal(credential.renew(old))).toBe(`${same}. ${HINT}`);
    await clock.advance(20_000);
    for (let call = 0; call < 9; call++) {
      expect(await refusal(credential.renew(await credential.token()))).toBe(
        `${same}; the next renewal is tried in 40 s. ${HINT}`,
      );
    }
    expect(cli.forced()).toBe(1);
    await clock.advance(40_000);
    cli.setForce("normal");
    expect(await credential.renew(old)).toBe("tok-new-planted-1");
  });

  test("in that minute, logging in again helps at once", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    cli.setForce("same");
    const old = await credential.token();
    await refusal(credential.renew(old));
    cli.setToken("tok-login-planted");
    expect(await credential.renew(old)).toBe("tok-login-planted");
    expect(cli.forced()).toBe(1);
  });

  test("a renewal that failed once is tried again by the next call", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    cli.setForce("failonce");
    const old = await credential.token();
    const failed = await Promise.all([
      refusal(credential.renew(old)),
      refusal(credential.renew(old)),
    ]);
    const message =
      'Cannot renew credential "cred-1" of "acme" after 401 unauthorized: ' +
      '"omp token --force-refresh cred-1" ended with exit code 1 ' +
      `(error: refresh failed, token=[secret]). ${HINT}`;
    expect(failed).toEqual([message, message]);
    expect(await credential.renew(old)).toBe("tok-new-planted-1");
    expect(cli.forced()).toBe(2);
  });

  test.each<["fail" | "empty"]>([["fail"], ["empty"]])(
    "after two failures in a row (%s) nothing is forced for a minute",
    async (mode) => {
      await using setting = createSetting();
      const { credential, cli, clock } = setting;
      cli.setForce(mode);
      const old = await credential.token();
      const messages: string[] = [];
      for (let call = 0; call < 10; call++) messages.push(await refusal(credential.renew(old)));
      expect(cli.forced()).toBe(2);
      const [first = ""] = messages;
      const later = first.replace(`. ${HINT}`, `; the next renewal is tried in 60 s. ${HINT}`);
      expect(messages).toEqual([first, first, ...Array(8).fill(later)]);
      await clock.advance(60_000);
      cli.setForce("normal");
      expect(await credential.renew(old)).toBe("tok-new-planted-1");
    },
  );

  test("a renewal that hangs is ended with all it started, and not repeated for a minute", async () => {
    await using setting = createSetting({ limits: { cliTimeoutMs: 300 } });
    const { credential, cli } = setting;
    cli.setForce("hang");
    const old = await credential.token();
    const state =
      'Cannot renew credential "cred-1" of "acme" after 401 unauthorized: ' +
      '"omp token --force-refresh cred-1" gave no answer within 0.3 s';
    expect(await refusal(credential.renew(old))).toBe(`${state}. ${HINT}`);
    await until(() => !cli.pids().some(isAlive), "the CLI and what it started are gone");
    expect(await refusal(credential.renew(old))).toBe(
      `${state}; the next renewal is tried in 60 s. ${HINT}`,
    );
    expect(cli.forced()).toBe(1);
  });

  test("with nothing to force it by, the token command is asked again", async () => {
    await using setting = createSetting({ source: { renewCommand: undefined } });
    const { credential, cli } = setting;
    const old = await credential.token();
    expect(await refusal(credential.renew(old))).toBe(
      'Cannot renew credential "cred-1" of "acme" after 401 unauthorized: the token command ' +
        `still gives the refused token. ${HINT}`,
    );
    cli.setToken("tok-fresh-planted");
    expect(await credential.renew(old)).toBe("tok-fresh-planted");
    expect(cli.runs()).toEqual([ASK, ASK, ASK]);
  });
});

describe("refusedAgain()", () => {
  test("says so, and a token that was just forced starts the pause", async () => {
    await using setting = createSetting();
    const { credential, cli, clock } = setting;
    const renewed = await credential.renew(await credential.token());
    expect(renderError(credential.refusedAgain(renewed))).toBe(
      `Cannot use credential "cred-1" of "acme": 401 unauthorized, also with another token. ${HINT}`,
    );
    const messages = new Set<string>();
    for (let call = 0; call < 9; call++) {
      messages.add(await refusal(credential.renew(await credential.token())));
    }
    expect([...messages]).toEqual([
      'Cannot renew credential "cred-1" of "acme" after 401 unauthorized: the renewed token was ' +
        `refused as well; the next renewal is tried in 60 s. ${HINT}`,
    ]);
    expect(cli.forced()).toBe(1);
    await clock.advance(60_000);
    expect(await credential.renew(renewed)).toBe("tok-new-planted-2");
  });

  test("a token that only the token command gave does not keep from forcing", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const old = await credential.token();
    cli.setToken("tok-stale-planted");
    const stale = await credential.renew(old);
    credential.refusedAgain(stale);
    expect(await credential.renew(stale)).toBe("tok-new-planted-1");
  });

  test("keeps other processes from a useless renewal as well", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const other = setting.another();
    const old = await other.token();
    const renewed = await credential.renew(await credential.token());
    credential.refusedAgain(renewed);
    await credential.close();
    expect(await other.renew(old)).toBe(renewed);
    other.refusedAgain(renewed);
    expect(await refusal(other.renew(renewed))).toBe(
      'Cannot renew credential "cred-1" of "acme" after 401 unauthorized: the renewed token was ' +
        `refused as well; the next renewal is tried in 60 s. ${HINT}`,
    );
    expect(cli.forced()).toBe(1);
  });
});

describe("the lock", () => {
  test("is gone afterwards, and what stays holds no token and is for the owner only", async () => {
    await using setting = createSetting();
    const { credential, cli, clock } = setting;
    await credential.renew(await credential.token());
    const folder = join(cli.folder, "catalogs");
    expect(existsSync(join(folder, "acme.renew.lock"))).toBe(false);
    const record = join(folder, "acme.renew.last");
    expect(JSON.parse(readFileSync(record, "utf8"))).toEqual({
      credentialId: "cred-1",
      renewedAtMs: clock.now(),
    });
    expect([statSync(folder).mode & 0o777, statSync(record).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  test("is gone after a renewal that failed, too", async () => {
    await using setting = createSetting();
    setting.cli.setForce("fail");
    await refusal(setting.credential.renew(await setting.credential.token()));
    expect(existsSync(join(setting.cli.folder, "catalogs/acme.renew.lock"))).toBe(false);
  });

  test("held by another process means waiting for its token", async () => {
    await using setting = createSetting();
    const { credential, cli, clock } = setting;
    const old = await credential.token();
    mkdirSync(join(cli.folder, "catalogs"));
    const owner = { pid: process.pid, host: hostname(), atMs: clock.now() };
    const lock = cli.write("catalogs/acme.renew.lock", owner);
    const renewing = credential.renew(old);
    await until(() => cli.runs().length === 2 && !cli.pids().some(isAlive), "it was asked");
    const readsBefore = setting.clockReads();
    await until(
      () => setting.clockReads() > readsBefore + 10,
      "the lock is looked at again and again",
    );
    cli.setToken("tok-theirs-planted");
    rmSync(lock);
    expect(await renewing).toBe("tok-theirs-planted");
    expect(cli.runs()).toEqual([ASK, ASK, ASK]);
  });

  test("is done without, with one line, where it cannot be written", async () => {
    await using setting = createSetting({ lockFile: "token/x/acme.renew.lock" });
    const { credential, cli } = setting;
    const first = await credential.renew(await credential.token());
    expect(await credential.renew(first)).toBe("tok-new-planted-2");
    const file = join(cli.folder, "token/x/acme.renew.lock");
    expect(setting.lines).toEqual([
      `cannot lock ${file} (ENOTDIR): renewing without a lock`,
      'credential "cred-1": the token was renewed',
      'credential "cred-1": the token was renewed',
    ]);
  });
});

describe("close()", () => {
  test("ends a running CLI with all it started and refuses what comes later", async () => {
    await using setting = createSetting();
    const { credential, cli } = setting;
    const old = await credential.token();
    cli.setForce("hang");
    const renewing = refusal(credential.renew(old));
    await until(() => cli.forced() === 1, "the renewal runs");
    await credential.close();
    expect(await renewing).toBe(
      'Cannot renew credential "cred-1" of "acme" after 401 unauthorized: ' +
        `"omp token --force-refresh cred-1" was ended: we are closing. ${HINT}`,
    );
    await until(() => !cli.pids().some(isAlive), "the CLI and what it started are gone");
    expect(existsSync(join(cli.folder, "catalogs/acme.renew.lock"))).toBe(false);
    expect(await refusal(credential.renew(old))).toStartWith("Cannot renew credential");
    expect(cli.runs()).toEqual([ASK, ASK, FORCE]);
  });
});

test("no token is in a file we write, a line we log or an argument we pass", async () => {
  await using setting = createSetting();
  const { credential, cli } = setting;
  const renewed = await credential.renew(await credential.token());
  credential.refusedAgain(renewed);
  cli.setForce("fail");
  await refusal(credential.renew(renewed));
  await credential.close();
  const written = readFileSync(join(cli.folder, "catalogs/acme.renew.last"), "utf8");
  expect([written, ...setting.lines, ...cli.runs()].join("\n")).not.toContain("planted");
});
