// Fetches a catalog at once, whatever the one on disk says, and keeps it.
import type { CurrentCatalog } from "../catalog/refresh.ts";
import type { Upstream, UpstreamEvents } from "../upstream/upstream.ts";
import type { CommandEdges } from "./command-edges.ts";

/** A command offers no sampling, elicitation or roots, and shows no notifications. */
const NO_EVENTS: UpstreamEvents = {
  onRequest: () => undefined,
  onNotification: () => undefined,
  onWithdrawn: () => undefined,
  onOpen: () => undefined,
};

/** Throws `UpstreamError`, `CredentialError` or `InterruptedError`. */
export async function fetchNow(commandEdges: CommandEdges): Promise<CurrentCatalog> {
  const { facadeEdges } = commandEdges.edges;
  let upstream: Upstream | undefined;
  const source = facadeEdges.createSource({
    hostCapabilities: commandEdges.key.hostCapabilities,
    upstream: async () =>
      (upstream ??= await facadeEdges.createUpstream(commandEdges.host, NO_EVENTS)),
    onRefreshed: () => undefined,
    // What is wrong with the list is for the command to say.
    tellsNotes: "never",
  });
  try {
    return await commandEdges.orInterrupted(source.refresh());
  } finally {
    await upstream?.close();
  }
}
