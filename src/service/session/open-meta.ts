// Decrypts the metadata stored with a message.

import type { MessageMeta } from '../../domain/message.ts';
import type { StoredMessage } from '../../store/mail-store.ts';
import type { OpenSession } from './session-access.ts';

export function openMeta({ reading }: OpenSession, stored: StoredMessage): MessageMeta {
  return JSON.parse(reading.open('meta', stored.meta).toString()) as MessageMeta;
}
