// Runs the message half of the contract on a Citus cluster.

import { messageStoreContract } from '../contract/mail-store.ts';
import { useCitus } from './open-citus-for-test.ts';

messageStoreContract('Citus', useCitus('messages'));
