// Decrypts the metadata stored with a message.

import type { MessageMeta } from '../../domain/message.ts';
import type { Session } from '../../domain/session.ts';
import { openSealed } from '../../secrets/seal.mjs';
import type { StoredMessage } from '../../store/mail-store.ts';

export function openMeta(session: Session, stored: StoredMessage): MessageMeta {
  return JSON.parse(openSealed(session.dataKey, 'meta', stored.meta).toString()) as MessageMeta;
}
