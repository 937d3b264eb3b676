// The criteria of a search, and how far a list entry can decide them.

import { holdsText } from '@mayfly/mail-reader';
import { type JsonObject, parseObject } from './json-object.ts';
import { invalidField } from './mailosaur-error.ts';

export interface SearchCriteria {
  /** Addresses are compared as a whole, texts match anywhere; both ignore case. */
  readonly sentFrom: string | undefined;
  readonly sentTo: string | undefined;
  readonly subject: string | undefined;
  readonly body: string | undefined;
  /** Whether one match is enough. */
  readonly matchesAny: boolean;
}

const charsMax = 1000;

/** @throws MayflyError invalid_parameter */
export function parseSearchCriteria(body: Buffer): SearchCriteria {
  const given = parseObject(body);
  const criteria = {
    sentFrom: parseText('sentFrom', given),
    sentTo: parseText('sentTo', given),
    subject: parseText('subject', given),
    body: parseText('body', given),
  };
  if (Object.values(criteria).every((value) => value === undefined)) {
    throw invalidField('criteria', 'Give at least one of sentFrom, sentTo, subject and body.');
  }
  return { ...criteria, matchesAny: parseMatch(given['match']) };
}

function parseText(field: string, given: JsonObject): string | undefined {
  const value = given[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalidField(field, 'Must be a string.');
  if (value.length > charsMax) throw invalidField(field, `Must have at most ${charsMax} characters.`);
  return value;
}

function parseMatch(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  const match = typeof value === 'string' ? value.toUpperCase() : undefined;
  if (match === 'ALL' || match === 'ANY') return match === 'ANY';
  throw invalidField('match', 'Must be ALL or ANY.');
}

/** The fields of a list entry. */
export interface SearchedHead {
  readonly senders: readonly string[];
  /** From header and envelope. */
  readonly recipients: readonly string[];
  readonly subject: string;
}

/** Reports whether it matches; `body` when only the bodies can decide. */
export function matchHead(criteria: SearchCriteria, head: SearchedHead): boolean | 'body' {
  const { sentFrom, sentTo, subject, body, matchesAny } = criteria;
  const known: boolean[] = [];
  if (sentFrom !== undefined) known.push(holdsAddress(head.senders, sentFrom));
  if (sentTo !== undefined) known.push(holdsAddress(head.recipients, sentTo));
  if (subject !== undefined) known.push(holdsText(head.subject, subject));
  if (matchesAny ? known.includes(true) : known.includes(false)) return matchesAny;
  if (body !== undefined) return 'body';
  return !matchesAny;
}

function holdsAddress(addresses: readonly string[], wanted: string): boolean {
  const lower = wanted.trim().toLowerCase();
  return addresses.some((address) => address.toLowerCase() === lower);
}
