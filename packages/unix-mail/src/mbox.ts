// Writes messages as one mbox file in the form mboxrd: every line of `From ` after any `>` gets one more, so that
// nothing is lost and no message can begin another. Lines end with LF, as RFC 4155 has it. Pure: bytes in, bytes out,
// however they are split.

const lf = 10;
const cr = 13;
const from = Buffer.from('From ');
const quote = Buffer.from('>');
const newLine = Buffer.from('\n');
const crOnly = Buffer.from('\r');

export interface MboxEntry {
  /** The envelope's sender; null for `<>`. */
  readonly sender: string | null;
  /** ms since 1970. */
  readonly receivedAt: number;
}

/** Returns the line that begins a message. */
export function mboxSeparator({ sender, receivedAt }: MboxEntry): Buffer {
  const address = (sender ?? '').replace(/[\s\x00-\x1f\x7f]+/g, '') || 'MAILER-DAEMON';
  return Buffer.from(`From ${address} ${toAsctime(new Date(receivedAt))}\n`);
}

/** `Thu Jan  1 00:00:00 1970`, in UTC. */
function toAsctime(at: Date): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = at.toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}

/** One message: `push` its bytes, then take the `end`, which has the empty line before the next. */
export class MboxMessage {
  /** Up to four bytes that may begin a separator, or a CR that may be part of a line end. */
  #held: Buffer = Buffer.alloc(0);
  /** Whether there is more in the line than `>`. */
  #isInText = false;
  #isInLine = false;

  push(bytes: Buffer): Buffer {
    return this.#convert(Buffer.concat([this.#held, bytes]), false);
  }

  end(): Buffer {
    const rest = this.#convert(this.#held, true);
    return Buffer.concat([rest, ...(this.#isInLine ? [newLine] : []), newLine]);
  }

  #convert(bytes: Buffer, isLast: boolean): Buffer {
    this.#held = Buffer.alloc(0);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      if (!this.#isInText) {
        const text = skipQuotes(bytes, at);
        if (text > at) pieces.push(bytes.subarray(at, text));
        if (text > at) this.#isInLine = true;
        at = text;
        const start = bytes.subarray(at, at + from.length);
        if (start.equals(from)) pieces.push(quote);
        else if (!isLast && from.subarray(0, start.length).equals(start)) {
          this.#held = Buffer.from(start);
          break;
        }
      }
      const end = bytes.indexOf(lf, at);
      const stop = end < 0 ? bytes.length : end;
      const hasCr = stop > at && bytes[stop - 1] === cr;
      if (end >= 0) {
        pieces.push(bytes.subarray(at, hasCr ? stop - 1 : stop), newLine);
        this.#isInText = this.#isInLine = false;
        at = end + 1;
        continue;
      }
      const textEnd = hasCr && !isLast ? stop - 1 : stop;
      if (textEnd < stop) this.#held = crOnly;
      if (textEnd > at) this.#isInText = this.#isInLine = true;
      pieces.push(bytes.subarray(at, textEnd));
      break;
    }
    return Buffer.concat(pieces);
  }
}

function skipQuotes(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === quote[0]) at += 1;
  return at;
}
