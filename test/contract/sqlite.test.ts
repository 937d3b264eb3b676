// Runs the contract on the SQLite store.

import { mailStoreContract } from './mail-store.ts';
import { openSqliteForTest } from './open-sqlite-for-test.ts';

mailStoreContract('SQLite', openSqliteForTest);
