// Runs the session half of the contract on the PostgreSQL store, and the contract for stores shared by nodes.

import { describe } from 'vitest';

import { fencedGmailContract } from './gmail-cleanups.ts';
import { leaseContract } from './leases.ts';
import { nodeContract } from './nodes.ts';
import { sessionStoreContract } from './mail-store.ts';
import { usePostgres } from './open-postgres-for-test.ts';

const open = usePostgres();
sessionStoreContract('PostgreSQL', open);
describe('PostgreSQL: leases and nodes', () => {
  leaseContract(open);
  fencedGmailContract(open);
  nodeContract(open);
});
