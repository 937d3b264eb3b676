// What every connection of a listener is made with. Put together by smtp-server.ts.

import type { Address } from '../domain/address.ts';
import type { IncomingMessage } from '../domain/message.ts';
import type { Logger } from '../observe/logger.ts';
import type { Traced } from '../observe/traces.ts';
import type { TlsCertificate } from '../secrets/tls-certificate.ts';
import type { SmtpAuthentication, SmtpLogin } from '../service/authenticate-smtp.ts';
import type { DeliveryLog } from '../service/delivery-log.ts';
import type { ReceiveResult } from '../service/receive-message.ts';
import type { RefusedRecipients } from '../service/refused-recipients.ts';
import type { Recipient, RecipientContext, Resolution } from '../service/resolve-recipient.ts';
import type { SmtpFaults } from '../service/smtp-faults.ts';
import type { Admission } from './admission.ts';
import type { SmtpEngineSettings } from './engine-step.ts';
import type { Spill } from './message-buffer.ts';
import type { ReplyTurn } from './reply-turn.ts';
import type { SmtpCounts } from './smtp-counts.ts';

export interface SharedParts {
  readonly settings: SmtpEngineSettings & { readonly idleTimeoutSeconds: number };
  /** For peers on loopback, where they get something else. */
  readonly loopbackSettings?: SmtpEngineSettings;
  readonly admission: Admission;
  readonly receiver: MailReceiver;
  readonly spill: Spill;
  readonly tls: TlsCertificate | undefined;
  readonly log: Logger;
  /** For what strangers can cause at any rate. */
  readonly sampledLog: Pick<Logger, 'info' | 'warn'>;
  readonly counts: SmtpCounts;
  readonly replyTurn: ReplyTurn;
  /** Told +1 when a transaction begins and -1 when its message is handed over or it ends otherwise. */
  readonly onIncoming: (change: 1 | -1) => void;
}

/** What the receiving protocol needs of the services. */
export interface MailReceiver {
  /** Whether the operator blocked the network that a connection comes from; nothing is where absent. */
  isNetworkBlocked?(remoteAddress: string): boolean;
  isSenderBlocked?(mailFrom: string | null): boolean;
  resolveRecipient(address: Address, context?: RecipientContext): Promise<Resolution>;
  /** Whose user name and password these are; no session has any where absent. */
  authenticateSmtp?(login: SmtpLogin): Promise<SmtpAuthentication>;
  /** The most that a message to the recipient may have; without bounds where absent. */
  roomFor?(recipient: Recipient): number;
  /** Resolves after the commit. Rejects when nothing was stored. */
  receiveMessage(message: Traced<IncomingMessage>, recipients: readonly Recipient[]): Promise<ReceiveResult>;
  /** What goes wrong on purpose; nothing does where absent. */
  readonly smtpFaults?: SmtpFaults;
  /** Of recipients that mail was refused for, for their delivery logs. Never throws and is not waited for. */
  readonly noteRefusal: DeliveryLog['noteRefusal'];
  /** Of a recipient that nobody holds; forgotten where absent. */
  readonly noteUnknownRecipient?: RefusedRecipients['note'];
}
