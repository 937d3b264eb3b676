// The one domain that a message says it is from, for DMARC. Reads From as summary does, so that what is vouched for is
// what readers are shown. Called by service/message-authentications with the first bytes of a message (up to 64 KB).

import { parseMailboxes } from './header-address.ts';
import { readHeaderFields } from './header-fields.ts';

const headerLimits = { maxBytes: 65_536, maxFields: 1_000 };
const maxMailboxes = 100;

/**
 * Lower case, as written; null when there is no From, several, one without addresses or of several domains, when the
 * header does not end within the bytes, since another From may follow, or when readers may disagree on where it ends.
 */
export function readFromDomain(head: Buffer): string | null {
  const { fields, cut, oddities } = readHeaderFields(head, 0, headerLimits);
  const [from, ...others] = fields.filter(({ name }) => name.toLowerCase() === 'from');
  if (cut || oddities.length > 0 || from === undefined || others.length > 0) return null;
  const mailboxes = parseMailboxes(from.value, maxMailboxes + 1);
  const domains = new Set(
    mailboxes.map(({ email }) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()),
  );
  const [domain] = domains;
  return domains.size === 1 && domain && mailboxes.length <= maxMailboxes ? domain : null;
}
