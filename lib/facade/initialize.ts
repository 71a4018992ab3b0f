// The answer to the host's initialize, from the remembered handshake alone (2025-11-25, basic/lifecycle).
import type { ServerEntry } from "../config/server-entry.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";
import { PROTOCOL_VERSIONS } from "../version.ts";
import { renderInstructions } from "./instructions.ts";

/** The host's version if we speak it, else the newest we speak. */
export function negotiateVersion(requested: unknown): string {
  return PROTOCOL_VERSIONS.find((version) => version === requested) ?? PROTOCOL_VERSIONS[0];
}

/** What the upstream declared, with `tools.listChanged`, which is ours. */
function mirrorCapabilities(handshake: JsonObject | undefined): JsonObject {
  const declared = isObject(handshake?.capabilities) ? handshake.capabilities : {};
  const tools = isObject(declared.tools) ? declared.tools : {};
  return { ...declared, tools: { ...tools, listChanged: true } };
}

export function renderInitializeResult(options: {
  readonly entry: Pick<ServerEntry, "name" | "metaPrefix">;
  readonly facadeVersion: string;
  readonly protocolVersion: string;
  readonly handshake: JsonObject | undefined;
}): JsonObject {
  const { entry, handshake } = options;
  const upstream = isObject(handshake?.serverInfo) ? handshake.serverInfo : {};
  const title = typeof upstream.title === "string" ? { title: upstream.title } : {};
  return {
    protocolVersion: options.protocolVersion,
    capabilities: mirrorCapabilities(handshake),
    serverInfo: { name: entry.name, ...title, version: options.facadeVersion },
    instructions: renderInstructions(entry.metaPrefix, handshake?.instructions),
  };
}
