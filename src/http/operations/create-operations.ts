// Every operation of the interface, in the order of the docs.

import type { SessionLimits } from '../../service/session-limits.ts';
import type { Operation } from '../operation.ts';
import { challengeOperation } from './challenge.ts';
import { checkMailOperation } from './check-mail.ts';
import { createSessionOperation } from './create-session.ts';
import { deleteMailOperation } from './delete-mail.ts';
import { attachmentOperation, rawMailOperation } from './download.ts';
import { healthzOperation, readyzOperation } from './health.ts';
import { htmlMailOperation } from './html-mail.ts';
import { listDomainsOperation } from './list-domains.ts';
import { endSessionOperation, extendSessionOperation, showSessionOperation } from './manage-session.ts';
import { inlineImageOperation, remoteImageOperation } from './message-images.ts';
import { createShareOperation, listSharesOperation, revokeShareOperation } from './manage-shares.ts';
import { readMailOperation } from './read-mail.ts';
import { streamEventsOperation } from './stream-events.ts';
import { waitMailOperation } from './wait-mail.ts';

/** `limits` are told in the docs and checked. */
export function createOperations(limits: SessionLimits): readonly Operation[] {
  return [
    listDomainsOperation,
    createSessionOperation(limits),
    challengeOperation,
    checkMailOperation,
    readMailOperation,
    waitMailOperation,
    deleteMailOperation,
    rawMailOperation,
    attachmentOperation,
    htmlMailOperation,
    inlineImageOperation,
    remoteImageOperation,
    streamEventsOperation,
    showSessionOperation,
    extendSessionOperation(limits),
    createShareOperation(limits),
    listSharesOperation,
    revokeShareOperation,
    endSessionOperation,
    healthzOperation,
    readyzOperation,
  ];
}
