// Runs the session half of the contract on a Citus cluster, and the contract for stores shared by nodes.

import { describe } from 'vitest';

import { fencedGmailContract } from '../contract/gmail-cleanups.ts';
import { leaseContract } from '../contract/leases.ts';
import { nodeContract } from '../contract/nodes.ts';
import { sessionStoreContract } from '../contract/mail-store.ts';
import { useCitus } from './open-citus-for-test.ts';

const open = useCitus('sessions');
sessionStoreContract('Citus', open);
describe('Citus: leases and nodes', () => {
  leaseContract(open);
  fencedGmailContract(open);
  nodeContract(open);
});
