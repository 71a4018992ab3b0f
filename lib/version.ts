// What this program is to others: its own version and the protocol's. Pure, and loaded at every start.

/** As in package.json; a test compares. Reading that file would cost every start. */
export const VERSION = "0.1.0";

/** Raise it whenever the same catalog and configuration give another list; a test watches over it. */
export const VIEW_REVISION = 1;

/** Changes whenever what is kept on disk for the next start may be judged otherwise. */
export const PROGRAM_REVISION = `${VERSION}/${VIEW_REVISION}`;

/** Newest first. 2026-07-28 has no handshake of this kind; see upstream/handshake.ts. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
