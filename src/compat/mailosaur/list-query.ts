// Parses the query of lists and searches.

import { invalidField, notFound } from './mailosaur-error.ts';

export interface ListQuery {
  readonly page: number;
  readonly itemsPerPage: number;
  /** ms since 1970; only messages received then or later. Undefined for all. */
  readonly receivedAfter: number | undefined;
  /** Whether sent mail is requested, of which there is none. */
  readonly wantsSent: boolean;
}

const defaultItems = 50;
const itemsMax = 1000;
const pageMax = 1_000_000;
const defaultTimeoutMs = 10_000;
const timeoutMaxMs = 120_000;

/** @throws MayflyError invalid_parameter; not_found for a server other than the token's */
export function parseListQuery(query: URLSearchParams, server: string): ListQuery {
  checkServer(query, server);
  return {
    page: parseCount(query, 'page', { min: 0, max: pageMax, absent: 0 }),
    itemsPerPage: parseCount(query, 'itemsPerPage', { min: 1, max: itemsMax, absent: defaultItems }),
    receivedAfter: parseReceivedAfter(query),
    wantsSent: parseDirection(query),
  };
}

/** @throws MayflyError invalid_parameter, not_found */
export function checkServer(query: URLSearchParams, server: string): void {
  const given = query.get('server');
  if (!given) throw invalidField('server', 'Give the id of a server.');
  if (given.toLowerCase() !== server) throw notFound('server', 'There is no server with this id.');
}

/** Returns how long to wait for a message, in ms. @throws MayflyError invalid_parameter */
export function parseTimeout(query: URLSearchParams): number {
  return parseCount(query, 'timeout', { min: 0, max: timeoutMaxMs, absent: defaultTimeoutMs });
}

interface CountRange {
  readonly min: number;
  readonly max: number;
  readonly absent: number;
}

function parseCount(query: URLSearchParams, field: string, { min, max, absent }: CountRange): number {
  const text = query.get(field);
  if (!text) return absent;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (count >= min && count <= max) return count;
  throw invalidField(field, `Must be a whole number from ${min} to ${max}.`);
}

/** RFC 3339 with optional seconds and offset. An unencoded plus in the offset arrives as a space. */
const instant = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|z|[+ -]\d\d:?\d\d)?)?$/;

function parseReceivedAfter(query: URLSearchParams): number | undefined {
  const text = query.get('receivedAfter');
  if (!text) return undefined;
  // The Java client sends ms since 1970.
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, day = '', time = '00:00', offset = 'Z'] = instant.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}${offset.toUpperCase().replace(' ', '+')}`);
  if (!Number.isNaN(at)) return at;
  throw invalidField('receivedAfter', 'Must be a date and time, such as 2026-11-22T15:00:00Z.');
}

function parseDirection(query: URLSearchParams): boolean {
  const text = query.get('dir')?.toLowerCase();
  if (!text || text === 'received') return false;
  if (text === 'sent') return true;
  throw invalidField('dir', 'Must be Sent or Received.');
}
