// What the receiving protocol needs of the services. Handed in by app.ts.

import type { Address } from '../domain/address.ts';
import type { IncomingMessage } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import type { ReceiveResult } from '../service/receive-message.ts';
import type { Resolution } from '../service/resolve-recipient.ts';

export interface MailReceiver {
  resolveRecipient(address: Address): Promise<Resolution>;
  /** Resolves after the commit. Rejects when nothing was stored. */
  receiveMessage(message: IncomingMessage, sessions: readonly Session[]): Promise<ReceiveResult>;
}
