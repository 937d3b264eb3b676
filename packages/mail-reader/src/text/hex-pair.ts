// Reads two hex digits from bytes, for the quoted encodings of mail (RFC 2045 §6.7, RFC 2047 §4.2, RFC 2231). Called
// in tight loops, hence without substrings and parseInt.

/** Returns the byte of the two hex digits at `at`, in either case; -1 if they are none. */
export function hexPair(bytes: Uint8Array, at: number): number {
  const high = hexDigit(bytes[at] ?? 0);
  const low = hexDigit(bytes[at + 1] ?? 0);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
