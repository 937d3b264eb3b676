// Extracts from a header what authentication needs: the bytes where readers begin, and the domain of the address they
// are shown. Where the parser for people (mail-reader) and the one for signatures (net) disagree, no domain is vouched
// for. Pure. Called by message-authentications.

import { readFromField } from '@mayfly/mail-reader/header';
import { toAsciiDomain } from '#mail-receiver/ascii-domain';
import type { AuthenticationRequest } from '#mail-receiver/check-authentication';
import { checkHeader } from '#mail-receiver/header-check';

export type JudgedMessage = Pick<AuthenticationRequest, 'raw' | 'fromDomain' | 'fromDoubt' | 'isReadTwoWays'>;

export function judgeHeader(raw: Uint8Array): JudgedMessage {
  const from = readFromField(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  // After the separator line of a mailbox file and a byte order mark.
  const message = raw.subarray(from.start);
  const { bodyStart } = checkHeader(message);
  const isPublic = from.domain !== null && toAsciiDomain(from.domain) !== undefined;
  const isReadTwoWays = from.isOdd || (bodyStart >= 0 && from.start + bodyStart !== from.bodyStart);
  return {
    raw: message,
    fromDomain: isReadTwoWays || !isPublic ? null : from.domain,
    ...(from.doubt === null ? {} : { fromDoubt: from.doubt }),
    ...(isReadTwoWays ? { isReadTwoWays } : {}),
  };
}
