// Parses application/x-www-form-urlencoded, as in query strings and forms (WHATWG URL §5.1), but strictly: text that
// does not decode to UTF-8 is reported.

import { MalformedBodyError } from './body.ts';

/** Yields undecoded names and values; skips empty pieces. */
export function* splitPairs(text: string): Generator<readonly [name: string, value: string]> {
  for (let from = 0; from < text.length;) {
    const ampersand = text.indexOf('&', from);
    const to = ampersand === -1 ? text.length : ampersand;
    if (to > from) {
      const piece = text.slice(from, to);
      const equals = piece.indexOf('=');
      yield equals === -1 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
    }
    from = to + 1;
  }
}

/** Returns undefined when the percent-encoding is broken or not UTF-8. */
export function decodeText(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** @throws MalformedBodyError */
export function parseUrlencoded(text: string): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (const [rawName, rawValue] of splitPairs(text)) {
    const name = decodeText(rawName);
    const value = decodeText(rawValue);
    if (name === undefined || value === undefined) {
      throw new MalformedBodyError('The form in the body has percent-encoding that does not decode.');
    }
    pairs.push([name, value]);
  }
  return pairs;
}
