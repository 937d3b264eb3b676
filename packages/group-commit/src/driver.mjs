// The driver of SQLite. Nothing else names its package: a clone installs version 12, which runs on Node.js 20, and the
// published service version 13, which needs neither a compiler nor a script at its installation
// (scripts/release/service). The contract of the store runs on both. Plain JavaScript, because a worker thread loads it
// unbuilt in tests.
import Database from 'better-sqlite3';

export { Database };
