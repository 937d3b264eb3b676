// Capture sessions. Each has every address at a label of its own, `*@LABEL.DOMAIN`, and the mail of connections that
// authenticate as it. The stores keep that text as its address, so finding one is an ordinary address look-up. And which
// recipients of a transaction are a session's own: `quiet-fox+shop@` is one of the session with `quiet-fox@`; others are
// never shown to it.

import { type Address, parseMailbox, toAddressKey } from '#mail-receiver/address';
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

/**
 * Returns the entries of `rcptTo` that are for the address, in order, as the sender spelled them; the address itself
 * when none does, as for mail fetched from an account.
 */
export function ownRecipients(rcptTo: readonly string[], address: string): readonly string[] {
  if (isCaptureAddress(address)) return rcptTo;
  // A single recipient must be the session's, even if it had another address at the time.
  if (rcptTo.length === 1) return rcptTo;
  const key = toKey(address);
  const own = rcptTo.filter((text) => {
    const recipient = parseMailbox(text, true);
    return recipient !== undefined && (toAddressKey(recipient) === key || toUntaggedKey(recipient) === key);
  });
  return own.length > 0 ? own : [address];
}

/** Returns the tags of a session's own recipients, each once, in order, as the sender spelled them. */
export function tagsOf(recipients: readonly string[], address: string): readonly string[] {
  if (!recipients.some((text) => text.includes('+'))) return none;
  const key = toKey(address);
  const tags = recipients.map((text) => {
    const recipient = parseMailbox(text, true);
    // The plus in an alias of a Gmail account is not a tag.
    return !recipient || toAddressKey(recipient) === key ? '' : splitTag(recipient.localPart).tag;
  });
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

const none: readonly string[] = [];

/** Returns the key of an address without its tag; undefined when it has none. */
export function toUntaggedKey({ localPart, domain }: Address): string | undefined {
  const { base } = splitTag(localPart);
  return base === localPart || base === '' ? undefined : toAddressKey({ localPart: base, domain });
}

/** Splits at the first plus, which no session's address on our own domains contains. */
function splitTag(localPart: string): { readonly base: string; readonly tag: string } {
  const at = localPart.indexOf('+');
  return at < 0
    ? { base: localPart, tag: '' }
    : { base: localPart.slice(0, at), tag: localPart.slice(at + 1) };
}

function toKey(address: string): string {
  const parsed = parseMailbox(address, true);
  return parsed ? toAddressKey(parsed) : address;
}
