// Fetches a catalog at once, whatever the one on disk says, and keeps it.
import type { CurrentCatalog } from "../catalog/refresh.ts";
import type { Upstream, UpstreamEvents } from "../upstream/upstream.ts";
import { PROTOCOL_VERSIONS } from "../version.ts";
import type { CommandSession } from "./session.ts";

/** A command offers no sampling, elicitation or roots, and shows no notifications. */
const NO_EVENTS: UpstreamEvents = {
  onRequest: () => undefined,
  onNotification: () => undefined,
  onWithdrawn: () => undefined,
  onOpen: () => undefined,
};

export interface FetchedNow {
  readonly tools: readonly unknown[];
  readonly current: CurrentCatalog;
}

/** Throws `UpstreamError`, `CredentialError` or `InterruptedError`. */
export async function fetchNow(session: CommandSession): Promise<FetchedNow> {
  const { facadeEdges } = session.edges;
  const host = { protocolVersion: PROTOCOL_VERSIONS[0], params: session.params };
  let upstream: Upstream | undefined;
  const source = facadeEdges.createSource({
    hostCapabilities: session.key.hostCapabilities,
    upstream: async () => (upstream ??= await facadeEdges.createUpstream(host, NO_EVENTS)),
    onRefreshed: () => undefined,
    isResumed: false,
  });
  try {
    const current = await session.orInterrupted(source.refresh());
    return { tools: current.tools(), current };
  } finally {
    await upstream?.close();
  }
}
