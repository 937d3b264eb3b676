// Locks between programs that work on one database: PostgreSQL's advisory locks, under numbers of ours.

import type pg from 'pg';

/** Arbitrary, but the same in every version; functions/ take 2 and 6. */
const numbers = { migrate: 1, dropPartitions: 3, copy: 4, distribute: 8 };
const family = 1296123462;

/** Takes the lock until the connection ends. Resolves with false when another connection has it. */
export async function tryLock(client: pg.Client, name: keyof typeof numbers): Promise<boolean> {
  const { rows } = await client.query<{ is_ours: boolean }>(
    `SELECT pg_try_advisory_lock(${family}, ${numbers[name]}) AS is_ours`,
  );
  return rows[0]?.is_ours === true;
}

/** The longest wait for another node's work under a lock, such as a migration. */
const longestWait = '10min';

/** Runs `work` in a transaction that has the lock, once no other transaction has it. */
export async function transactUnderLock<T>(
  client: pg.Client,
  name: keyof typeof numbers,
  work: () => Promise<T>,
): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = '${longestWait}'`);
    await client.query(`SELECT pg_advisory_xact_lock(${family}, ${numbers[name]})`);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The connection itself may have failed.
    await Promise.allSettled([client.query('ROLLBACK')]);
    throw error;
  }
}
