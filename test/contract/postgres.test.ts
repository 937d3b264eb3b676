// Runs the contract on the PostgreSQL store.

import { mailStoreContract } from './mail-store.ts';
import { usePostgres } from './open-postgres-for-test.ts';

mailStoreContract('PostgreSQL', usePostgres());
