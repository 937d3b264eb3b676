// Trims ASCII white space off a byte string (one char per byte): space, tab, line ends. Used for everything that is
// trimmed before it is decoded. String.trim would be wrong: it takes the byte A0 for a no-break space, and with it the
// end of "à" or "你" in UTF-8.

const space = 0x20;

export function trimAscii(bytes: string): string {
  let start = 0;
  let end = bytes.length;
  while (start < end && isWhite(bytes.charCodeAt(start))) start++;
  while (end > start && isWhite(bytes.charCodeAt(end - 1))) end--;
  return start === 0 && end === bytes.length ? bytes : bytes.slice(start, end);
}

/** Tab, LF, VT, FF and CR besides the space. */
function isWhite(code: number): boolean {
  return code === space || (code >= 0x09 && code <= 0x0d);
}
