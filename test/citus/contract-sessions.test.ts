// Runs the half of the contract about sessions on a Citus cluster, and what holds of a store that nodes share.

import { describe } from 'vitest';

import { fencedGmailContract } from '../contract/gmail.ts';
import { leaseContract } from '../contract/leases.ts';
import { sessionStoreContract } from '../contract/mail-store.ts';
import { useCitus } from './open-citus-for-test.ts';

const open = useCitus('sessions');
sessionStoreContract('Citus', open);
describe('Citus: leases', () => {
  leaseContract(open);
  fencedGmailContract(open);
});
