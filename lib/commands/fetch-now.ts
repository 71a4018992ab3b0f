// Fetches a catalog at once, whatever the one on disk says, and keeps it.
import type { CurrentCatalog } from "../catalog/refresh.ts";
import { RPC_ERROR } from "../json-rpc.ts";
import type { Upstream, UpstreamEvents } from "../upstream/upstream.ts";
import type { CommandEdges } from "./command-edges.ts";

/** A command offers no sampling, elicitation or roots, and shows no notifications. */
function refusing(upstream: () => Upstream | undefined): UpstreamEvents {
  return {
    onRequest({ message: { id } }) {
      const error = { code: RPC_ERROR.methodNotFound, message: "Method not found" };
      const message = { jsonrpc: "2.0", id, error } as const;
      upstream()?.respond({ message, text: JSON.stringify(message) });
    },
    onNotification: () => undefined,
    onWithdrawn: () => undefined,
    onOpen: () => undefined,
  };
}

/** Throws `UpstreamError`, `CredentialError` or `InterruptedError`. */
export async function fetchNow(commandEdges: CommandEdges): Promise<CurrentCatalog> {
  const { facadeEdges } = commandEdges.edges;
  let upstream: Upstream | undefined;
  const events = refusing(() => upstream);
  const source = facadeEdges.createSource({
    hostCapabilities: commandEdges.key.hostCapabilities,
    upstream: async () =>
      (upstream ??= await facadeEdges.createUpstream(commandEdges.host, events)),
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
