// Capture sessions. Each has every address at a label of its own, `*@LABEL.DOMAIN`, and the mail of connections that
// authenticate as it. The stores keep that text as its address, so finding one is an ordinary address look-up.

import type { Address } from '#mail-receiver/address';
import type { Session } from '../session.ts';

/** How the address of a capture session begins. */
const anyLocalPart = '*@';
/** Lower case without characters that are easily misread, as in local parts; the first is a letter. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const letters = 23;
const labelLength = 8;
const labelShape = /^[a-hjkmnp-z][a-hjkmnp-z2-9]{7}$/;

/** How a full capture session treats a message: it refuses it, or drops the oldest ones. */
export type OnFull = (typeof onFullValues)[number];

export const onFullValues = ['refuse', 'drop_oldest'] as const;

/** Returns a random label of 39 bits. @param randomBytes a source of uniform bytes */
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

/** Reports whether it is the address of a capture session: no prefix contains `*`, so no other begins like this. */
export function isCaptureAddress(address: string): boolean {
  return address.startsWith(anyLocalPart);
}

export function isCapture({ address }: Pick<Session, 'address'>): boolean {
  return isCaptureAddress(address);
}

/** Returns the part of an address after the `@`. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Returns undefined for any other session. */
export function captureLabel(session: Pick<Session, 'address'>): string | undefined {
  return isCapture(session) ? session.address.slice(anyLocalPart.length).split('.', 1)[0] : undefined;
}

export interface CaptureDomain {
  readonly label: string;
  /** The domain above the label. */
  readonly parent: string;
}

/**
 * Splits what may be a capture session's domain. Returns undefined if the first label does not have the shape,
 * whatever the domain.
 */
export function parseCaptureDomain({ domain }: Pick<Address, 'domain'>): CaptureDomain | undefined {
  if (domain[labelLength] !== '.') return undefined;
  const label = domain.slice(0, labelLength);
  return labelShape.test(label) ? { label, parent: domain.slice(labelLength + 1) } : undefined;
}

/**
 * Returns the operator's domain of a session's address: the part after the `@` and, for a capture session, after its
 * label.
 */
export function ownDomainOf(address: string): string {
  const domain = domainOf(address);
  return isCaptureAddress(address) ? domain.slice(labelLength + 1) : domain;
}
