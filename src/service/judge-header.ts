// What of a message's header goes to its authentication: the bytes from where readers begin, and the domain of the
// address that they are shown. Where the two readers of the header, the one for people (mime) and the one for
// signatures (net), do not agree, nothing is vouched for. Pure. Called by message-authentications.

import { readFromField } from '../mime/from-domain.ts';
import type { AuthenticationRequest } from '../net/check-authentication.ts';
import { checkHeader } from '../net/header-check.ts';

export type JudgedMessage = Pick<AuthenticationRequest, 'raw' | 'fromDomain' | 'fromDoubt' | 'isReadTwoWays'>;

export function judgeHeader(raw: Uint8Array): JudgedMessage {
  const from = readFromField(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  // Past the line that a mailbox file put before it, and the mark of an editor.
  const message = raw.subarray(from.start);
  const { bodyStart } = checkHeader(message);
  const isReadTwoWays = from.isOdd || (bodyStart >= 0 && from.start + bodyStart !== from.bodyStart);
  return {
    raw: message,
    fromDomain: isReadTwoWays ? null : from.domain,
    ...(from.doubt === null ? {} : { fromDoubt: from.doubt }),
    ...(isReadTwoWays ? { isReadTwoWays } : {}),
  };
}
