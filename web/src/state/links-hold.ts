/** How long links in an answer are used: they hold five minutes. */
export const linksHoldMs = 4 * 60_000;
