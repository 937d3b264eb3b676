// What the receiving protocol needs of the services. Handed in by app.ts.

import type { Address } from '../domain/address.ts';
import type { IncomingMessage } from '../domain/message.ts';
import type { Traced } from '../observe/traces.ts';
import type { DeliveryLog } from '../service/delivery-log.ts';
import type { ReceiveResult } from '../service/receive-message.ts';
import type { Recipient, Resolution } from '../service/resolve-recipient.ts';

export interface MailReceiver {
  /** Whether the operator blocked the network that a connection comes from; nothing is where absent. */
  isNetworkBlocked?(remoteAddress: string): boolean;
  isSenderBlocked?(mailFrom: string | null): boolean;
  /** @param sizeBytes as declared with MAIL */
  resolveRecipient(address: Address, sizeBytes?: number): Promise<Resolution>;
  /** The most that a message to the recipient may have; without bounds where absent. */
  roomFor?(recipient: Recipient): number;
  /** Resolves after the commit. Rejects when nothing was stored. */
  receiveMessage(message: Traced<IncomingMessage>, recipients: readonly Recipient[]): Promise<ReceiveResult>;
  /** Of recipients that mail was refused for, for their delivery logs. Never throws and is not waited for. */
  readonly noteRefusal: DeliveryLog['noteRefusal'];
}
