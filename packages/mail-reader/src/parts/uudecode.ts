// Decodes uuencode (POSIX), which old mailers use in place of base64. Shared by both transfer decoders: the output is
// the same wherever the body is cut.

const lf = 10;
const cr = 13;
const space = 32;
/** The grave accent stands for the space, which some gateways remove. */
const lastDigit = 96;
const lineMaxBytes = 200;
const blankMaxBytes = 1_024;
/** Digits of value 0 at the end of a line that transport may have removed. */
const lostSpacesMax = 3;
const nothing = Buffer.alloc(0);

export class UuDecoder {
  /** False when something was skipped or the body is not uuencoded at all. */
  clean = true;
  /** A body that is not uuencoded stays unchanged: wrongly declared text must not vanish. */
  #state: 'start' | 'lines' | 'ended' | 'plain' = 'start';
  #held: Buffer = nothing;

  decode(piece: Buffer, isLast: boolean): Buffer {
    if (this.#state === 'ended') return nothing;
    const bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    this.#held = nothing;
    const start = this.#state === 'start' ? this.#begin(bytes, isLast) : 0;
    if (start < 0) {
      this.#held = bytes;
      return nothing;
    }
    return this.#state === 'plain' ? bytes : this.#decodeLines(bytes, start, isLast);
  }

  /** Returns the start of the data; -1 while the bytes do not show it. */
  #begin(bytes: Buffer, isLast: boolean): number {
    let start = 0;
    while (start < bytes.length && start < blankMaxBytes && isBlank(bytes[start])) start++;
    const end = bytes.indexOf(lf, start);
    const length = (end < 0 ? bytes.length : end) - start;
    if (!isLast && end < 0 && length <= lineMaxBytes && start < blankMaxBytes) return -1;
    const line = bytes.toString('latin1', start, start + Math.min(length, lineMaxBytes + 1)).trimEnd();
    const isHeader = end >= 0 && /^begin [0-7]{3,4}(?: |$)/.test(line);
    if (length > lineMaxBytes || start >= blankMaxBytes || !(isHeader || isDataLine(line))) {
      this.#state = 'plain';
      this.clean = false;
      return 0;
    }
    this.#state = 'lines';
    return isHeader ? start + length : start;
  }

  #decodeLines(bytes: Buffer, start: number, isLast: boolean): Buffer {
    const out = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    let at = start;
    while (at < bytes.length) {
      const found = bytes.indexOf(lf, at);
      if (found < 0 && !isLast) break;
      const end = found < 0 ? bytes.length : found;
      if (isEnd(bytes, at, end)) {
        this.#state = 'ended';
        return out.subarray(0, length);
      }
      length = this.#decodeLine(bytes.subarray(at, end), out, length);
      at = end + 1;
    }
    // The rest of an overlong line is ignored, so it need not be kept.
    if (at < bytes.length) this.#held = Buffer.from(bytes.subarray(at, at + 2 * lineMaxBytes));
    return out.subarray(0, length);
  }

  #decodeLine(line: Buffer, out: Buffer, start: number): number {
    const first = line[0] ?? cr;
    if (isBlank(first) || first === lastDigit) return start;
    const count = first - space;
    if (count < 0 || count > 63 || line.length > lineMaxBytes) {
      this.clean = false;
      return start;
    }
    let bits = 0;
    let length = start;
    for (let at = 1; length - start < count; at++) {
      bits = (bits << 6) | toDigit(line[at]);
      const phase = at & 3;
      if (phase !== 1) out[length++] = bits >> (phase === 2 ? 4 : phase === 3 ? 2 : 0);
      if (phase === 0) bits = 0;
    }
    return length;
  }
}

function toDigit(byte: number | undefined): number {
  // Trailing spaces are easily lost in transit.
  return byte === undefined || byte <= space || byte > lastDigit ? 0 : (byte - space) & 63;
}

function isBlank(byte: number | undefined): boolean {
  return byte === cr || byte === lf || byte === space || byte === 9;
}

function isEnd(bytes: Buffer, start: number, end: number): boolean {
  return end - start >= 3 && end - start < 8 && bytes.toString('latin1', start, end).trimEnd() === 'end';
}

/** Reports whether this is a line of data: its first character gives the length, up to the padding of a quantum. */
export function isDataLine(line: string): boolean {
  const count = (line.charCodeAt(0) - space) & 63;
  const digits = Math.ceil((count * 8) / 6);
  const whole = Math.ceil(count / 3) * 4;
  return (
    count > 0 &&
    line.length - 1 >= digits - lostSpacesMax &&
    line.length - 1 <= whole + 1 &&
    /^[ -`]*$/.test(line)
  );
}
