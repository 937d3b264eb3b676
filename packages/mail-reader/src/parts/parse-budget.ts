// Limits on how much of a message is read, in one place so that the worst case of parsing can be reasoned about.
// Beyond a limit the parse is `partial` and keeps what was read.

export interface ParseBudget {
  /** Entities of any kind, multiparts included. */
  readonly maxParts: number;
  /** Multiparts within multiparts. Parts of an enclosed message/rfc822 are not read at all. */
  readonly maxDepth: number;
  /** For the message's own header. */
  readonly maxHeaderBytes: number;
  readonly maxHeaderFields: number;
  /** For the header of each part. */
  readonly maxPartHeaderBytes: number;
  readonly maxPartHeaderFields: number;
  /** Lines that begin with `--` within multiparts; each is compared with the open boundaries. */
  readonly maxDashLines: number;
  /** Characters of text, and of HTML, that are kept. */
  readonly maxTextChars: number;
  /** Characters of HTML, styles and scripts included, that are searched for text. */
  readonly maxMarkupChars: number;
  readonly maxMailboxes: number;
}

export const readingBudget: ParseBudget = {
  maxParts: 1_000,
  maxDepth: 64,
  maxHeaderBytes: 262_144,
  maxHeaderFields: 2_000,
  maxPartHeaderBytes: 65_536,
  maxPartHeaderFields: 200,
  maxDashLines: 200_000,
  maxTextChars: 2_000_000,
  maxMarkupChars: 2_000_000,
  maxMailboxes: 1_000,
};

/** For the first glance at a message: little of everything, since most of it is never shown. */
export const glanceBudget: ParseBudget = {
  maxParts: 100,
  maxDepth: 16,
  maxHeaderBytes: 65_536,
  maxHeaderFields: 500,
  maxPartHeaderBytes: 16_384,
  maxPartHeaderFields: 50,
  maxDashLines: 5_000,
  maxTextChars: 65_536,
  maxMarkupChars: 262_144,
  maxMailboxes: 10,
};
