// Limits for what a body may contain besides its bytes, checked before it is parsed: a few hundred KB of tiny members
// would take the memory and the time of a message a hundred times as large.

import { MalformedBodyError } from './body.ts';

export interface JsonLimits {
  /** The most names of members, in all objects. */
  readonly names: number;
  /** The most commas between members and elements. */
  readonly commas: number;
  readonly depth: number;
}

const defaultJsonLimits: JsonLimits = { names: 1000, commas: 20_000, depth: 32 };
const pairsMax = 20_000;

const [quote, backslash, colon, comma, ampersand] = Buffer.from('"\\:,&');
const [openBrace, openBracket, closeBrace, closeBracket] = Buffer.from('{[}]');

/** One pass without recursion; whether it is JSON at all is for the parser to say. @throws MalformedBodyError */
export function requireModestJson(bytes: Uint8Array, limits: JsonLimits = defaultJsonLimits): void {
  let [names, commas, depth] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === colon) names += 1;
    else if (byte === comma) commas += 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    else continue;
    if (names > limits.names || commas > limits.commas || depth > limits.depth) {
      throw new MalformedBodyError('The JSON in the body has too many members or levels.');
    }
  }
}

/** Returns the index of the closing quote, or of the end. */
function endOfString(bytes: Uint8Array, open: number): number {
  let at = open;
  for (;;) {
    at = bytes.indexOf(quote ?? 0, at + 1);
    if (at === -1) return bytes.length;
    let before = at;
    while (bytes[before - 1] === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
}

/** @throws MalformedBodyError */
export function requireModestForm(bytes: Uint8Array): void {
  let ampersands = 0;
  for (const byte of bytes) if (byte === ampersand) ampersands += 1;
  if (ampersands > pairsMax) {
    throw new MalformedBodyError('The form in the body has too many fields.');
  }
}
