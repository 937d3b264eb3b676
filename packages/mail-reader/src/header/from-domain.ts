// Returns the one domain a message claims to be from, for DMARC. It must match what people see: the address that
// summary reads, and none where another reader could find a different one.

import { readSoleAddress } from './header-address.ts';
import { readHeaderFields } from './header-fields.ts';
import { fieldMaxBytes, readSummary, summaryBytes } from './summary.ts';

const headerLimits = { bytesMax: summaryBytes, fieldsMax: 1_000 };

export interface FromField {
  /**
   * The domain of the only address, in lower case, as written; it need not be a DNS name. Null when there is none to
   * vouch for.
   */
  readonly domain: string | null;
  /** A short reason why there is no domain although an address may be shown; null when there is no doubt. */
  readonly doubt: string | null;
  /** Offset of the first header field, or of the body. */
  readonly start: number;
  readonly bodyStart: number;
  /** Whether readers may disagree on where the fields or the end of the header are. */
  readonly isOdd: boolean;
}

/** Reads the start of a message, or all of it; never examines more than the summary does. */
export function readFromField(raw: Buffer): FromField {
  const head = raw.subarray(0, summaryBytes);
  const { fields, cut, oddities, start, bodyStart } = readHeaderFields(head, 0, headerLimits);
  const place = { start, bodyStart, isOdd: oddities.length > 0 };
  const none = (doubt: string | null): FromField => ({ ...place, domain: null, doubt });
  const values = fields.filter(({ name }) => name.toLowerCase() === 'from').map(({ value }) => value);
  const [from, second] = values;
  if (cut || (bodyStart >= head.length && raw.length > head.length)) return none('the header is too long');
  if (place.isOdd) return none(oddities[0] ?? null);
  if (second !== undefined) return none('From is there twice');
  if (from === undefined) return none(null);
  if (from.length > fieldMaxBytes) return none('From is too long');
  const email = readSoleAddress(from);
  // Whatever the code above found, only the address that is shown counts.
  if (email === undefined || email !== readSummary(head).senderEmail) return none('From is not one address');
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return { ...place, domain, doubt: null };
}

/** Returns the domain of readFromField. */
export function readFromDomain(raw: Buffer): string | null {
  return readFromField(raw).domain;
}
