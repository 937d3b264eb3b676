// Checks that all readers see the same header, before mailauth verifies its signatures. DKIM signs the last field of a
// name while readers are shown the first (RFC 6376 §8.15), and mailauth recognises fields and folded lines that others
// do not. Used by check-authentication, and by callers that compare the result with what readers are shown.

/** Larger headers are not verified, because mailauth takes quadratic time in the number of lines. */
const headerMaxBytes = 64 * 1024;
const headerMaxLines = 2000;

const lf = 10;
const vt = 11;
const ff = 12;
const cr = 13;
const space = 32;
const tab = 9;
const colonByte = 58;
const del = 127;

export const readTwoWays = 'the header can be read in more than one way';

/**
 * Fields visible to readers that may occur only once (RFC 5322 §3.6, RFC 2045 §3, RFC 2183 §2, RFC 2369 §3.2, RFC
 * 8058 §3.1).
 */
const singleFields: ReadonlyMap<string, string> = new Map(
  [
    ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date', 'Message-ID'],
    ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'Content-Disposition'],
    ...['List-Unsubscribe', 'List-Unsubscribe-Post'],
  ].map((name) => [name.toLowerCase(), name]),
);

export interface CheckedHeader {
  /** Offset of the body, or -1 when the header is too long. */
  readonly bodyStart: number;
  /** Names in lower case. */
  readonly names: ReadonlySet<string>;
  /** The usual spelling of a name that occurs more often than allowed; null for none. */
  readonly repeated: string | null;
  /** Whether every line is a field or a fold of one by RFC 5322 §2.2. */
  readonly isPlain: boolean;
}

/** Stops at the first empty line; a message without one is all header. */
export function checkHeader(raw: Uint8Array): CheckedHeader {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, headerMaxBytes + 2));
  const names = new Set<string>();
  let repeated: string | null = null;
  let isPlain = true;
  let at = 0;
  for (let lines = 0; at < head.length; lines++) {
    const empty = emptyLineBytes(head, at);
    // An empty line before all fields ends the header here, but is skipped when signatures are verified.
    if (empty > 0) return { bodyStart: at + empty, names, repeated, isPlain: isPlain && at > 0 };
    if (lines === headerMaxLines) return { bodyStart: -1, names, repeated, isPlain };
    const end = lineEnd(head, at);
    isPlain &&= !hasOddWhite(head, at, end);
    if (head[at] !== space && head[at] !== tab) {
      const name = readName(head, at);
      if (name === undefined) isPlain = false;
      else if (names.has(name)) repeated ??= singleFields.get(name) ?? null;
      else names.add(name);
    } else if (at === 0) isPlain = false;
    at = end;
  }
  return { bodyStart: raw.length > headerMaxBytes ? -1 : raw.length, names, repeated, isPlain };
}

function emptyLineBytes(head: Buffer, at: number): number {
  if (head[at] === lf) return 1;
  return head[at] === cr && head[at + 1] === lf ? 2 : 0;
}

function lineEnd(head: Buffer, at: number): number {
  const found = head.indexOf(lf, at);
  return found < 0 ? head.length : found + 1;
}

/**
 * Reports characters that only some readers treat as a line end or white space: a lone carriage return, VT, FF, NUL.
 */
function hasOddWhite(head: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = head[at];
    if (byte === cr ? head[at + 1] !== lf : byte === 0 || byte === vt || byte === ff) return true;
  }
  return false;
}

/**
 * Returns the name in lower case, or undefined when the line is not a field. White space before the colon is allowed
 * (§4.5.3).
 */
function readName(head: Buffer, start: number): string | undefined {
  let end = start;
  for (
    let byte = head[end] ?? lf;
    byte > space && byte < del && byte !== colonByte;
    byte = head[++end] ?? lf
  );
  let colon = end;
  while (head[colon] === space || head[colon] === tab) colon++;
  if (end === start || head[colon] !== colonByte) return undefined;
  return head.toString('latin1', start, end).toLowerCase();
}
