// Parses Mailpit's search language (https://mailpit.axllent.org/docs/usage/search-filters/): words and quoted phrases,
// all required, and filters such as `from:` and `is:unread`, each negated by a leading `-` or `!`. Pure.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { parseSearchDate } from './search-date.ts';

const textFields = [
  'to',
  'from',
  'cc',
  'bcc',
  'reply-to',
  'addressed',
  'subject',
  'message-id',
  'tag',
] as const;

export type TextField = (typeof textFields)[number];
export type Mark = 'read' | 'unread' | 'tagged' | 'attachment' | 'inline';

export type SearchTest =
  /** The text, anywhere in the message. */
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'field'; readonly field: TextField; readonly text: string }
  | { readonly kind: 'mark'; readonly mark: Mark }
  /** `at`: ms since 1970, inclusive. */
  | { readonly kind: 'after' | 'before'; readonly at: number }
  | { readonly kind: 'larger' | 'smaller'; readonly bytes: number };

export interface SearchTerm {
  readonly isNegated: boolean;
  readonly test: SearchTest;
}

const queryMaxChars = 2000;
const termsMax = 50;

const marks: ReadonlyMap<string, Mark> = new Map([
  ['is:read', 'read'],
  ['is:unread', 'unread'],
  ['is:tagged', 'tagged'],
  ['has:attachment', 'attachment'],
  ['has:attachments', 'attachment'],
  ['has:inline', 'inline'],
  ['has:inlines', 'inline'],
]);

/**
 * Ignores filters without a value, and terms without a letter or digit.
 * @throws MayflyError invalid_parameter for an invalid date or time zone, and for too many or too long terms
 */
export function parseSearch(query: string, timeZone = ''): readonly SearchTerm[] {
  if (query.length > queryMaxChars) throw wrong(`A search has at most ${queryMaxChars} characters.`);
  const terms = splitArguments(query)
    .map((argument) => parseTerm(argument, timeZone))
    .filter((term) => term !== undefined);
  if (terms.length > termsMax) throw wrong(`A search has at most ${termsMax} terms.`);
  return terms;
}

/** Splits at white space outside quotes, which are removed; an unclosed quote extends to the end of the text. */
function splitArguments(query: string): string[] {
  const found = query.match(/(?:[^\s"]+|"[^"]*(?:"|$))+/g) ?? [];
  return found.map((argument) => argument.replaceAll('"', ''));
}

function parseTerm(argument: string, timeZone: string): SearchTerm | undefined {
  const isNegated = argument.length > 1 && /^[-!]/.test(argument);
  const text = (isNegated ? argument.slice(1) : argument).trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const test = parseTest(text, timeZone);
  return test && { isNegated, test };
}

function parseTest(text: string, timeZone: string): SearchTest | undefined {
  const mark = marks.get(text.toLowerCase());
  if (mark) return { kind: 'mark', mark };
  const [, name = '', rest = ''] = /^([a-z-]+):(.*)$/is.exec(text) ?? [];
  const value = rest.trim();
  const kind = name.toLowerCase();
  const field = textFields.find((known) => known === kind);
  if (field) return value === '' ? undefined : { kind: 'field', field, text: value };
  if (kind === 'after' || kind === 'before') {
    return value === '' ? undefined : { kind, at: requireDate(value, timeZone) };
  }
  if (kind === 'larger' || kind === 'smaller') {
    const bytes = parseSize(value);
    if (bytes > 0) return { kind, bytes };
  }
  return { kind: 'word', text };
}

function requireDate(value: string, timeZone: string): number {
  const at = parseSearchDate(value, timeZone);
  if (at !== undefined) return at;
  throw wrong(
    `"${value.slice(0, 100)}" is not a known date format; write it as 2026-11-22 or 2026-11-22 15:04.`,
  );
}

/** Parses `2kb`, `1.5M`, `100`; 0 for anything else. */
function parseSize(text: string): number {
  const [, number, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)\s?([kmg]?)b?$/i.exec(text) ?? [];
  if (number === undefined) return 0;
  const factor = 1024 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase());
  return Math.floor(Number(number) * factor);
}

function wrong(message: string): MayflyError {
  return new MayflyError('invalid_parameter', message, { parameter: 'query' });
}
