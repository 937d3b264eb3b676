// Finds files that old programs write into the text of a message, between `begin 644 name` and `end` (uuencode, POSIX),
// so that they can be downloaded and do not fill the text. What is not data to its last line stays text. One pass over
// the bytes of each text.
import { decodeRawBytes } from '../header/decode-words.ts';
import { isBodyPart } from './body-text.ts';
import { leavesOf, type Part } from './part.ts';
import { isDataLine } from './uudecode.ts';

const lf = 10;
const begin = Buffer.from('begin ');
const beginLine = /^begin [0-7]{3,4} +(\S.*)$/;
/** Between the data and the end: a count of zero, which some gateways remove. */
const idleLine = /^`?\s*$/;
const lineMaxBytes = 600;
/** Data in any other encoding has no positions in the raw message. */
const plainEncodings: ReadonlySet<string> = new Set(['', '7bit', '8bit', 'binary']);

/** Sets `textFiles` of every text, `limit` of them at most in the whole message. */
export function findTextFiles(raw: Buffer, root: Part, limit: number): void {
  let left = limit;
  for (const part of leavesOf(root)) {
    if (part.contentType !== 'text/plain' || !isBodyPart(part)) continue;
    if (!plainEncodings.has(part.transferEncoding)) continue;
    const body = raw.subarray(0, part.bodyEnd);
    for (let at = findBegin(body, part.bodyStart); at >= 0 && left > 0;) {
      const { name, end } = readFile(body, at);
      if (name !== undefined) {
        part.textFiles.push(toFile(part, name, { bodyStart: at, bodyEnd: end }));
        left--;
      }
      at = findBegin(body, end);
    }
  }
}

/** Returns the offset of the next line that begins a file, at or after the line at `from`; -1 for none. */
function findBegin(body: Buffer, from: number): number {
  for (let at = body.indexOf(begin, from); at >= 0; at = body.indexOf(begin, at + begin.length)) {
    if (at === from || body[at - 1] === lf) return at;
  }
  return -1;
}

/** Returns where the file ends, or where no more of it is data; then it has no name. */
function readFile(body: Buffer, start: number): { name?: string; end: number } {
  const first = readLine(body, start);
  const name = beginLine.exec(first.text)?.[1];
  let at = first.next;
  let hasData = false;
  while (name !== undefined && at < body.length) {
    const line = readLine(body, at);
    if (line.text.trimEnd() === 'end') return { name, end: line.next };
    const isData = isDataLine(line.text);
    if (!isData && !idleLine.test(line.text)) return { end: at };
    hasData ||= isData;
    at = line.next;
  }
  // Cut off, with the bytes or by the sender.
  return name !== undefined && hasData ? { name, end: at } : { end: at };
}

function readLine(body: Buffer, start: number): { text: string; next: number } {
  const found = body.indexOf(lf, start);
  const end = found < 0 ? body.length : found;
  const text = body.toString('latin1', start, Math.min(end, start + lineMaxBytes)).replace(/\r$/, '');
  return { text, next: found < 0 ? body.length : found + 1 };
}

function toFile(text: Part, name: string, range: Pick<Part, 'bodyStart' | 'bodyEnd'>): Part {
  return {
    ...range,
    path: `${text.path}.${text.textFiles.length + 1}`,
    fields: [],
    contentType: 'application/octet-stream',
    charset: null,
    boundary: null,
    flowed: false,
    delSp: false,
    transferEncoding: 'x-uuencode',
    disposition: 'attachment',
    filename: decodeRawBytes(name, text.charset),
    label: null,
    contentId: null,
    contentLocation: null,
    children: [],
    textFiles: [],
    oddities: [],
  };
}
