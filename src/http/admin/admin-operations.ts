// Every operation of the admin interface. Those of further parts join here.

import type { AdminOperation } from './admin-operation.ts';
import { blockOperations } from './block-operations.ts';
import { domainOperations } from './domain-operations.ts';
import { gmailOperations } from './gmail-operations.ts';
import { keyOperations } from './key-operations.ts';
import { serviceOperations } from './service-operations.ts';
import { sessionOperations } from './session-operations.ts';

export const adminOperations: readonly AdminOperation[] = [
  ...serviceOperations,
  ...domainOperations,
  ...gmailOperations,
  ...keyOperations,
  ...sessionOperations,
  ...blockOperations,
];
