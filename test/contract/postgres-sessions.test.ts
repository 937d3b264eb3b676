// Runs the half of the contract about sessions on the PostgreSQL store, and what holds of a store that nodes share.

import { describe } from 'vitest';

import { fencedGmailContract } from './gmail.ts';
import { leaseContract } from './leases.ts';
import { sessionStoreContract } from './mail-store.ts';
import { usePostgres } from './open-postgres-for-test.ts';

const open = usePostgres();
sessionStoreContract('PostgreSQL', open);
describe('PostgreSQL: leases', () => {
  leaseContract(open);
  fencedGmailContract(open);
});
