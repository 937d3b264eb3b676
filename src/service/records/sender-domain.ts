// The domain of an envelope's sender, the only part of it that records for the operator keep.

import { domainToASCII } from 'node:url';

const isAscii = /^[\x00-\x7f]*$/;
const maxLength = 255;

/**
 * Returns the domain in lower case, with A-labels; '' for `<>`. It is a string of its own: a slice would keep the whole
 * address in memory.
 */
export function senderDomainOf(mailFrom: string | null): string {
  if (mailFrom === null) return '';
  const given = mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase();
  const domain = isAscii.test(given) ? given : domainToASCII(given) || given;
  return Buffer.from(domain.slice(0, maxLength)).toString();
}
