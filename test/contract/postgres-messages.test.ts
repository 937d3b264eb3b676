// Runs the half of the contract about messages on the PostgreSQL store.

import { messageStoreContract } from './mail-store.ts';
import { usePostgres } from './open-postgres-for-test.ts';

messageStoreContract('PostgreSQL', usePostgres());
