// Lists every operation of the interface, in the order of the docs. Operations on one subject share a file, as a list.

import type { SessionLimits } from '../../service/session/session-limits.ts';
import type { Operation } from '../operation.ts';
import { challengeOperation } from './challenge.ts';
import { checkMailOperation } from './check-mail.ts';
import { createSessionOperation } from './create-session.ts';
import { changeOperations } from './delete-mail.ts';
import { downloadOperations } from './download.ts';
import { healthOperations } from './health.ts';
import { htmlMailOperation, htmlSourceOperation } from './html-mail.ts';
import { listDomainsOperation } from './list-domains.ts';
import { mailFileOperations } from './mail-files.ts';
import { sessionOperations } from './manage-session.ts';
import { imageOperations } from './message-images.ts';
import { pushKeyOperation, pushOperations } from './manage-push.ts';
import { shareOperations } from './manage-shares.ts';
import { reportMailOperation } from './report-mail.ts';
import { reopenSessionOperation } from './reopen-session.ts';
import { peekMailOperation, readMailOperation } from './read-mail.ts';
import { smtpFaultOperations } from './smtp-faults.ts';
import { streamEventsOperation } from './stream-events.ts';
import { waitMailOperation } from './wait-mail.ts';

/** `limits` are documented and checked. Push has operations only where it is offered. */
export function createOperations(limits: SessionLimits, offersPush = false): readonly Operation[] {
  return [
    listDomainsOperation,
    createSessionOperation(limits),
    reopenSessionOperation,
    challengeOperation,
    checkMailOperation,
    readMailOperation,
    peekMailOperation,
    waitMailOperation,
    reportMailOperation,
    ...changeOperations,
    ...downloadOperations,
    ...mailFileOperations,
    htmlMailOperation,
    htmlSourceOperation,
    ...imageOperations,
    streamEventsOperation,
    ...smtpFaultOperations,
    ...shareOperations(limits),
    pushKeyOperation,
    ...(offersPush ? pushOperations : []),
    ...sessionOperations(limits),
    ...healthOperations,
  ];
}
