// The opening of a session: initialize, notifications/initialized (2025-11-25, basic/lifecycle).
// The one seam where an upstream's protocol era is told; 2026-07-28 would be added here.
import { UpstreamError } from "../errors.ts";
import { isObject, type JsonObject, type JsonRpcResponse } from "../json-rpc.ts";
import { PROTOCOL_VERSIONS } from "../version.ts";

/** What the host said of itself in its own `initialize`, passed on to the upstream. */
export interface HostIdentity {
  /** The version agreed with the host. */
  readonly protocolVersion: string;
  /** The host's whole `initialize` params. */
  readonly params: JsonObject;
}

/** Error of the 2026-07-28 era: the requested version is not spoken (basic/versioning). */
const UNSUPPORTED_VERSION = -32022;

function quoteVersions(error: JsonObject): string {
  const supported = isObject(error.data) ? error.data.supported : undefined;
  const versions = Array.isArray(supported) ? supported.filter((v) => typeof v === "string") : [];
  return versions.length === 0 ? "another version" : versions.slice(0, 5).join(", ");
}

/** The upstream's `initialize` result, checked as far as we rely on it. Throws `UpstreamError`. */
export function requireHandshake(server: string, response: JsonRpcResponse): JsonObject {
  const action = `Cannot open a session with "${server}"`;
  const { error, result } = response;
  if (isObject(error)) {
    if (error.code === UNSUPPORTED_VERSION) {
      throw new UpstreamError("protocol", `${action}: it speaks only MCP ${quoteVersions(error)}`, {
        hint: `Use a version of the server that speaks MCP ${PROTOCOL_VERSIONS[0]} or older`,
      });
    }
    throw new UpstreamError(
      "refused",
      `${action}: it answered error ${error.code} "${error.message}"`,
    );
  }
  if (
    !isObject(result) ||
    typeof result.protocolVersion !== "string" ||
    !isObject(result.capabilities)
  ) {
    throw new UpstreamError(
      "protocol",
      `${action}: its answer to initialize lacks protocolVersion or capabilities`,
    );
  }
  // Older versions than those agreed with hosts are fine: what is relayed is the same.
  const isSpoken = /^\d{4}-\d\d-\d\d$/.test(result.protocolVersion);
  if (!isSpoken || result.protocolVersion > PROTOCOL_VERSIONS[0]) {
    throw new UpstreamError(
      "protocol",
      `${action}: it answered version "${result.protocolVersion}", wanted ${PROTOCOL_VERSIONS[0]} or older`,
    );
  }
  return result;
}

/** Params for the upstream: the host's own, with the version agreed with the host. */
export function initializeParams(host: HostIdentity): JsonObject {
  return { ...host.params, protocolVersion: host.protocolVersion };
}
