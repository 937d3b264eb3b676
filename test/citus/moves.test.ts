// Shards of sessions move to another worker and back, and to a worker that is added, under load: senders and readers see
// only errors that a sender retries, and nothing acknowledged is lost or doubled.

import { expect, it, onTestFinished } from 'vitest';

import {
  type CitusDatabase,
  createCitusDatabase,
  createEmptyDatabase,
  distributeForTest,
  findMachines,
  type Machine,
} from '../support/postgres/citus-cluster.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll } from '../support/faults/ledger.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';

const seed = fuzzSeed();

interface Load {
  countAcknowledged(): number;
  /** Ends it. Expects all mail that was acknowledged, and no error for a reader. */
  finish(name: string): Promise<void>;
}

/** Starts a node, eight senders and a reader of all their sessions. */
async function startLoad(database: CitusDatabase): Promise<Load> {
  const nodes = new PostgresNodes(database.url);
  await nodes.start();
  const ledgers = await openLedgers(nodes.at(0), 8);
  let isOver = false;
  const sending = sendAll(nodes.target, ledgers, {
    random: createRandom(seed),
    isOver: () => isOver,
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
  const count = (): number => countAcknowledged(ledgers);
  const finish = async (name: string): Promise<void> => {
    isOver = true;
    await Promise.all([sending, reading]);
    for (const ledger of ledgers) await expectWhole(nodes.at(0), ledger);
    process.stdout.write(`${name}: acknowledged ${count()}, reads ${statuses.length}\n`);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  };
  return { countAcknowledged: count, finish };
}

async function expectMail(load: Load): Promise<void> {
  const before = load.countAcknowledged();
  await timeUntil(() => load.countAcknowledged() > before + 8, 60_000, 'mail is taken after a move');
}

async function listShards(database: CitusDatabase, { port }: Machine): Promise<readonly number[]> {
  const shards = await database.execute<{ id: number }>(
    `SELECT s.shardid::int AS id FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
     JOIN pg_dist_node n ON n.groupid = p.groupid
     WHERE s.logicalrelid = 'mayfly.sessions'::regclass AND n.nodeport = ${port}`,
  );
  return shards.map(({ id }) => id);
}

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
  const load = await startLoad(database);
  const [one, two] = database.workers;
  if (!one || !two) throw new Error('Two workers are needed.');
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    const shards = await listShards(database, from);
    expect(shards).not.toEqual([]);
    for (const id of shards) {
      const move = `SELECT citus_move_shard_placement(${id}, '${from.host}', ${from.port}, '${to.host}', ${to.port},
        shard_transfer_mode => 'force_logical')`;
      await timeUntil(() => isDone(database.execute(move)), 60_000, 'the shard moves');
      await expectMail(load);
    }
  }
  await load.finish('moves');
});

it(
  `a worker is added and shards are rebalanced under load (FUZZ_SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    const { workers } = await findMachines();
    const added = workers.at(-1);
    if (!added || workers.length < 2) throw new Error('Two workers are needed.');
    const database = await createEmptyDatabase('rebalance', workers.length - 1);
    onTestFinished(() => database.drop());
    await distributeForTest(database.url);
    onTestFinished(() => database.dropAt(added));
    const load = await startLoad(database);
    await database.createAt(added);
    await database.execute(`SELECT citus_add_node('${added.host}', ${added.port})`);
    expect(await listShards(database, added)).toEqual([]);
    await database.execute('SELECT citus_rebalance_start()');
    // An error if a move failed for good; Citus repeats those that a lock delayed.
    await database.execute('SELECT citus_rebalance_wait()');
    expect(await listShards(database, added)).not.toEqual([]);
    await expectMail(load);
    await load.finish('rebalance');
  },
);
