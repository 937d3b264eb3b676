// Turns decoded header text into one displayable line. Used for every header text that leaves the package. The input
// is untrusted Unicode, decoded already.

// C0, DEL, C1 and the two Unicode line separators: each would break a line, a log or a terminal.
const controls = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/g;
const suspicious = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/;
// With the u flag a surrogate matches only where it stands alone.
const loneSurrogates = /[\ud800-\udfff]/gu;

/** Returns valid Unicode without control characters (each becomes a space), trimmed, of at most `charsMax` code points. */
export function cleanLine(text: string, charsMax: number): string {
  // Cut first, so that a hostile value has a bounded cost; a code point may take two units, and trimming may need
  // characters beyond the limit.
  const head = text.length > 4 * charsMax ? text.slice(0, 4 * charsMax) : text;
  const clean = (suspicious.test(head) ? toWellFormed(head.replace(controls, ' ')) : head).trim();
  return clean.length > charsMax ? cutToCodePoints(clean, charsMax).trimEnd() : clean;
}

/** Replaces lone surrogates by U+FFFD. */
export function toWellFormed(text: string): string {
  return text.replace(loneSurrogates, '\ufffd');
}

/** Returns the first `max` code points. */
export function cutToCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  let units = 0;
  for (let count = 0; count < max && units < text.length; count++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, units);
}

/** Returns the first `charsMax` UTF-16 units, or one fewer where that would split a surrogate pair. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax);
}

const wordMaxChars = 256;

/** Cuts like cutText, but between words: the first digits of a longer number would be another number. */
export function cutBetweenWords(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const least = Math.max(0, charsMax - wordMaxChars);
  for (let end = charsMax; end > least; end--) if (/[\s<>]/.test(text.charAt(end))) return text.slice(0, end);
  return cutText(text, charsMax);
}

const space = 0x20;

/**
 * Trims space, tab and line ends off a byte string, one char per byte, before it is decoded. String.trim takes the byte
 * A0 for a no-break space, and with it the end of "à" or "你" in UTF-8.
 */
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
