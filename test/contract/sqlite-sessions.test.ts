// Runs the session half of the contract on the SQLite store.

import { sessionStoreContract } from './mail-store.ts';
import { openSqliteForTest } from './open-sqlite-for-test.ts';

sessionStoreContract('SQLite', openSqliteForTest);
