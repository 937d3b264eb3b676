// The files that data keys lie in, of which there are two (migrations/0011-key-generations.sql): rids one of the keys
// destroyed in it, by moving the living ones to the other and replacing it with an empty one. Called by KeyScrubber, on a
// connection that has the lock for it.

import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { faultKindOf } from './database-fault.ts';

const keysAtOnce = 200;
/** Between steps, so many times what the last one took. */
const restFactor = 1;
/** Passes over a generation while some sessions are locked by others, and rests between them. */
const passesMax = 20;
const passRestMs = 50;
/** For statements that were under way when the last key was moved; they mostly take milliseconds. */
const settleMs = 5000;
const settlePollMs = 20;
/** Each may hold look-ups up for as long as its lock timeout. */
const replaceTries = 3;
const replaceRestMs = 500;

type Outcome = 'clean' | 'emptied' | 'hindered';

interface State {
  readonly generation: number;
  readonly emptying: number | null;
  readonly owed: number | null;
  readonly is_torn: boolean;
}

const readState = `SELECT generation, emptying, is_torn, (
    SELECT d.generation FROM mayfly.destroyed_keys d LIMIT 1
  ) AS owed
  FROM mayfly.key_scrubbing`;

/** Goes on with the file that is being emptied, or begins with one that is owed it. */
export async function emptyNext(client: pg.Client): Promise<Outcome> {
  const from = await begin(client);
  if (from === undefined) return 'clean';
  for (let round = 0; round < replaceTries; round++) {
    if (!(await moveAll(client, from))) return 'hindered';
    if (!(await outlastOthers(client))) return 'hindered';
    if (await replace(client)) return 'emptied';
    await delay(replaceRestMs);
  }
  return 'hindered';
}

/** The generation to be emptied; undefined when nothing is owed. */
async function begin(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<State>(readState);
  const [state] = rows;
  if (!state) throw new Error('mayfly.key_scrubbing has no row.');
  const { generation, emptying, owed, is_torn: isTorn } = state;
  if (emptying !== null) return emptying;
  if (owed === null && !isTorn) return undefined;
  // Keys destroyed where no new ones come: those there go to the others. Else the two change places.
  if (owed !== null && owed !== generation) {
    await client.query('UPDATE mayfly.key_scrubbing SET emptying = $1', [owed]);
    return owed;
  }
  await client.query(
    'UPDATE mayfly.key_scrubbing SET generation = 1 - generation, emptying = generation, is_torn = false',
  );
  return generation;
}

/** False when sessions stay locked by others. */
async function moveAll(client: pg.Client, from: number): Promise<boolean> {
  // What a step that is broken off has copied stays in the other file, where no row tells of it.
  await client.query('UPDATE mayfly.key_scrubbing SET is_torn = is_torn OR is_moving, is_moving = true');
  let isEmpty = await movePass(client, from);
  for (let pass = 1; !isEmpty && pass < passesMax; pass++) {
    isEmpty = await movePass(client, from);
    if (!isEmpty) await delay(passRestMs);
  }
  await client.query('UPDATE mayfly.key_scrubbing SET is_moving = false');
  return isEmpty;
}

/** True when there was nothing to move. */
async function movePass(client: pg.Client, from: number): Promise<boolean> {
  let isEmpty = true;
  for (let after: Uint8Array = Buffer.alloc(0); ;) {
    const beganAt = performance.now();
    const { rows } = await client.query<{ last: Buffer | null }>(
      'SELECT mayfly.move_keys($1::smallint, $2, $3) AS last',
      [from, after, keysAtOnce],
    );
    const last = rows[0]?.last ?? null;
    if (last === null) return isEmpty;
    isEmpty = false;
    after = last;
    await delay(restFactor * (performance.now() - beganAt));
  }
}

/**
 * Waits for all transactions that were open when the last key was moved; false when one stays open. It may not see the
 * moved key where it is now, and once the file is replaced, not where it was: a backup would lack the key.
 */
export async function outlastOthers(client: pg.Client): Promise<boolean> {
  const before = await listOthers(client);
  for (const until = performance.now() + settleMs; performance.now() < until; await delay(settlePollMs)) {
    if (before.size === 0) return true;
    const now = await listOthers(client);
    for (const name of before) if (!now.has(name)) before.delete(name);
  }
  return before.size === 0;
}

/** Open transactions of users in this database. Every user may see them here, which is not so of their snapshots. */
async function listOthers(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT l.virtualxid AS name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock' AND l.pid <> pg_backend_pid()
       AND a.usesysid IS NOT NULL
       AND (a.datid IS NULL OR a.datid = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function replace(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ is_done: boolean }>('SELECT mayfly.replace_key_file() AS is_done');
    return rows[0]?.is_done === true;
  } catch (error) {
    if (faultKindOf(error) !== 'busy') throw error;
    return false;
  }
}
