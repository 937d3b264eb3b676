// Which of a transaction's recipients are a session's own, and with which tags: `quiet-fox+shop@` is for whatever holds
// `quiet-fox@`. Other recipients are other people's and are shown to nobody else. Pure.

import { type Address, parseMailbox, toAddressKey } from './address.ts';

/** How the stored address of a session begins that takes any recipient. */
const anyLocalPart = '*@';

/**
 * Of `rcptTo` those that lead to the address, in order, as the sender spelled them; the address itself when none does,
 * as with mail fetched from an account.
 */
export function ownRecipients(rcptTo: readonly string[], address: string): readonly string[] {
  if (address.startsWith(anyLocalPart)) return rcptTo;
  // The only one is what led here, also where the session has had another address then.
  if (rcptTo.length === 1) return rcptTo;
  const key = toKey(address);
  const own = rcptTo.filter((text) => {
    const recipient = parseMailbox(text, true);
    return recipient !== undefined && (toAddressKey(recipient) === key || toUntaggedKey(recipient) === key);
  });
  return own.length > 0 ? own : [address];
}

/** The tags of a session's own recipients, each once, in order, as the sender spelled them. */
export function tagsOf(recipients: readonly string[], address: string): readonly string[] {
  if (!recipients.some((text) => text.includes('+'))) return none;
  const key = toKey(address);
  const tags = recipients.map((text) => {
    const recipient = parseMailbox(text, true);
    // An alias of a Gmail account is lent with its plus: that is no tag.
    return !recipient || toAddressKey(recipient) === key ? '' : splitTag(recipient.localPart).tag;
  });
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

const none: readonly string[] = [];

/** The key under which an address is looked up without its tag; undefined when it has none. */
export function toUntaggedKey({ localPart, domain }: Address): string | undefined {
  const { base } = splitTag(localPart);
  return base === localPart || base === '' ? undefined : toAddressKey({ localPart: base, domain });
}

/** At the first plus: own domains lend no address with one. */
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
