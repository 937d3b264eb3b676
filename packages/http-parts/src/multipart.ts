// Parses a multipart/form-data body (RFC 7578) in memory, in one pass, with every count bounded. For parameters, files
// are not accepted.

import { type CarriedPairs, MalformedBodyError } from './body.ts';
import { decodeText } from './urlencoded.ts';

const partsMax = 32;
const partHeaderMaxBytes = 4096;

/** Represents a file, which is an invalid value for any parameter. */
export const filePart = Symbol('file');

export interface FormPart {
  readonly name: string;
  /** Undefined for a field that is no file. */
  readonly filename: string | undefined;
  /** As written; '' without one. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** @throws MalformedBodyError */
export function parseMultipartFields(body: Buffer, contentType: string): CarriedPairs {
  return parseMultipart(body, contentType, partsMax).map(
    ({ name, filename, bytes }) => [name, filename === undefined ? decodeUtf8(bytes) : filePart] as const,
  );
}

/** @throws MalformedBodyError */
export function parseMultipart(body: Buffer, contentType: string, max: number): readonly FormPart[] {
  const boundary = findBoundary(contentType);
  // The first delimiter may be at the very beginning, without the line end that precedes the others.
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const bytes = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: FormPart[] = [];
  let at = bytes.indexOf(delimiter);
  for (;;) {
    if (at === -1) throw malformed('it has no closing boundary');
    const from = endOfDelimiter(bytes, at + delimiter.length);
    if (from === 'closing') return parts;
    if (parts.length === max) throw malformed(`it has more than ${max} parts`);
    at = bytes.indexOf(delimiter, from - 2);
    if (at !== -1) parts.push(readPart(bytes.subarray(from, Math.max(at, from))));
  }
}

function findBoundary(contentType: string): string {
  const match = /;[ \t]*boundary=(?:"([^"\\\r\n]{1,70})"|([^\s";,]{1,70}))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw malformed('its boundary is missing');
  return boundary;
}

/** Returns where the part after the delimiter begins, past its line end. */
function endOfDelimiter(bytes: Buffer, from: number): number | 'closing' {
  if (bytes[from] === 0x2d && bytes[from + 1] === 0x2d) return 'closing';
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1;
  if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) return at + 2;
  throw malformed('a boundary has no line end');
}

function readPart(part: Buffer): FormPart {
  // A part without header fields begins with the empty line.
  const headerEnd = part.subarray(0, partHeaderMaxBytes).indexOf('\r\n\r\n');
  if (headerEnd === -1) throw malformed('a part has no header');
  const lines = part.toString('utf8', 0, headerEnd).split('\r\n');
  const disposition = lines.find((line) => /^content-disposition[ \t]*:/i.test(line));
  const name = disposition === undefined ? undefined : findParameter(disposition, 'name');
  if (disposition === undefined || name === undefined) throw malformed('a part has no name');
  const isFile = /;[ \t]*filename\*?=/i.test(disposition);
  const type = lines.find((line) => /^content-type[ \t]*:/i.test(line)) ?? '';
  return {
    name,
    filename: isFile
      ? (findExtended(disposition) ?? findParameter(disposition, 'filename') ?? '')
      : undefined,
    contentType: type.slice(type.indexOf(':') + 1).trim(),
    bytes: part.subarray(headerEnd + 4),
  };
}

/** Quoted as browsers and clients do: `%22` for a quote, or a backslash before it. */
function findParameter(line: string, wanted: string): string | undefined {
  for (const [, name, quoted, plain] of line.matchAll(
    /;[ \t]*([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))/gi,
  )) {
    if (name?.toLowerCase() === wanted) return quoted?.replace(/\\(.)/g, '$1') ?? plain;
  }
  return undefined;
}

/** The name in `filename*` (RFC 8187), which some clients send; undefined without one that decodes. */
function findExtended(line: string): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(findParameter(line, 'filename*') ?? '')?.[1];
  return encoded === undefined ? undefined : decodeText(encoded.replaceAll('+', '%2B'));
}

/** @throws MalformedBodyError */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new MalformedBodyError('The body is not valid UTF-8.', { cause: error });
  }
}

function malformed(reason: string): MalformedBodyError {
  return new MalformedBodyError(`The multipart form in the body does not parse: ${reason}.`);
}
