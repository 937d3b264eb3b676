// Identifies a message independently of its folder and UID, so that no session receives a message twice and a message
// is compared before it is moved.

import { createHash } from 'node:crypto';

import type { RawField } from '@mayfly/mail-reader/header';
import { findTopmost } from './read-trace.ts';

const originBytes = 16;

export interface MessageIdentity {
  readonly accountId: number;
  /** X-GM-MSGID, or EMAILID of RFC 8474; undefined when the server supports neither. */
  readonly serverId: string | undefined;
  /** The first bytes of the header, always cut off at the same length. */
  readonly header: Uint8Array;
  readonly fields: readonly RawField[];
}

/** Returns 16 bytes. */
export function toOrigin({ accountId, serverId, header, fields }: MessageIdentity): Buffer {
  const hash = createHash('sha256');
  if (serverId === undefined) {
    const digest = createHash('sha256').update(header).digest('hex');
    hash.update(['header', accountId, findTopmost(fields, 'message-id') ?? '', digest].join('\0'), 'latin1');
  } else {
    hash.update(['server', accountId, serverId].join('\0'));
  }
  return hash.digest().subarray(0, originBytes);
}
