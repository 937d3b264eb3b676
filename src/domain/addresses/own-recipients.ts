// Selects the recipients of a transaction that belong to one session, and their tags: `quiet-fox+shop@` belongs to
// the session with `quiet-fox@`. Other recipients are never shown to it. Pure.

import { type Address, parseMailbox, toAddressKey } from '#mail-receiver/address';
import { isCaptureAddress } from './capture.ts';

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
