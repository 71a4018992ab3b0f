// What makes an upstream another one, as canonical JSON. Two entries with the same identity offer
// the same catalog; spelling, order of members and expanded values do not count. Pure.
import { isObject, type JsonObject } from "../json-rpc.ts";

/**
 * Canonical JSON of an `upstream` as written. Values of headers are left out, those of `env` are
 * not: an environment can select another server. May hold literal secrets of `env`, `args`, `url`.
 */
export function renderIdentity(upstream: JsonObject): string {
  const headers: string[] = [];
  for (const name of Object.keys(isObject(upstream.headers) ? upstream.headers : {})) {
    headers.push(name.toLowerCase());
  }
  const env: [string, unknown][] = [];
  const writtenEnv = isObject(upstream.env) ? upstream.env : {};
  for (const name of Object.keys(writtenEnv).sort()) env.push([name, writtenEnv[name]]);
  return JSON.stringify([
    ["url", upstream.url],
    ["transport", upstream.url === undefined ? undefined : (upstream.transport ?? "http")],
    ["headers", headers.sort()],
    ["credentialId", upstream.credentialId],
    ["command", upstream.command],
    ["args", upstream.args ?? []],
    ["cwd", upstream.cwd],
    ["env", env],
    ["envFrom", upstream.envFrom],
  ]);
}
