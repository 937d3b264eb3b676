// Bounds that are part of the interface rather than settings of one installation.

/** Most messages in one answer of check-mail, whatever the quota. */
export const listMaxMessages = 1000;
/** Raw is stored in chunks of at most this many bytes before sealing. */
export const rawChunkBytes = 256 * 1024;
/** Bytes from the start of a message that summary, preview and code are made from. */
export const headBytes = 64 * 1024;
/** How long an ended session is told apart from an unknown one. */
export const endedKnownMs = 24 * 60 * 60 * 1000;
