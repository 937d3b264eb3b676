// The cost of a message on one PostgreSQL server and on Citus with one, two and more workers, in turns on the same servers:
// messages a second, and processor time of the service, the coordinator and the workers. 4 KB over 100 connections to
// 15,000 sessions, first to sessions that the node has not met, then to the same again; and sessions created by 20
// connections. The cluster must run on this machine.
// MAYFLY_TEST_CITUS_MESSAGES is how many a run sends (300), MAYFLY_TEST_CITUS_ROUNDS how many runs each store has (1), and
// MAYFLY_TEST_CITUS_SHARDS how many shards a table has (12).

import { expect, it, onTestFinished } from 'vitest';

import { withConnection } from '#postgres/connections';
import { readCpuSeconds } from '../../bench/process-cpu.ts';
import { runSmtpSource } from '../../bench/run-driver.ts';
import {
  type CitusDatabase,
  createEmptyDatabase,
  distributeForTest,
  findMachines,
} from '../support/postgres/citus-cluster.ts';
import { unlimited } from '../support/faults/ledger.ts';
import { useNodeFolder } from '../support/postgres/postgres-nodes.ts';
import { startMayfly } from '../support/service/mayfly-process.ts';
import { findServer } from '../support/postgres/postgres-machine.ts';

const messages = Number(process.env['MAYFLY_TEST_CITUS_MESSAGES'] ?? 300);
const rounds = Number(process.env['MAYFLY_TEST_CITUS_ROUNDS'] ?? 1);
const sessions = 15_000;
/** Sessions that a run creates, a multiple of `creators`. */
const created = messages < 1000 ? 100 : 1000;
/** The default is divided evenly among one, two and three workers. */
const shards = Number(process.env['MAYFLY_TEST_CITUS_SHARDS'] ?? 12);
const dayMs = 86_400_000;

interface Store {
  readonly name: string;
  readonly url: string;
  readonly coordinatorPid: number;
  readonly workerPids: readonly number[];
  stored: number;
}

const kinds = ['unknown', 'known', 'created'] as const;
type Kind = (typeof kinds)[number];
const creators = 20;

interface Run {
  readonly perSecond: number;
  /** Processor time of a message or a session, µs. */
  readonly service: number;
  readonly coordinator: number;
  readonly workers: number;
}

/** Sessions to which `smtp-source` sends, as many as a run has messages at least. */
async function fill(url: string): Promise<void> {
  const key = "decode(md5('costs' || i), 'hex')";
  const address = "convert_to(i || 'a@mayfly.test', 'UTF8')";
  const now = Date.now();
  const ends = now + dayMs;
  const numbers = `generate_series(1, ${sessions}) AS i`;
  await withConnection(url, async (client) => {
    await client.query(`SELECT mayfly.make_bucket(mayfly.bucket_of(${ends}))`);
    await client.query(
      `INSERT INTO mayfly.sessions (created_at, expires_at, latest_end_at, quarantine_ms, bucket, key, token_hash, public_key, salt,
         address, address_key)
       SELECT ${now}, ${ends}, ${ends}, 0, mayfly.bucket_of(${ends}), ${key}, sha256(${key}), sha256(${key} || 'k'),
         ${key}, ${address}, ${address}
       FROM ${numbers}`,
    );
    await client.query(
      `INSERT INTO mayfly.addresses (address_key, session_key) SELECT ${address}, ${key} FROM ${numbers}`,
    );
    await client.query('ANALYZE mayfly.sessions, mayfly.addresses');
  });
}

async function open(database: CitusDatabase, name: string): Promise<Store> {
  onTestFinished(() => database.drop());
  const mayfly = await startMayfly(await useNodeFolder(database.url), { MAYFLY_STORE_URL: database.url });
  await mayfly.stop();
  await fill(database.url);
  const pidOf = async (url: string): Promise<number> => (await findServer(url)).pid;
  return {
    name,
    url: database.url,
    stored: 0,
    coordinatorPid: await pidOf(database.url),
    workerPids: await Promise.all(database.workers.map((worker) => pidOf(database.urlOf(worker)))),
  };
}

async function openPlain(): Promise<Store> {
  return open(await createEmptyDatabase('plain', 0), 'plain PostgreSQL');
}

async function openCitus(workers: number): Promise<Store> {
  const database = await createEmptyDatabase(`workers${workers}`, workers);
  await distributeForTest(database.url, shards);
  return open(database, `Citus, workers: ${workers}`);
}

/** Sends to sessions that the node has not met, again to the same, and creates others. */
async function runOn(store: Store): Promise<Readonly<Record<Kind, Run>>> {
  const mayfly = await startMayfly(await useNodeFolder(store.url), {
    ...unlimited,
    MAYFLY_STORE_URL: store.url,
  });
  const cpu = () => ({
    service: readCpuSeconds(mayfly.child.pid ?? 0),
    coordinator: readCpuSeconds(store.coordinatorPid),
    workers: readCpuSeconds(...store.workerPids),
  });
  const measure = async (count: number, work: () => Promise<unknown>): Promise<Run> => {
    const [before, startedAt] = [cpu(), performance.now()];
    await work();
    const [seconds, after] = [(performance.now() - startedAt) / 1000, cpu()];
    const of = (part: keyof typeof before): number => ((after[part] - before[part]) / count) * 1e6;
    const costs = { service: of('service'), coordinator: of('coordinator'), workers: of('workers') };
    return { perSecond: count / seconds, ...costs };
  };
  const send = async (): Promise<Run> => {
    const job = { port: mayfly.smtpPort, connections: 100, reconnect: false, messages, bodyBytes: 4096 };
    const run = await measure(messages, () => runSmtpSource({ ...job, recipient: 'a@mayfly.test' }));
    store.stored += messages;
    return run;
  };
  const createEach = async (): Promise<void> => {
    for (let count = 0; count < created / creators; count++) await mayfly.lend();
  };
  try {
    return {
      unknown: await send(),
      known: await send(),
      created: await measure(created, () => Promise.all(Array.from({ length: creators }, createEach))),
    };
  } finally {
    await mayfly.stop();
  }
}

/** As `runOn`; anew, with another node, when a busy machine made it turn senders away. */
async function runThrough(store: Store): ReturnType<typeof runOn> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOn(store);
    } catch (error) {
      if (attempt === 5 || !String(error).includes('Overloaded')) throw error;
    }
  }
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

it('messages cost so much on each store', { timeout: 1_200_000 }, async () => {
  const { workers: all } = await findMachines();
  const stores = [await openPlain()];
  for (let workers = 1; workers <= all.length; workers++) stores.push(await openCitus(workers));
  const runs = new Map(stores.map((store) => [store, [] as Awaited<ReturnType<typeof runOn>>[]]));
  for (let round = 0; round < rounds; round++) {
    for (const store of stores) runs.get(store)?.push(await runThrough(store));
  }
  const [plain] = stores;
  for (const store of stores) {
    const rows = await withConnection(store.url, (client) =>
      client.query<{ sum: number }>('SELECT sum(message_count)::int AS sum FROM mayfly.sessions'),
    );
    expect(rows.rows[0]?.sum).toBeGreaterThanOrEqual(store.stored);
    for (const kind of kinds) {
      const all = (runs.get(store) ?? []).map((run) => run[kind]);
      const ratios = all.map(
        ({ perSecond }, at) => perSecond / (runs.get(plain!)?.[at]?.[kind].perSecond ?? NaN),
      );
      const medians = (['perSecond', 'service', 'coordinator', 'workers'] as const).map(
        (part) => `${part} ${Math.round(medianOf(all.map((run) => run[part])))}`,
      );
      process.stdout.write(
        `costs: ${store.name}, ${kind}: ${medians.join(', ')}; to plain ${medianOf(ratios).toFixed(2)} ` +
          `(${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})\n`,
      );
    }
  }
});
