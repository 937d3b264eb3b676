// The services that receive mail over SMTP.

import type { Address } from '#mail-receiver/address';
import type { Traced } from '#telemetry/traces';
import type { IncomingMessage } from '../domain/message.ts';
import type { SessionKey } from '../domain/session.ts';
import type { SmtpAuthentication, SmtpLogin } from '../service/receiving/authenticate-smtp.ts';
import type { DeliveryLog } from '../service/records/delivery-log.ts';
import type { EarlyRefusals } from '../service/records/early-refusals.ts';
import type { ReceiveResult } from '../service/receiving/receive-message.ts';
import type { RecipientContext, Resolution } from '../service/receiving/resolve-recipient.ts';
import type { Receiving } from '../service/services.ts';
import type { Recipient } from '../service/session/recipient.ts';
import type { SmtpFaults } from '../service/receiving/smtp-faults.ts';

export interface MailReceiver {
  /** Reports whether the operator blocked the peer's network. */
  isNetworkBlocked(remoteAddress: string): boolean;
  isSenderBlocked(mailFrom: string | null): boolean;
  resolveRecipient(address: Address, context?: RecipientContext): Promise<Resolution>;
  /** Authenticates a user name and password. */
  authenticateSmtp(login: SmtpLogin): Promise<SmtpAuthentication>;
  /** Resolves after the commit; rejects when nothing was stored. */
  receiveMessage(message: Traced<IncomingMessage>, recipients: readonly Recipient[]): Promise<ReceiveResult>;
  /** Planned faults. */
  readonly smtpFaults: SmtpFaults;
  /** Returns the session of mail that belongs to no other, if there is one. */
  standingSession(): SessionKey | undefined;
  /** Records refused mail in its recipients' delivery logs. Never throws; not awaited. */
  readonly recordRefusal: DeliveryLog['recordRefusal'];
  /** Notes a recipient that was refused as unknown. */
  readonly recordUnknownRecipient: Receiving['recordUnknownRecipient'];
  /** Records what was refused before a recipient was accepted. */
  readonly recordEarlyRefusal: EarlyRefusals['record'];
}
