// Runs the half of the contract about sessions on the SQLite store.

import { sessionStoreContract } from './mail-store.ts';
import { openSqliteForTest } from './open-sqlite-for-test.ts';

sessionStoreContract('SQLite', openSqliteForTest);
