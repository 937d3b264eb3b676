// Runs the message half of the contract on the PostgreSQL store.

import { messageStoreContract } from './mail-store.ts';
import { usePostgres } from './open-postgres-for-test.ts';

messageStoreContract('PostgreSQL', usePostgres());
