// Limits on how much of a message is read, in one place so that the worst case of parsing can be reasoned about.
// Beyond a limit the parse is `partial` and keeps what was read.

export interface ParseBudget {
  /** Entities of any kind, multiparts included. */
  readonly partsMax: number;
  /** Multiparts within multiparts. Parts of an enclosed message/rfc822 are not read at all. */
  readonly depthMax: number;
  /** For the message's own header. */
  readonly headerMaxBytes: number;
  readonly headerFieldsMax: number;
  /** For the header of each part. */
  readonly partHeaderMaxBytes: number;
  readonly partHeaderFieldsMax: number;
  /** Lines that begin with `--` within multiparts; each is compared with the open boundaries. */
  readonly dashLinesMax: number;
  /** Characters of text, and of HTML, that are kept. */
  readonly textMaxChars: number;
  /** Characters of HTML, styles and scripts included, that are searched for text. */
  readonly markupMaxChars: number;
  readonly mailboxesMax: number;
}

export const readingBudget: ParseBudget = {
  partsMax: 1_000,
  depthMax: 64,
  headerMaxBytes: 262_144,
  headerFieldsMax: 2_000,
  partHeaderMaxBytes: 65_536,
  partHeaderFieldsMax: 200,
  dashLinesMax: 200_000,
  textMaxChars: 2_000_000,
  markupMaxChars: 2_000_000,
  mailboxesMax: 1_000,
};

/** For the first glance at a message: little of everything, since most of it is never shown. */
export const glanceBudget: ParseBudget = {
  partsMax: 100,
  depthMax: 16,
  headerMaxBytes: 65_536,
  headerFieldsMax: 500,
  partHeaderMaxBytes: 16_384,
  partHeaderFieldsMax: 50,
  dashLinesMax: 5_000,
  textMaxChars: 65_536,
  markupMaxChars: 262_144,
  mailboxesMax: 10,
};
