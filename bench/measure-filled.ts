// Measures the cost of very many sessions and messages: ingest and check-mail on a full store, in turns with an empty
// one, which is the floor. Then a fifth of the sessions ends at once while mail comes in. Enabled by --growth.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import {
  type BenchRun,
  databaseOf,
  freshDataDir,
  scaled,
  startOn,
  takeTurns,
  type Turns,
} from './bench-run.ts';
import type { DriverResult } from './driver-job.ts';
import { type Figure, formatCount, toFigure } from './figure.ts';
import { postgresFilledStore } from './fill-postgres.ts';
import { sqliteFilledStore } from './fill-sqlite.ts';
import { type FilledStore, messagesEach, toFilledPrefix } from './filled-store.ts';
import { formatRequest } from './http-client.ts';
import { fillMailboxes } from './mailboxes.ts';
import { readCpuSeconds } from './process-cpu.ts';
import { runHttpDriver, runSmtpDriver } from './run-driver.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { createSessions } from './sessions.ts';
import { toPairedRatio, toSpread } from './statistics.ts';

const ownSessions = 1000;
const warmMailboxes = 20;
const connections = 100;
const readers = 20;
const secondsPerRun = 2;
/** Time until that fifth expires, to let the service start first. */
const dueInMs = 15_000;
const unreadableLimitMs = 600_000;

const own = Array.from({ length: ownSessions }, (_, index) => `s${index}@${domain}`);

/** Includes the CPU time per operation, in the service and in the databases together. */
type Costed = DriverResult & { readonly cpuMicros: number };

interface Contender {
  readonly dataDir: string;
  readonly checks: readonly string[];
  service: ServiceProcess;
}

export async function measureFilled(run: BenchRun): Promise<readonly Figure[]> {
  const { growthSessions: sessions } = run.options;
  const [full, empty] = [await prepare(run), await prepare(run)];
  await full.service.stop();
  const store = openFilledStore(run, full.dataDir);
  run.say(`Loading ${formatCount(sessions)} sessions, ${formatCount(sessions * messagesEach)} messages`);
  const loadStartedAt = performance.now();
  await store.load(sessions);
  const loadSeconds = (performance.now() - loadStartedAt) / 1000;
  run.say(`Loaded in ${loadSeconds.toFixed(0)} s`);
  full.service = await startOn(run, full.dataDir);
  const startMs = full.service.readyMs;
  // Restarted to be as young as the other: code gets faster the longer it runs.
  await empty.service.stop();
  empty.service = await startOn(run, empty.dataDir);
  const emptyStartMs = empty.service.readyMs;

  const load = `${formatCount(sessions)} sessions and ${formatCount(sessions * messagesEach)} messages of 1 KB present`;
  run.say('Ingest and check-mail, full and empty');
  const ingest = await takeTurns(run.options.rounds, send(run, full, own), send(run, empty, own));
  sayRatio(run, 'Ingest', ingest);
  const scattered = await takeTurns(
    run.options.rounds,
    // As many addresses as a run has messages: mostly each to a session untouched since the start.
    send(run, full, scatter(sessions, messagesOf(run))),
    send(run, empty, own),
  );
  sayRatio(run, 'Ingest, scattered', scattered);
  const check = await takeTurns(run.options.rounds, ask(run, full), ask(run, empty));
  sayRatio(run, 'check-mail', check);
  const ended = await endTogether(run, { full, empty, store, before: ingest });
  await full.service.stop();
  await empty.service.stop();
  const shape = `4 KB, ${connections} kept connections, own driver; ${load}; floor: none`;
  const inUse = {
    id: 'growth-ingest',
    title: `Ingest to ${formatCount(ownSessions)} sessions in use`,
    shape,
  };
  const atRandom = { id: 'growth-scattered', title: 'Ingest to sessions scattered over all', shape };
  const list = `unchanged list of 20, ${readers} kept connections; ${load}; floor: none`;
  return [
    ...toPair(inUse, ingest),
    ...toPair(atRandom, scattered),
    ...toPair({ id: 'growth-check-mail', title: 'check-mail', shape: list }, check),
    ...toDurations(load, { loadSeconds, startMs, emptyStartMs }),
    ...ended,
  ];
}

/** Keeps the result readable if a later part fails. */
function sayRatio(run: BenchRun, what: string, { service, floor }: Turns<Costed>): void {
  const rates = (results: readonly Costed[]): number[] => results.map(({ perSecond }) => perSecond);
  const ratio = toPairedRatio(rates(service), rates(floor));
  run.say(
    `${what}: full ${rates(service).map(Math.round).join(', ')}, empty ${rates(floor).map(Math.round).join(', ')}; ` +
      `ratio ${ratio.median.toFixed(2)}`,
  );
}

function toDurations(
  shape: string,
  took: { readonly loadSeconds: number; readonly startMs: number; readonly emptyStartMs: number },
): Figure[] {
  const start = { id: 'growth-start', title: 'Start to ready', shape: `${shape}; floor: none`, unit: ' ms' };
  return [
    toFigure({ id: 'growth-load', title: 'Loading', shape, unit: ' s', service: [took.loadSeconds] }),
    toFigure({ ...start, service: [took.startMs], floor: [took.emptyStartMs] }),
  ];
}

async function prepare(run: BenchRun): Promise<Contender> {
  const dataDir = freshDataDir(run);
  const service = await startOn(run, dataDir);
  await createSessions(service.httpPort, ownSessions, (index) => `s${index}`);
  const mailboxes = await fillMailboxes(service, warmMailboxes);
  const checks = mailboxes.map(({ token }) => formatRequest('GET', '/check-mail', token));
  return { dataDir, service, checks };
}

function openFilledStore({ postgres }: BenchRun, dataDir: string): FilledStore {
  if (postgres) return postgresFilledStore(postgres, databaseOf(dataDir));
  return sqliteFilledStore(path.join(dataDir, 'mayfly.db'));
}

function messagesOf(run: BenchRun): number {
  return scaled(run, 15_000, 2000);
}

/** Returns addresses spread evenly over all loaded ones, except those that end together. */
function scatter(sessions: number, count: number): string[] {
  const step = Math.max(1, Math.floor(sessions / count));
  return Array.from({ length: Math.min(sessions, count) }, (_, at) => toFilledPrefix(at * step + 1))
    .filter((prefix) => prefix.startsWith('g'))
    .map((prefix) => `${prefix}@${domain}`);
}

function send(run: BenchRun, contender: Contender, recipients: readonly string[]): () => Promise<Costed> {
  const messages = messagesOf(run);
  const job = { connections, reconnect: false, messages, recipients, bodyBytes: [4096] };
  return () => costed(run, contender, () => runSmtpDriver({ ...job, port: contender.service.smtpPort }));
}

function ask(run: BenchRun, contender: Contender): () => Promise<Costed> {
  const job = { connections: readers, seconds: scaled(run, secondsPerRun, 1), requests: contender.checks };
  return () => costed(run, contender, () => runHttpDriver({ ...job, port: contender.service.httpPort }));
}

/** The other contender is idle meanwhile. */
async function costed(
  { postgres }: BenchRun,
  { service }: Contender,
  work: () => Promise<DriverResult>,
): Promise<Costed> {
  const read = (): number => readCpuSeconds(service.pid, ...(postgres?.pids ?? []));
  const before = read();
  const result = await work();
  return { ...result, cpuMicros: ((read() - before) / result.done) * 1_000_000 };
}

/** Makes the figures of rate, with a target near the floor's, and of latency. */
function toPair(
  { id, title, shape }: Pick<Figure, 'id' | 'title' | 'shape'>,
  turns: Turns<Costed>,
): Figure[] {
  const of = (suffix: string, unit: string, read: (result: Costed) => number): Figure =>
    toFigure({
      id: id + suffix,
      title: title + suffix.replace('-', ', '),
      shape,
      unit,
      service: turns.service.map(read),
      floor: turns.floor.map(read),
    });
  return [
    of('', '/s', ({ perSecond }) => perSecond),
    of('-p99', ' ms', ({ latencyMs }) => latencyMs.p99),
    of('-processor', ' µs', ({ cpuMicros }) => cpuMicros),
  ];
}

interface Ending {
  readonly full: Contender;
  readonly empty: Contender;
  readonly store: FilledStore;
  /** Ingest of the full store and of the empty one, before any session ended. */
  readonly before: Turns<Costed>;
}

/** Measures the time until a fifth of the store's sessions have ended while mail comes in, and then the cost of reclaiming. */
async function endTogether(
  run: BenchRun,
  { full, empty, store, before }: Ending,
): Promise<readonly Figure[]> {
  await full.service.stop();
  const dueAt = Date.now() + dueInMs;
  const ending = await store.endAt(dueAt);
  full.service = await startOn(run, full.dataDir);
  const mail = `${formatCount(ending * messagesEach)} messages of ${formatCount(ending)} sessions`;
  run.say(`The end of ${mail}, while mail comes in`);
  const counting = untilEnded(store, dueAt);
  let isOver = false;
  const finished = counting.finally(() => (isOver = true));
  while (!isOver) await send(run, full, own)();
  const unreadableMs = await finished;
  const left = await store.countUnreclaimed();
  const during = await takeTurns(run.options.rounds, send(run, full, own), send(run, empty, own));
  const leftAfter = await store.countUnreclaimed();
  // Divides by the empty store's rate, which suffers from the same disturbances of the machine.
  const rate = (results: readonly Costed[]): number => toSpread(results.map((one) => one.perSecond)).median;
  const pace = rate(before.floor) / rate(during.floor);
  return [
    toFigure({
      id: 'growth-unreadable',
      title: 'Until all have ended',
      shape: `${mail} end at once while mail comes in as fast as it goes`,
      unit: ' s',
      service: [unreadableMs / 1000],
    }),
    toFigure({
      id: 'growth-reclaiming',
      title: 'Ingest while their space is reclaimed; floor: before',
      shape: `${formatCount(left)} messages to reclaim at first, ${formatCount(leftAfter)} at the end`,
      unit: '/s',
      service: during.service.map(({ perSecond }) => perSecond * pace),
      floor: before.service.map(({ perSecond }) => perSecond),
    }),
  ];
}

/** Returns ms since `dueAt`. @throws Error when it takes too long */
async function untilEnded(store: FilledStore, dueAt: number): Promise<number> {
  await delay(Math.max(0, dueAt - Date.now()));
  while (Date.now() < dueAt + unreadableLimitMs) {
    if ((await store.countUnended(dueAt)) === 0) return Date.now() - dueAt;
    await delay(250);
  }
  throw new Error(
    `${await store.countUnended(dueAt)} sessions have not ended ${unreadableLimitMs / 1000} s after they expired.`,
  );
}
