// Shards of sessions move to another worker and back under load: senders and readers see only errors that a sender
// retries, and nothing acknowledged is lost or doubled.

import { expect, it, onTestFinished } from 'vitest';

import { createCitusDatabase } from '../support/citus-cluster.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll } from '../support/ledger.ts';
import { PostgresNodes, timeUntil } from '../support/postgres-nodes.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';

const seed = fuzzSeed();

/** Returns false while partitions are being created, when Citus moves nothing. */
async function isDone(move: Promise<unknown>): Promise<boolean> {
  try {
    await move;
    return true;
  } catch (error) {
    if (!String(error).includes('could not acquire the lock required to move')) throw error;
    return false;
  }
}

it(`shards move under load (FUZZ_SEED=${seed})`, { timeout: 600_000 }, async () => {
  const database = await createCitusDatabase('moves');
  onTestFinished(() => database.drop());
  const nodes = new PostgresNodes(database.url);
  await nodes.start();
  const ledgers = await openLedgers(nodes.at(0), 8);
  let isOver = false;
  const sending = sendAll(nodes.target, ledgers, {
    ...{ random: createRandom(seed), isOver: () => isOver },
    paceMs: 60,
  });
  const statuses: number[] = [];
  const reading = (async () => {
    while (!isOver) {
      for (const { lent } of ledgers) {
        const headers = { authorization: `Bearer ${lent.token}` };
        const { status } = await fetch(`${nodes.at(0).origin}/check-mail`, { headers });
        statuses.push(status);
      }
    }
  })();
  const [one, two] = database.workers;
  if (!one || !two) throw new Error('Two workers are needed.');
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    const shards = await database.execute<{ id: number }>(
      `SELECT s.shardid::int AS id FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
       JOIN pg_dist_node n ON n.groupid = p.groupid
       WHERE s.logicalrelid = 'mayfly.sessions'::regclass AND n.nodeport = ${from.port}`,
    );
    expect(shards).not.toEqual([]);
    for (const { id } of shards) {
      const move = `SELECT citus_move_shard_placement(${id}, '${from.host}', ${from.port}, '${to.host}', ${to.port},
        shard_transfer_mode => 'force_logical')`;
      await timeUntil(() => isDone(database.execute(move)), 60_000, 'the shard moves');
      const before = countAcknowledged(ledgers);
      await timeUntil(() => countAcknowledged(ledgers) > before + 8, 60_000, 'mail is taken after a move');
    }
  }
  isOver = true;
  await Promise.all([sending, reading]);
  for (const ledger of ledgers) await expectWhole(nodes.at(0), ledger);
  process.stdout.write(`moves: acknowledged ${countAcknowledged(ledgers)}, reads ${statuses.length}\n`);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
