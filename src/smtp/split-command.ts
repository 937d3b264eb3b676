// A command line's verb and what follows it (RFC 5321 §2.4), the arguments of BDAT, and what is no command but HTTP. Used by
// the engine; parse-path.ts has the arguments of MAIL and RCPT.

const capitals = /^[A-Z]+$/;

/** `verb`: in capitals. */
export function splitCommand(line: string): { readonly verb: string; readonly rest: string } {
  const space = line.indexOf(' ');
  const word = space < 0 ? line : line.slice(0, space);
  // Nearly all senders write capitals, and folding them costs more than all else here.
  const verb = capitals.test(word) ? word : word.toUpperCase();
  return { verb, rest: space < 0 ? '' : line.slice(space + 1).trim() };
}

/** Of extensions that are not offered, and commands that are not carried out. */
const knownVerbs = new Set(['EXPN', 'HELP', 'ETRN', 'TURN']);

export function isKnownVerb(verb: string): boolean {
  return knownVerbs.has(verb);
}

/** RFC 9110 §9.3, PATCH, and PRI of HTTP/2. */
const httpMethods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'PRI',
]);

/** Whether it is the first line of an HTTP request, of whatever method. */
export function isHttp(verb: string, rest: string): boolean {
  return httpMethods.has(verb) || / HTTP\/\d(?:\.\d)?$/.test(` ${rest}`);
}

export interface BdatCommand {
  /** Octets that follow the command line. Not yet held against any limit. */
  readonly sizeBytes: number;
  readonly isLast: boolean;
}

/** RFC 3030 §2. How many octets follow hangs on it, so nothing is guessed: undefined for anything but `size` and `size LAST`. */
export function parseBdat(text: string): BdatCommand | undefined {
  const match = /^(\d{1,20})(?: +(LAST))?$/i.exec(text);
  if (!match) return undefined;
  return { sizeBytes: Number(match[1]), isLast: match[2] !== undefined };
}
