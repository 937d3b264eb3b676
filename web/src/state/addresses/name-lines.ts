// Where a long name breaks. Decided by its length and not by the width of its letters, so that it stands alike before the
// page's font is there and after: used by first-request.ts and by views/inbox/inbox-head.tsx.

/** A name of up to 16 letters has room on one line in every window; others have the last word on a line of its own. */
export function nameLines(name: string): readonly string[] {
  return name.length < 17 ? [name] : name.split(/(?<=\.)(?=[^.]+$)/);
}

/** For such a line the letters on a phone are smaller. */
export function isLongName(name: string): boolean {
  return name.length > 12;
}

/** Where a line that is too long for its window breaks again. */
export function lineWords(line: string): readonly string[] {
  return line.split(/(?<=\.)/);
}
