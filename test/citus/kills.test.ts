// Kills workers, the coordinator and nodes in turn under load and restarts them: nothing acknowledged is lost or
// doubled, sessions on the other workers are unaffected, and addresses and sessions agree at the end. The cluster must
// run on this machine. MAYFLY_TEST_CITUS_ROUNDS sets the number of rounds (4).

import { setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { hashToken, toSessionKey } from '#sealing/token';
import { ShardMap } from '#postgres/shard-map';
import { type CitusDatabase, createCitusDatabase, type Machine } from '../support/postgres/citus-cluster.ts';
import {
  countAcknowledged,
  expectWhole,
  type Ledger,
  openLedgers,
  sendAll,
} from '../support/faults/ledger.ts';
import {
  findServer,
  killServer,
  type ServerProcess,
  startServer,
} from '../support/postgres/postgres-machine.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';

const rounds = Number(process.env['MAYFLY_TEST_CITUS_ROUNDS'] ?? 4);
const awayMs = 2500;
const seed = fuzzSeed();

async function readMap(database: CitusDatabase): Promise<ShardMap> {
  const map = new ShardMap({ read: ({ text }) => database.execute(text) as never }, 'mayfly.sessions');
  await map.read();
  return map;
}

function isAt(map: ShardMap, { lent }: Ledger, { port }: Machine): boolean {
  const hash = hashToken(lent.token);
  return hash !== undefined && map.find(toSessionKey(hash))?.port === port;
}

/** Returns addresses and sessions that contradict each other. */
async function findContradictions(database: CitusDatabase): Promise<readonly object[]> {
  const addresses = await database.execute<{ key: string; address: string }>(
    `SELECT encode(session_key, 'hex') AS key, encode(address_key, 'escape') AS address FROM mayfly.addresses
     WHERE free_at IS NULL`,
  );
  const sessions = await database.execute<{ key: string; address: string }>(
    `SELECT encode(key, 'hex') AS key, encode(address_key, 'escape') AS address FROM mayfly.sessions
     WHERE ended_at IS NULL`,
  );
  const name = ({ key, address }: { key: string; address: string }): string => `${key} ${address}`;
  const held = new Set(addresses.map(name));
  const live = new Set(sessions.map(name));
  return [
    ...addresses
      .filter((row) => !live.has(name(row)))
      .map((row) => ({ ...row, is: 'an address without a session' })),
    ...sessions
      .filter((row) => !held.has(name(row)))
      .map((row) => ({ ...row, is: 'a session without an address' })),
  ];
}

it(`${rounds} kills in turn under load (FUZZ_SEED=${seed})`, { timeout: 1_200_000 }, async () => {
  const database = await createCitusDatabase('kills');
  onTestFinished(() => database.drop());
  const map = await readMap(database);
  const servers = new Map<Machine, ServerProcess>();
  for (const machine of database.machines) servers.set(machine, await findServer(database.urlOf(machine)));
  let away: Machine | undefined;
  onTestFinished(async () => {
    if (away) await startServer(servers.get(away)!);
  });
  const nodes = new PostgresNodes(database.url);
  await nodes.start();
  await nodes.start();
  const ledgers = await openLedgers(nodes.at(0), 16);
  for (const worker of database.workers) {
    expect(ledgers.filter((one) => isAt(map, one, worker))).not.toEqual([]);
  }
  let isOver = false;
  const options = { random: createRandom(seed), isOver: () => isOver, paceMs: 60 };
  // Each sender has one session: eight in either half.
  const sending = [ledgers.slice(0, 8), ledgers.slice(8)].map((some) => sendAll(nodes.target, some, options));
  const creating = createOn(nodes, () => isOver);
  const reading = readOn(nodes, ledgers, () => isOver);
  // A node that has not met an address asks the machine of the address, which need not be its session's.
  await timeUntil(() => ledgers.every((one) => one.acknowledged.size > 0), 60_000, 'every address is met');
  const meanwhile: number[] = [];
  const back: number[] = [];
  const answers = { given: 0, asked: 0 };
  for (let round = 0; round < rounds; round++) {
    const turn = round % (database.machines.length + 1);
    const machine = database.machines[(turn + 1) % database.machines.length];
    if (turn === database.machines.length || !machine) {
      await nodes.at(round % 2).stop('SIGKILL');
      await nodes.start({}, round % 2);
    } else {
      const others = ledgers.filter((one) => !isAt(map, one, machine));
      const before = countAcknowledged(others);
      killServer(servers.get(machine)!);
      away = machine;
      reading.statuses.length = 0;
      await delay(awayMs);
      if (machine !== database.coordinator) {
        meanwhile.push(countAcknowledged(others) - before);
        const theirs = reading.statuses.filter(({ ledger }) => others.includes(ledger));
        answers.asked += theirs.length;
        answers.given += theirs.filter(({ status }) => status === 200).length;
        expect(await isDatabaseAway(nodes)).toBe(false);
      } else expect(await isDatabaseAway(nodes)).toBe(true);
      servers.set(machine, await startServer(servers.get(machine)!));
      away = undefined;
    }
    const before = new Map(ledgers.map((one) => [one, one.acknowledged.size]));
    back.push(
      await timeUntil(
        () => ledgers.every((one) => one.acknowledged.size > (before.get(one) ?? 0)),
        60_000,
        'every session takes mail again',
      ),
    );
  }
  isOver = true;
  await Promise.all([...sending, reading.done]);
  const made = await creating;
  for (const ledger of ledgers) await expectWhole(nodes.next(), ledger);
  await timeUntil(
    async () => (await countPrepared(database)) === 0,
    90_000,
    'prepared transactions are finished',
  );
  expect(await findContradictions(database)).toEqual([]);
  process.stdout.write(
    `kills ${rounds}: acknowledged ${countAcknowledged(ledgers)}, lost 0, doubled 0, sessions made ${made}, ` +
      `taken for other workers' sessions while one was away ${meanwhile.join('/')}, ` +
      `and ${answers.given} of ${answers.asked} of their readers answered, ` +
      `all served again after at most ${Math.max(...back)} ms\n`,
  );
  expect(Math.min(...meanwhile)).toBeGreaterThan(0);
  // Those that were being asked of the machine when it was killed may fail.
  expect(answers.given / answers.asked).toBeGreaterThan(0.9);
});

interface ReadStatus {
  readonly ledger: Ledger;
  /** 0 where the node itself was away. */
  readonly status: number;
}

/** Readers of all sessions, at any node: the status of each answer. */
function readOn(nodes: PostgresNodes, ledgers: readonly Ledger[], isOver: () => boolean) {
  const statuses: ReadStatus[] = [];
  const read = async (ledger: Ledger): Promise<void> => {
    while (!isOver()) {
      const headers = { authorization: `Bearer ${ledger.lent.token}` };
      try {
        const answer = await fetch(`${nodes.next().origin}/check-mail`, { headers });
        await answer.arrayBuffer();
        statuses.push({ ledger, status: answer.status });
      } catch {
        statuses.push({ ledger, status: 0 });
      }
      await delay(100);
    }
  };
  return { statuses, done: Promise.all(ledgers.map(read)) };
}

/** Reports /readyz; an overloaded node is not ready either. */
async function isDatabaseAway(nodes: PostgresNodes): Promise<boolean> {
  const answer = await fetch(`${nodes.next().origin}/readyz`);
  const text = await answer.text();
  return answer.status === 503 && text.includes('the database does not answer');
}

/** Creates and ends sessions until `isOver`; returns how many. */
async function createOn(nodes: PostgresNodes, isOver: () => boolean): Promise<number> {
  let made = 0;
  while (!isOver()) {
    try {
      const node = nodes.next();
      const lent = await node.lend();
      made += 1;
      if (made % 3 === 0) {
        await fetch(`${node.origin}/end-session`, {
          method: 'POST',
          headers: { authorization: `Bearer ${lent.token}` },
        });
      }
    } catch {
      // A machine is down.
      await delay(50);
    }
  }
  return made;
}

async function countPrepared(database: CitusDatabase): Promise<number> {
  let count = 0;
  for (const machine of database.machines) {
    const [row] = await database.executeAt<{ count: number }>(
      machine,
      'SELECT recover_prepared_transactions()',
      'SELECT count(*)::int AS count FROM pg_prepared_xacts WHERE database = current_database()',
    );
    count += row?.count ?? 0;
  }
  return count;
}
