// Services for the SMTP listener that accept nothing. Tests replace what they are about.

import { SmtpFaults } from '../../../src/service/receiving/smtp-faults.ts';
import type { MailReceiver } from '../../../src/smtp/mail-receiver.ts';

export function createRefusingReceiver(given: Partial<MailReceiver> = {}): MailReceiver {
  return {
    isNetworkBlocked: () => false,
    isSenderBlocked: () => false,
    resolveRecipient: () => Promise.resolve({ outcome: 'unknown' }),
    authenticateSmtp: () => Promise.resolve('wrong'),
    receiveMessage: () => Promise.resolve({ outcome: 'ended', ingestId: 'none', ended: 0 }),
    smtpFaults: new SmtpFaults(),
    standingSession: () => undefined,
    recordRefusal: () => undefined,
    recordUnknownRecipient: () => undefined,
    recordEarlyRefusal: () => undefined,
    ...given,
  };
}
