// Event streams: how long from the 250 to the event at the client with ten thousand streams open, what an idle stream
// takes of memory, and what streams and readers that do not read cost the receiving of mail.
import { setTimeout as delay } from 'node:timers/promises';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { type Figure, formatCount, toFigure } from './figure.ts';
import { openStreams } from './open-streams.ts';
import { readMemory } from './process-footprint.ts';
import { runSmtpDriver } from './run-driver.ts';
import { sampleMessage } from './sample-message.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { createSessions } from './sessions.ts';
import { connectSmtp, withEndOfData } from './smtp-client.ts';
import { type Latency, toLatency } from './statistics.ts';

const fullStreams = 10_000;
const perSecond = 1000;
const connections = 20;
const bodyBytes = 4096;
const message = withEndOfData(sampleMessage(bodyBytes));
/** For the service to settle after ten thousand handshakes. */
const settleMs = 3000;
const longestWaitMs = 60_000;

/** Sessions that no stream is for, after those that have one. */
const silent = 1000;
/** Streams that are not read, of the first ones, and the messages that each gets meanwhile. */
const slow = 100;
const messagesPerSlow = 50;

export async function measureLive(run: BenchRun): Promise<readonly Figure[]> {
  const count = scaled(run, fullStreams, 1000);
  return withService(run, freshDataDir(run), async (service) => {
    const sessions = await createSessions(service.httpPort, count + silent, (index) => `s${index}`);
    const messages = scaled(run, 20_000, 2000);
    const toSilent = { messages, first: count, count: silent };
    run.say(`Receiving with no stream and beside ${formatCount(count)}`);
    await sendAll(service, toSilent);
    const without = await measureIngest(run, service, toSilent);
    const arrivals = new Map<number, number[]>();
    // The thread that reads messages starts with the first stream and is not counted to each.
    const other = await openStreams(
      service.httpPort,
      sessions.slice(-1).map(({ token }) => token),
      () => undefined,
    );
    const before = await readSettled(service);
    const tokens = sessions.slice(0, count).map(({ token }) => token);
    const streams = await openStreams(service.httpPort, tokens, (index) => {
      arrivals.get(index)?.push(performance.now());
    });
    const perStream = ((await readSettled(service)) - before) / count / 1024;
    const beside = await measureIngest(run, service, toSilent);
    const seconds = Math.min(run.options.latencySeconds, 20);
    run.say(`250 to event at ${formatCount(perSecond)} messages a second over ${formatCount(count)} streams`);
    const latency = await measureLatency(service, { arrivals, count, seconds });
    run.say('Receiving for readers that do not read');
    const toSlow = { messages: slow * messagesPerSlow, first: 0, count: slow };
    const besideReading = await measureIngest(run, service, toSlow);
    streams.stopReading(slow);
    const besideSlow = await measureIngest(run, service, toSlow);
    streams.close();
    other.close();
    const shape = `${formatCount(count)} streams, 4 KB, ${connections} kept connections, own driver`;
    const title = 'Receiving beside idle streams; floor: with no stream';
    return [
      ...toLatencyFigures(`${shape}, ${formatCount(perSecond)} messages/s`, latency),
      toFigure({
        id: 'stream-memory',
        title: 'Memory of an idle stream',
        shape,
        unit: ' KB',
        service: [perStream],
      }),
      toFigure({ id: 'smtp-beside-streams', title, shape, unit: '/s', service: beside, floor: without }),
      toFigure({
        id: 'smtp-beside-slow-readers',
        title: 'Receiving for streams that are not read; floor: they are',
        shape: `${formatCount(slow)} of ${shape}`,
        unit: '/s',
        service: besideSlow,
        floor: besideReading,
      }),
    ];
  });
}

/** As many messages to `count` sessions from the `first` on. */
interface Mailing {
  readonly messages: number;
  readonly first: number;
  readonly count: number;
}

async function readSettled({ pid }: ServiceProcess): Promise<number> {
  await delay(settleMs);
  return readMemory(pid).residentBytes;
}

async function measureIngest(
  { options }: BenchRun,
  service: ServiceProcess,
  mailing: Mailing,
): Promise<number[]> {
  const rates: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) rates.push(await sendAll(service, mailing));
  return rates;
}

/** As fast as it goes, from a process of its own: the one that holds the streams would be the brake. */
async function sendAll({ smtpPort }: ServiceProcess, { messages, first, count }: Mailing): Promise<number> {
  const { perSecond: rate } = await runSmtpDriver({
    port: smtpPort,
    connections,
    reconnect: false,
    messages,
    recipients: Array.from({ length: count }, (_, index) => `s${first + index}@${domain}`),
    bodyBytes: [bodyBytes],
  });
  return rate;
}

/** Each session gets its messages one by one, far enough apart to be told from each other. */
async function measureLatency(
  { smtpPort }: ServiceProcess,
  { arrivals, count, seconds }: { arrivals: Map<number, number[]>; count: number; seconds: number },
): Promise<Latency> {
  const clients = await Promise.all(Array.from({ length: connections }, () => connectSmtp(smtpPort)));
  const messages = perSecond * seconds;
  const acknowledged = new Map<number, number[]>();
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (let index = next++; index < messages; index = next++) {
        const early = startedAt + (index / perSecond) * 1000 - performance.now();
        if (early > 1) await delay(early);
        const session = (index * 7919) % count;
        if (!arrivals.has(session)) arrivals.set(session, []);
        await client.deliver(`s${session}@${domain}`, message);
        acknowledged.set(session, [...(acknowledged.get(session) ?? []), performance.now()]);
      }
    }),
  );
  await untilAllCame(arrivals, messages);
  await Promise.all(clients.map((client) => client.quit()));
  const waits = [...acknowledged].flatMap(([session, times]) => {
    const came = arrivals.get(session) ?? [];
    if (came.length !== times.length) throw new Error(`${times.length} messages made ${came.length} events.`);
    // The event can be here before the 250 is read.
    return times.map((time, at) => Math.max(0, (came[at] ?? Infinity) - time));
  });
  return toLatency(waits);
}

async function untilAllCame(
  arrivals: ReadonlyMap<number, readonly number[]>,
  messages: number,
): Promise<void> {
  const until = performance.now() + longestWaitMs;
  const count = (): number => [...arrivals.values()].reduce((sum, { length }) => sum + length, 0);
  while (count() < messages && performance.now() < until) await delay(100);
}

function toLatencyFigures(shape: string, latency: Latency): readonly Figure[] {
  const names: readonly (keyof Latency)[] = ['p50', 'p99', 'max'];
  return names.map((name) =>
    toFigure({
      id: `event-latency-${name}`,
      title: `250 to event, ${name}`,
      shape,
      unit: ' ms',
      service: [latency[name]],
    }),
  );
}
