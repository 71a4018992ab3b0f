import { describe, expect, test } from "bun:test";
import {
  findArgumentSecrets,
  findHeaderSecrets,
  findUrlSecrets,
  findVariableSecrets,
  isSecretName,
} from "../../lib/config/secrets.ts";

describe("isSecretName()", () => {
  test.each([
    "SEC",
    "TOKEN",
    "GITHUB_TOKEN",
    "githubToken",
    "accesstoken",
    "API_KEY",
    "apiKey",
    "APIKEY",
    "x-api-key",
    "--api-key",
    "KEY",
    "KEY2",
    "SSH_KEYS",
    "DB_PASS",
    "DBPass",
    "PGPASSWORD",
    "passphrase",
    "Authorization",
    "AUTH",
    "MY_CREDS",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "PWD_ROOT",
    "DB_PWD",
    "PRIVATE",
    "privateKey",
    "SESSION_ID",
    "Cookie",
    "SENTRY_DSN",
    "CONN_STR",
    "connectionString",
    "CLIENT_SECRET",
    "GITHUB_PAT",
    "SLACK_WEBHOOK_URL",
    "JWT",
  ])("%s: true", (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    "",
    "HOME",
    "PATH",
    "PWD",
    "OLDPWD",
    "SSH_AUTH_SOCK",
    "XDG_SESSION_TYPE",
    "LANG",
    "NODE_ENV",
    "KEYBOARD",
    "MONKEY",
    "AUTHOR",
    "SECTION",
    "SECONDS",
    "COMPASS",
    "PASSENGERS",
    "CONNECT_TIMEOUT",
    "CONNECTIONS_MAX",
    "PATTERN",
    "PORT",
    "REGION",
    "User-Agent",
  ])("%s: false", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe("findVariableSecrets()", () => {
  test.each<[string, string, string[]]>([
    ["SEC", "secret-1", ["secret-1"]],
    ["SHARED", "from-env", []],
    ["TOKEN", "", []],
    ["AUTH", "true", []],
    ["AUTH_MODE", "OAuth2", []],
    ["ANY", "ghp_0123456789abcdef", ["ghp_0123456789abcdef"]],
    ["ANY", "sk-ant-abcdef", ["sk-ant-abcdef"]],
    ["ANY", "eyJhbGciOi.eyJzdWIi.x", ["eyJhbGciOi.eyJzdWIi.x"]],
    ["ANY", "https://example.com/x", []],
    [
      "DATABASE_URL",
      "postgres://ann:p%40ss-word@db/x",
      ["postgres://ann:p%40ss-word@db/x", "p%40ss-word", "p@ss-word"],
    ],
  ])("%s=%s", (name, value, secrets) => {
    expect(findVariableSecrets(name, value)).toEqual(secrets);
  });
});

describe("findHeaderSecrets()", () => {
  test.each<[string, string, string[]]>([
    ["Authorization", "Bearer static-secret", ["Bearer static-secret", "static-secret"]],
    ["authorization", "opaque", ["opaque"]],
    ["X-Api-Key", "key-secret", ["key-secret"]],
    ["X-Custom", "planted-value", ["planted-value"]],
    ["X-Custom", "  Token  abc def ", ["Token  abc def", "abc def"]],
    [
      "Authorization",
      "Basic YW5uOmh1bnRlcjI=",
      ["Basic YW5uOmh1bnRlcjI=", "YW5uOmh1bnRlcjI=", "hunter2"],
    ],
    ["Authorization", "Basic not!base64", ["Basic not!base64", "not!base64"]],
    ["Cookie", "sid=abc123; theme=dark", ["sid=abc123; theme=dark", "abc123", "dark"]],
    ["X-Token", "word", ["word"]],
    ["X-Env", "production", []],
    ["X-Version", "2025-06-18", []],
    ["X-Api-Version", "v1.2", []],
    ["X-Format", "application/vnd.api+json", []],
    ["Accept", "application/json, text/event-stream", []],
    ["User-Agent", "My Agent/1.0 (linux; something-long)", []],
    ["X-Empty", " ", []],
  ])("%s: %s", (name, value, secrets) => {
    expect(findHeaderSecrets(name, value)).toEqual(secrets);
  });
});

describe("findUrlSecrets()", () => {
  test.each<[string, string[]]>([
    ["https://example.com/mcp", []],
    ["https://ann:hunter2@example.com/", ["hunter2", "hunter2"]],
    ["https://only-token@example.com/", ["only-token", "only-token"]],
    ["https://ann:a%b@example.com/", ["a%b", "a%b"]],
    ["https://example.com/?api_key=k%20ey-1&page=2&Token=t-2", ["k ey-1", "t-2"]],
    ["not a url with @ and ?", []],
    ["http://?@", []],
  ])("%s", (url, secrets) => {
    expect(findUrlSecrets(url)).toEqual(secrets);
  });
});

describe("findArgumentSecrets()", () => {
  test.each<[string[], string[]]>([
    [["server.ts", "--port", "80", "-v"], []],
    [["--api-key=planted-1", "--name=x"], ["planted-1"]],
    [["--token", "planted-2", "--token", "--verbose"], ["planted-2"]],
    [["-k", "plain", "ghp_planted"], ["ghp_planted"]],
    [
      ["--header", "Authorization: Bearer planted-3"],
      ["Bearer planted-3", "planted-3"],
    ],
    [["--header", "Accept: text/html"], []],
    [["postgres://ann:planted-4@db"], ["postgres://ann:planted-4@db", "planted-4", "planted-4"]],
    [["token", "mcp_oauth:profile:default:https://mcp.example.com/v1"], []],
  ])("%j", (args, secrets) => {
    expect(findArgumentSecrets(args)).toEqual(secrets);
  });
});
