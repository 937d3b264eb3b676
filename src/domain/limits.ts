// Bounds that are part of the interface rather than settings.

/** The most messages in one answer of check-mail, whatever the quota. */
export const listMaxMessages = 1000;
/** Raw messages are sealed and stored in chunks of at most this many bytes. */
export const rawChunkBytes = 256 * 1024;
/** With room for what sealing adds. */
export const sealedChunkMaxBytes = rawChunkBytes + 256;
/** Bytes at the start of a message that summary, preview and code are made from. */
export const headBytes = 64 * 1024;
/** How long an ended session is distinguished from an unknown one. */
export const endedKnownMs = 24 * 60 * 60 * 1000;
