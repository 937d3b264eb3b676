// Purges the table files of data keys of destroyed keys. There are two files (functions/data-keys.sql): the
// live keys in one move to the other, and an empty file replaces the first. Called by KeyScrubber, on a connection that
// holds the lock for it.

import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { faultKindOf } from '../database/database-fault.ts';

/** The server ends a statement of the scrubbing after this time; copying and checkpoints may take minutes. */
export const scrubStatementMs = 600_000;
const keysAtOnce = 200;
/** The pause between steps, in multiples of the last step's time. */
const restFactor = 1;
/** Passes over a generation while other transactions lock some sessions, and the pauses between them. */
const passesMax = 20;
const passRestMs = 50;
/** For statements in progress when the last key was moved; most take milliseconds. */
const settleMs = 5000;
const settlePollMs = 20;
/** Each may delay look-ups for as long as its lock timeout. */
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

/** Continues with the file being emptied, or starts on one that is due. */
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

/** Returns the generation to be emptied; undefined when none is due. */
async function begin(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<State>(readState);
  const [state] = rows;
  if (!state) throw new Error('mayfly.key_scrubbing has no row.');
  const { generation, emptying, owed, is_torn: isTorn } = state;
  if (emptying !== null) return emptying;
  if (owed === null && !isTorn) return undefined;
  // If the destroyed keys are in the file that gets no new keys, its live keys move to the other file. Otherwise the
  // two swap roles first.
  if (owed !== null && owed !== generation) {
    await client.query('UPDATE mayfly.key_scrubbing SET emptying = $1', [owed]);
    return owed;
  }
  await client.query(
    'UPDATE mayfly.key_scrubbing SET generation = 1 - generation, emptying = generation, is_torn = false',
  );
  return generation;
}

/** Returns false when sessions stay locked by other transactions. */
async function moveAll(client: pg.Client, from: number): Promise<boolean> {
  // An interrupted step leaves what it copied in the other file, without a row that refers to it.
  await client.query('UPDATE mayfly.key_scrubbing SET is_torn = is_torn OR is_moving, is_moving = true');
  let isEmpty = await movePass(client, from);
  for (let pass = 1; !isEmpty && pass < passesMax; pass++) {
    isEmpty = await movePass(client, from);
    if (!isEmpty) await delay(passRestMs);
  }
  await client.query('UPDATE mayfly.key_scrubbing SET is_moving = false');
  return isEmpty;
}

/** Returns true when there was nothing to move. */
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
 * Waits for all transactions open when the last key was moved; false when one stays open. Such a transaction may not
 * see the moved key in its new place, nor, once the file is replaced, in the old one: a backup would lack the key.
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

/** Lists open transactions of users in this database. Every user may see these, unlike their snapshots. */
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
