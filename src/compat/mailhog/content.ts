// Splits a message as MailHog does: header and body at the first empty line, a multipart body at its boundary, nothing
// decoded. MailHog also counts the text before the first part and after the last as parts, and clients rely on the
// numbers. Parts are ranges of the message, which is not copied.

/** A range of a message's bytes. */
export interface Range {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface Content {
  /** Names as the sender spelled them, unfolded, in order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Range;
  readonly sizeBytes: number;
  /** Undefined unless it is a multipart. */
  readonly parts: readonly Content[] | undefined;
}

/** Deeper parts are not split. */
const depthMax = 5;
/** Per message; later parts are omitted. */
const partsMax = 1000;
const fieldsMax = 1000;
const headerMaxBytes = 256 * 1024;

const emptyLine = Buffer.from('\r\n\r\n');
const cr = 13;
const lf = 10;

export function readContent(raw: Buffer): Content {
  const budget = { parts: partsMax };
  return read({ raw, budget, depth: 0 }, { start: 0, end: raw.length });
}

interface Reading {
  readonly raw: Buffer;
  readonly budget: { parts: number };
  readonly depth: number;
}

function read(reading: Reading, { start, end }: Range): Content {
  const { raw, depth } = reading;
  const found = raw.subarray(start, end).indexOf(emptyLine);
  const isHeader = found !== -1 && found <= headerMaxBytes;
  const headers = isHeader
    ? readFields(raw.toString('utf8', start, start + found))
    : new Map<string, string[]>();
  const body = { start: isHeader ? start + found + emptyLine.length : start, end };
  const boundary = depth < depthMax ? findBoundary(headers) : undefined;
  const parts =
    boundary === undefined ? undefined : splitParts({ ...reading, depth: depth + 1 }, body, boundary);
  return { headers, body, sizeBytes: end - start, parts };
}

/** Returns header fields by name, with all values of repeated ones. */
export function readFields(header: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let last: string[] | undefined;
  let count = 0;
  for (const line of header.split('\r\n', fieldsMax * 4)) {
    if (last && /^[ \t]/.test(line)) {
      last.push((last.pop() ?? '') + line);
      continue;
    }
    const field = /^([^\s:]+):[ \t]?(.*)$/s.exec(line);
    if (!field || count >= fieldsMax) continue;
    count += 1;
    const [, name = '', value = ''] = field;
    last = fields.get(name) ?? [];
    last.push(value);
    fields.set(name, last);
  }
  return fields;
}

/** Returns undefined unless it is a multipart; '' for one that names no boundary. */
function findBoundary(headers: ReadonlyMap<string, readonly string[]>): string | undefined {
  const type = headers.get('Content-Type')?.[0];
  if (type === undefined || !/^multipart\//i.test(type)) return undefined;
  const [, quoted, plain] =
    /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type.slice(0, 2000)) ?? [];
  return quoted ?? plain ?? '';
}

function splitParts(reading: Reading, { start, end }: Range, boundary: string): Content[] {
  const parts: Content[] = [];
  if (boundary === '') return parts;
  const { raw, budget } = reading;
  const delimiter = Buffer.from(`--${boundary}`);
  for (let from = start; from <= end && budget.parts > 0;) {
    const at = raw.subarray(from, end).indexOf(delimiter);
    const to = at === -1 ? end : from + at;
    if (to > from) {
      budget.parts -= 1;
      parts.push(read(reading, trimLineEnds(raw, { start: from, end: to })));
    }
    if (at === -1) break;
    from = to + delimiter.length;
  }
  return parts;
}

function trimLineEnds(raw: Buffer, range: Range): Range {
  let { start, end } = range;
  while (start < end && isLineEnd(raw[start])) start += 1;
  while (end > start && isLineEnd(raw[end - 1])) end -= 1;
  return { start, end };
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === cr || byte === lf;
}
