// Every operation of the interface, in the order of the docs.

import type { Operation } from '../operation.ts';
import { checkMailOperation } from './check-mail.ts';
import { createSessionOperation } from './create-session.ts';
import { deleteMailOperation } from './delete-mail.ts';
import { attachmentOperation, rawMailOperation } from './download.ts';
import { healthzOperation, readyzOperation } from './health.ts';
import { listDomainsOperation } from './list-domains.ts';
import { endSessionOperation, extendSessionOperation, showSessionOperation } from './manage-session.ts';
import { readMailOperation } from './read-mail.ts';

export const allOperations: readonly Operation[] = [
  listDomainsOperation,
  createSessionOperation,
  checkMailOperation,
  readMailOperation,
  deleteMailOperation,
  rawMailOperation,
  attachmentOperation,
  showSessionOperation,
  extendSessionOperation,
  endSessionOperation,
  healthzOperation,
  readyzOperation,
];
