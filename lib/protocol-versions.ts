// The protocol versions this program speaks, to hosts and to upstreams. Pure.

/** Newest first. 2026-07-28 has no handshake of this kind; see upstream/handshake.ts. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
