// Addresses in Mailpit's format.

import type { Mailbox } from '@mayfly/mail-reader';

export interface AddressView {
  readonly Name: string;
  readonly Address: string;
}

export function toAddressView({ name, email }: Mailbox): AddressView {
  return { Name: name, Address: email };
}

/** Returns the envelope's recipients that no header field names. */
export function toBcc(
  recipients: readonly string[],
  named: readonly (readonly Mailbox[])[],
  inHeader: readonly Mailbox[],
): AddressView[] {
  const known = new Set([...named, inHeader].flat().map(({ email }) => email.toLowerCase()));
  const others = recipients.filter((address) => !known.has(address.toLowerCase()));
  return [...inHeader.map(toAddressView), ...others.map((address) => ({ Name: '', Address: address }))];
}
