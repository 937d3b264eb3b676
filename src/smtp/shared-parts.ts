// What every connection of a listener is made with. Put together by smtp-server.ts.

import type { Logger } from '../observe/logger.ts';
import type { TlsCertificate } from '../secrets/tls-certificate.ts';
import type { Admission } from './admission.ts';
import type { SmtpEngineSettings } from './engine-step.ts';
import type { MailReceiver } from './mail-receiver.ts';
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
