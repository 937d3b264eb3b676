// The arguments of BDAT (RFC 3030 §2). How many octets follow hangs on them, so nothing is guessed.

export interface BdatCommand {
  /** Octets that follow the command line. Not yet held against any limit. */
  readonly sizeBytes: number;
  readonly isLast: boolean;
}

/** Undefined for anything but `size` and `size LAST`. */
export function parseBdat(text: string): BdatCommand | undefined {
  const match = /^(\d{1,20})(?: +(LAST))?$/i.exec(text);
  if (!match) return undefined;
  return { sizeBytes: Number(match[1]), isLast: match[2] !== undefined };
}
