// Splits a command line into its verb and arguments (RFC 5321 §2.4), parses the arguments of BDAT, and recognises
// HTTP. Used by the engine; parse-path.ts parses the arguments of MAIL and RCPT.

const capitals = /^[A-Z]+$/;

/** Returns the verb in upper case. */
export function splitCommand(line: string): { readonly verb: string; readonly rest: string } {
  const space = line.indexOf(' ');
  const word = space < 0 ? line : line.slice(0, space);
  // Nearly all senders use upper case already, and folding costs more than the rest of this function.
  const verb = capitals.test(word) ? word : word.toUpperCase();
  return { verb, rest: space < 0 ? '' : line.slice(space + 1).trim() };
}

/** Verbs of extensions that are not offered and commands that are not implemented. */
const knownVerbs = new Set(['EXPN', 'HELP', 'ETRN', 'TURN']);

export function isKnownVerb(verb: string): boolean {
  return knownVerbs.has(verb);
}

/** Methods of RFC 9110 §9.3, PATCH, and the preface of HTTP/2. */
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

/** Reports whether this is the first line of an HTTP request. */
export function isHttp(verb: string, rest: string): boolean {
  return httpMethods.has(verb) || / HTTP\/\d(?:\.\d)?$/.test(` ${rest}`);
}

export interface BdatCommand {
  /** Octets that follow the command line, not checked against any limit. */
  readonly sizeBytes: number;
  readonly isLast: boolean;
}

/**
 * RFC 3030 §2. Strict, because the size decides how many octets follow: undefined for anything but `size` and `size
 * LAST`.
 */
export function parseBdat(text: string): BdatCommand | undefined {
  const match = /^(\d{1,20})(?: +(LAST))?$/i.exec(text);
  if (!match) return undefined;
  return { sizeBytes: Number(match[1]), isLast: match[2] !== undefined };
}
