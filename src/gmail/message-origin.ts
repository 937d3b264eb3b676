// What a message is known by, in whatever folder and under whatever UID it is found again: by it no session gets a
// message twice, and before a message is moved it is compared.

import { createHash } from 'node:crypto';

import type { RawField } from '@mayfly/mail-reader/header';
import { findTopmost } from './read-trace.ts';

const originBytes = 16;

export interface MessageIdentity {
  readonly accountId: number;
  /** X-GM-MSGID, or EMAILID of RFC 8474; undefined where the server has neither. */
  readonly serverId: string | undefined;
  /** The first bytes of the header, always cut at the same place. */
  readonly header: Uint8Array;
  readonly fields: readonly RawField[];
}

/** 16 bytes. */
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
