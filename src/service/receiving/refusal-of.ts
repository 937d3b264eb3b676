// The reply to a message that was not delivered, whatever protocol it came by. Used by SMTP and by mail over HTTP.

import { replies, type Reply } from '#mail-receiver/reply';
import type { ReceiveResult } from './receive-message.ts';

/** Returns undefined when the message was accepted. */
export function refusalOf(outcome: ReceiveResult['outcome']): Reply | undefined {
  switch (outcome) {
    case 'stored':
    case 'discarded':
      return undefined;
    case 'full':
      return replies.recipientFull;
    case 'ended':
      return replies.unknownRecipient;
    case 'looping':
      return replies.loop;
    case 'forged':
      return replies.dmarcRefused;
  }
}
