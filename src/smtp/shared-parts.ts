// The parts common to all connections of a listener. Assembled by smtp-server.ts.

import type { Address } from '#mail-receiver/address';
import type { SmtpEngineSettings } from '#mail-receiver/engine-step';
import type { Spill } from '#mail-receiver/message-buffer';
import type { Logger } from '#telemetry/logger';
import type { Traced } from '#telemetry/traces';
import type { ReplyTurn } from '#mail-receiver/reply-turn';
import type { IncomingMessage } from '../domain/message.ts';
import type { SessionKey } from '../domain/session.ts';
import type { TlsCertificate } from '#certificates/tls-certificate';
import type { SmtpAuthentication, SmtpLogin } from '../service/receiving/authenticate-smtp.ts';
import type { DeliveryLog } from '../service/records/delivery-log.ts';
import type { ReceiveResult } from '../service/receiving/receive-message.ts';
import type { RefusedRecipients } from '../service/records/refused-recipients.ts';
import type { RecipientContext, Resolution } from '../service/receiving/resolve-recipient.ts';
import type { Recipient } from '../service/session/recipient.ts';
import type { SmtpFaults } from '../service/receiving/smtp-faults.ts';
import type { Admission } from './admission/admission.ts';
import type { SmtpCounts } from './smtp-counts.ts';

export interface SharedParts {
  readonly settings: SmtpEngineSettings & { readonly idleTimeoutSeconds: number };
  /** The settings for peers on loopback. */
  readonly loopbackSettings: () => SmtpEngineSettings;
  readonly admission: Admission;
  readonly receiver: MailReceiver;
  readonly spill: Spill;
  readonly tls: TlsCertificate | undefined;
  readonly log: Logger;
  /** For events that strangers can cause at any rate. */
  readonly sampledLog: Pick<Logger, 'info' | 'warn'>;
  readonly counts: SmtpCounts;
  readonly replyTurn: ReplyTurn;
  /** Called with +1 when a transaction begins, and -1 when its message is handed over or it ends otherwise. */
  readonly onIncoming: (change: 1 | -1) => void;
}

/** The services that the receiver uses. */
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
  readonly recordUnknownRecipient: RefusedRecipients['note'];
}
