// One entity of a message (RFC 2045 §2.4): its header, and the position of its body in the raw bytes. Made by
// part-tree for every entity; bodies are not decoded here. The first of duplicate fields counts, unless it is empty.
import { cleanLine } from '../text/clean-text.ts';
import { decodeWords } from '../header/decode-words.ts';
import { firstValue, type RawField } from '../header/header-fields.ts';
import { type ParameterizedValue, parseParameters } from '../header/parameters.ts';
import { toTransferEncoding } from './transfer-decoding.ts';

export interface Part {
  /** Numbered as in IMAP (RFC 3501 §6.4.5): `1`, `2.1`; '' for a multipart that is the whole message. */
  path: string;
  readonly fields: RawField[];
  /** `type/subtype`, lower case. */
  contentType: string;
  readonly charset: string | null;
  readonly boundary: string | null;
  /** format=flowed and delsp=yes (RFC 3676). */
  readonly flowed: boolean;
  readonly delSp: boolean;
  /** Lower case; '' for none. */
  readonly transferEncoding: string;
  readonly disposition: 'attachment' | 'inline' | null;
  /** Decoded, but not safe for display. */
  filename: string | null;
  /** A name for a file that has no file name; unlike that, it does not make the part a file. */
  readonly label: string | null;
  /** Without angle brackets. */
  readonly contentId: string | null;
  /** A URL, relative or not (RFC 2557 §4), by which HTML may refer to the part. */
  readonly contentLocation: string | null;
  bodyStart: number;
  /** Exclusive. */
  bodyEnd: number;
  readonly children: Part[];
  /** Files within the text, each in lines of its own. */
  readonly textFiles: Part[];
  /** Points on which readers may disagree, for the parse status. */
  readonly oddities: string[];
}

const boundaryMaxChars = 256;
const contentIdMaxChars = 998;
const anySubtype = new Map([
  ['multipart/*', 'multipart/mixed'],
  ['text/*', 'text/plain'],
]);
/** Applies to parts without a file name; with one, the declared type counts. */
const correctedTypes = new Map([
  ...[
    'application/text',
    'application/plain',
    'message/plain',
    'message/text',
    'plain/text',
    'x-text/plain',
  ].map((type) => [type, 'text/plain'] as const),
  ...[
    'application/html',
    'application/xhtml+xml',
    'html/text',
    'message/html',
    'text/xhtml',
    'x-text/html',
  ].map((type) => [type, 'text/html'] as const),
]);

/** Reads an entity before its body is found. `defaultType` is message/rfc822 within multipart/digest. */
export function readPart(fields: RawField[], path: string, defaultType = 'text/plain'): Part {
  const oddities: string[] = [];
  const first = (name: string): string | undefined => {
    const same = fields.filter((field) => field.name.toLowerCase() === name);
    if (same.some((field) => field.value !== same[0]?.value)) oddities.push(`two different ${name} fields`);
    return firstValue(same, name);
  };
  const typeField = first('content-type');
  const type = parseParameters(typeField ?? '');
  const disposition = parseParameters(first('content-disposition') ?? '');
  const transferEncoding = toTransferEncoding(first('content-transfer-encoding') ?? '');
  const filename = toName(type, disposition);
  const contentId = first('content-id');
  const contentLocation = toContentLocation(first('content-location') ?? '');
  if (type.ambiguous || disposition.ambiguous) oddities.push('ambiguous parameters');
  const boundary = (type.rawParameters.get('boundary') ?? type.parameters.get('boundary'))?.trimEnd() ?? null;
  const contentType = toContentType(type.value, { defaultType, boundary, isFile: filename !== null });
  if (boundary !== null && /[\x00-\x1f\x7f]/.test(boundary)) oddities.push('control character in a boundary');
  return {
    path,
    fields,
    contentType,
    charset: type.parameters.get('charset')?.replace(/^[\s'"]+|[\s'"]+$/g, '') || null,
    boundary:
      boundary !== null && boundary.length > 0 && boundary.length <= boundaryMaxChars ? boundary : null,
    flowed: type.parameters.get('format')?.toLowerCase() === 'flowed',
    delSp: type.parameters.get('delsp')?.toLowerCase() === 'yes',
    transferEncoding,
    disposition: toDisposition(disposition.value, filename !== null),
    filename,
    label: toLabel(type, disposition, contentLocation),
    contentId: contentId === undefined ? null : toContentId(contentId),
    contentLocation,
    bodyStart: 0,
    bodyEnd: 0,
    children: [],
    textFiles: [],
    oddities,
  };
}

/** Decodes the file name again once the charset of the message's text is known: many senders write it in that. */
export function decodeFilename(part: Part, declared: string): void {
  const read = (name: string): ParameterizedValue =>
    parseParameters(firstValue(part.fields, name) ?? '', declared);
  part.filename = toName(read('content-type'), read('content-disposition'));
}

function toName(type: ParameterizedValue, disposition: ParameterizedValue): string | null {
  return disposition.parameters.get('filename') ?? type.parameters.get('name') ?? null;
}

/** Names in places where few readers look. The name in form-data is that of a form's field. */
function toLabel(
  type: ParameterizedValue,
  disposition: ParameterizedValue,
  location: string | null,
): string | null {
  const own = disposition.value === 'form-data' ? undefined : disposition.parameters.get('name');
  return own ?? type.parameters.get('filename') ?? (location === null ? null : fileOf(location));
}

/** The last step of the URL's path, if it looks like the name of a file. */
function fileOf(location: string): string | null {
  const path = location.replace(/[?#].*$/s, '').replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /[^.]\.[a-z\d]{1,8}$/i.test(name) ? decodeUrl(name) : null;
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return text;
  }
}

export function isMultipart(part: Part): boolean {
  return part.contentType.startsWith('multipart/');
}

/** Yields all entities without children, in order. */
export function* leavesOf(part: Part): Generator<Part> {
  // An explicit stack, because the sender chooses the depth of the tree.
  const open = [part];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.children.length === 0) yield next;
    else open.push(...next.children.toReversed());
  }
}

interface TypeContext {
  readonly defaultType: string;
  readonly boundary: string | null;
  /** Whether the part has a file name. */
  readonly isFile: boolean;
}

/** An invalid type means text (RFC 2045 §5.2), unless the part has a file name: a message must not be hidden in one. */
function toContentType(value: string, { defaultType, boundary, isFile }: TypeContext): string {
  if (value === '') return defaultType;
  if (value === 'multipart' && boundary !== null) return 'multipart/mixed';
  if (value === 'text') return 'text/plain';
  const known = anySubtype.get(value) ?? (isFile ? undefined : correctedTypes.get(value)) ?? value;
  if (known.includes('/') && !known.includes('*')) return known;
  return isFile || known.includes('/') ? 'application/octet-stream' : 'text/plain';
}

/** RFC 2183 §2.8: an unknown disposition means an attachment. Without a file name it is a mistake instead. */
function toDisposition(value: string, isFile: boolean): Part['disposition'] {
  if (value === 'inline' || value === 'attachment') return value;
  return value !== '' && isFile ? 'attachment' : null;
}

function toContentId(value: string): string | null {
  const id = cleanLine(decodeWords(value), contentIdMaxChars).replace(/^<|>$/g, '').trim();
  return id === '' ? null : id;
}

/** Folding inserts white space, which no URL has (RFC 2557 §4.4.1). */
function toContentLocation(value: string): string | null {
  const url = cleanLine(decodeWords(value), contentIdMaxChars)
    .replace(/^["'<\s]+|["'>\s]+$/g, '')
    .replace(/\s+/g, '');
  return url === '' ? null : url;
}

/** Raw bytes that are not UTF-8 are in none of these. */
const unhelpful = /^(?:utf-?8|(?:us-)?ascii|.*8bit|x?-?unknown)/i;

/** Returns the first charset that the message, or else a text in it, declares and that says something of 8-bit bytes. */
export function findTextCharset(root: Part): string | null {
  if (isHelpful(root.charset)) return root.charset;
  for (const leaf of leavesOf(root)) {
    if (leaf.contentType.startsWith('text/') && isHelpful(leaf.charset)) return leaf.charset;
  }
  return null;
}

function isHelpful(charset: string | null): charset is string {
  return charset !== null && !unhelpful.test(charset);
}
