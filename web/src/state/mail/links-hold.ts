/** How long an answer's links are used; they are valid for five minutes. */
export const linksHoldMs = 4 * 60_000;
