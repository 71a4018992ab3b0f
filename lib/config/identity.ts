// What makes an upstream another one, as canonical JSON. Two entries with the same identity offer
// the same catalog; spelling, order of members and expanded values do not count. Pure.
import { isObject, type JsonObject } from "../json-rpc.ts";

/**
 * Canonical JSON of an `upstream` as written. Values of headers are left out, those of `env` are
 * not: an environment can select another server. May hold literal secrets of `env`, `args`, `url`.
 */
export function renderIdentity(upstream: JsonObject): string {
  const headers = isObject(upstream.headers) ? Object.keys(upstream.headers) : [];
  const env = isObject(upstream.env) ? Object.entries(upstream.env) : [];
  return JSON.stringify([
    ["url", upstream.url],
    ["transport", upstream.url === undefined ? undefined : (upstream.transport ?? "http")],
    ["headers", headers.map((name) => name.toLowerCase()).sort()],
    ["credentialId", upstream.credentialId],
    ["command", upstream.command],
    ["args", upstream.args ?? []],
    ["cwd", upstream.cwd],
    ["env", env.sort(([a], [b]) => (a < b ? -1 : 1))],
    ["envFrom", upstream.envFrom],
  ]);
}
