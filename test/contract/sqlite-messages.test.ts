// Runs the message half of the contract on the SQLite store.

import { messageStoreContract } from './mail-store.ts';
import { openSqliteForTest } from './open-sqlite-for-test.ts';

messageStoreContract('SQLite', openSqliteForTest);
