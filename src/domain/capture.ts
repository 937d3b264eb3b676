// Capture sessions: one holds every address at a label of its own, `*@LABEL.DOMAIN`, and what comes over a connection
// that authenticated as it. That text is its address in the stores too, so finding one is the look-up of an address.

import type { Address } from './address.ts';
import type { Session } from './session.ts';

const anyLocalPart = '*@';
/** Lower case without the pairs people misread, as in local parts; the first is a letter. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const letters = 23;
const labelLength = 8;
const labelShape = /^[a-hjkmnp-z][a-hjkmnp-z2-9]{7}$/;

/** What a capture session does with a message when it is full: refuses it, or drops its oldest ones. */
export type OnFull = (typeof onFullValues)[number];

export const onFullValues = ['refuse', 'drop_oldest'] as const;

/** A random label of 39 bits from `randomBytes` (a source of uniform bytes). */
export function randomLabel(randomBytes: (count: number) => Uint8Array): string {
  let text = '';
  while (text.length < labelLength) {
    for (const byte of randomBytes(16)) {
      if (text.length === labelLength) break;
      const size = text.length === 0 ? letters : characters.length;
      if (byte < 256 - (256 % size)) text += characters[byte % size] ?? '';
    }
  }
  return text;
}

export function toCaptureAddress(label: string, domain: string): string {
  return `${anyLocalPart}${label}.${domain}`;
}

/** A `*` is in no prefix, so no other session's address begins so. */
export function isCapture({ address }: Pick<Session, 'address'>): boolean {
  return address.startsWith(anyLocalPart);
}

/** Undefined for a session that is no capture session. */
export function captureLabel(session: Pick<Session, 'address'>): string | undefined {
  return isCapture(session) ? session.address.slice(anyLocalPart.length).split('.', 1)[0] : undefined;
}

export interface CaptureDomain {
  readonly label: string;
  /** The domain that the label is of. */
  readonly parent: string;
}

/** Splits what may be a capture session's domain. Undefined for what has no label's shape, whatever it lies under. */
export function parseCaptureDomain({ domain }: Pick<Address, 'domain'>): CaptureDomain | undefined {
  if (domain[labelLength] !== '.') return undefined;
  const label = domain.slice(0, labelLength);
  return labelShape.test(label) ? { label, parent: domain.slice(labelLength + 1) } : undefined;
}

/**
 * The operator's domain that an address of a session lies in, or one that ends like such: behind the `@` and, of a
 * capture session, its label.
 */
export function ownDomainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return address.startsWith(anyLocalPart) ? domain.slice(labelLength + 1) : domain;
}
