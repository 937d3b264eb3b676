// The messages of a scripted IMAP folder, and the responses to UID SEARCH and UID FETCH about them. Supports only what
// the poller requests; anything else is an error of the test.

export interface ScriptedMessage {
  readonly uid: number;
  readonly raw: Buffer;
  readonly arrivedAt: Date;
  /** X-GM-MSGID. */
  readonly gmailId?: string;
  /** How often its header is still answered with no byte, as Gmail does at times. */
  emptyHeaders?: number;
}

/** Returns whether a UID is in the set; `*` is the highest UID of the folder. */
export function readSet(set: string, last: number): (uid: number) => boolean {
  const ranges = set
    .split(',')
    .map((part) => part.split(':').map((end) => (end === '*' ? last : Number(end))))
    .map(([from = 0, to = from]) => [Math.min(from, to), Math.max(from, to)] as const);
  return (uid) => ranges.some(([from, to]) => uid >= from && uid <= to);
}

/** RFC 3501 §2.3.3. */
export function toInternalDate(at: Date): string {
  const [, day = '', month = '', year = '', time = ''] =
    /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(at.toUTCString()) ?? [];
  return `"${day}-${month}-${year} ${time} +0000"`;
}

/** Returns one untagged FETCH, with the command's items in order. */
export function toFetch(message: ScriptedMessage, sequence: number, items: string): Buffer {
  const parts: Buffer[] = [Buffer.from(`* ${sequence} FETCH (UID ${message.uid}`)];
  const add = (text: string): number => parts.push(Buffer.from(text));
  if (/\bINTERNALDATE\b/.test(items)) add(` INTERNALDATE ${toInternalDate(message.arrivedAt)}`);
  if (/RFC822\.SIZE/.test(items)) add(` RFC822.SIZE ${message.raw.length}`);
  if (/X-GM-MSGID/.test(items) && message.gmailId !== undefined) add(` X-GM-MSGID ${message.gmailId}`);
  const body = /BODY\.PEEK\[(HEADER)?\](?:<(\d+)\.(\d+)>)?/.exec(items);
  if (body) {
    const [, section = '', start = '0', length = String(message.raw.length)] = body;
    const all = section === '' ? message.raw : takeHeader(message);
    const bytes = all.subarray(Number(start), Number(start) + Number(length));
    add(` BODY[${section}]${body[2] === undefined ? '' : `<${start}>`} {${bytes.length}}\r\n`);
    parts.push(bytes);
  }
  add(')\r\n');
  return Buffer.concat(parts);
}

function takeHeader(message: ScriptedMessage): Buffer {
  const left = message.emptyHeaders ?? 0;
  if (left === 0) return headerOf(message.raw);
  message.emptyHeaders = left - 1;
  return Buffer.alloc(0);
}

function headerOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return end < 0 ? raw : raw.subarray(0, end + 4);
}
