// Measures event streams: the time from the 250 to the event at the client with ten thousand streams open, the memory
// of an idle stream, and the cost to ingest of streams, read and unread.
import { setTimeout as delay } from 'node:timers/promises';

import { type BenchRun, freshDataDir, scaled, takeTurns, type Turns, withService } from './bench-run.ts';
import { createCpuMeter } from './cpu-meter.ts';
import { type Figure, formatCount, toFigure } from './figure.ts';
import { type OpenStreams, openStreams } from './open-streams.ts';
import { readMemory } from './process-footprint.ts';
import { runSmtpDriver } from './run-driver.ts';
import { sampleMessage } from './sample-message.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { type BenchSession, createSessions } from './sessions.ts';
import { connectSmtp, withEndOfData } from './smtp-client.ts';
import { type Latency, toLatency } from './statistics.ts';

const fullStreams = 10_000;
const perSecond = 1000;
const connections = 20;
const bodyBytes = 4096;
const message = withEndOfData(sampleMessage(bodyBytes));
/** Lets the service settle after ten thousand handshakes. */
const settleMs = 3000;
const longestWaitMs = 60_000;
const warmUpSeconds = 2;

/** Sessions without a stream, after those with one. */
const silent = 1000;
/** The first streams are left unread, and each gets this many messages meanwhile. */
const slow = 100;
const messagesPerSlow = 50;

export async function measureLive(run: BenchRun): Promise<readonly Figure[]> {
  const count = scaled(run, fullStreams, 1000);
  return withService(run, freshDataDir(run), async (service) => {
    // One more, which gets no mail.
    const sessions = await createSessions(service.httpPort, count + silent + 1, (index) => `s${index}`);
    const arrivals = new Map<number, number[]>();
    const open = (tokens: readonly BenchSession[]): Promise<OpenStreams> =>
      openStreams(
        service.httpPort,
        tokens.map(({ token }) => token),
        (index) => {
          arrivals.get(index)?.push(performance.now());
        },
      );
    const toSilent = { messages: scaled(run, 20_000, 2000), first: count, count: silent };
    await sendAll(service, toSilent);
    // The thread that parses messages starts with the first stream and is not counted.
    const other = await open(sessions.slice(-1));
    const before = await readSettled(service);
    const idle = sessions.slice(0, count);
    let streams = await open(idle);
    const perStream = ((await readSettled(service)) - before) / count / 1024;
    streams.close();
    other.close();
    const beside = await measureBesideIdle(run, service, { toSilent, open: () => open(idle) });
    streams = await open(idle);
    const latency = await measureLatencies(run, service, { arrivals, count });
    const slowly = await measureBesideSlow(run, service, streams);
    streams.close();
    const shape = toShape(count);
    return [
      ...toLatencyFigures(`${shape}, ${formatCount(perSecond)} messages/s`, latency),
      toFigure({
        id: 'stream-memory',
        title: 'Memory of an idle stream',
        shape,
        unit: ' KB',
        service: [perStream],
      }),
      ...beside,
      toFigure({
        id: 'smtp-beside-slow-readers',
        title: 'Receiving for streams that are not read; floor: they are',
        shape: `${formatCount(slow)} of ${shape}`,
        unit: '/s',
        ...slowly,
      }),
    ];
  });
}

/** Opens and closes the streams for each pair of runs, so that what slows the machine for a while slows both. */
async function measureBesideIdle(
  run: BenchRun,
  service: ServiceProcess,
  { toSilent, open }: { readonly toSilent: Mailing; readonly open: () => Promise<OpenStreams> },
): Promise<readonly Figure[]> {
  run.say(`Receiving beside ${formatCount(toSilent.first)} streams and with none`);
  const send = (): Promise<number> => sendAll(service, toSilent);
  const cpu = {
    beside: createCpuMeter(run, service, toSilent.messages),
    without: createCpuMeter(run, service, toSilent.messages),
  };
  const sendBeside = cpu.beside.around(send);
  const besideStreams = async (): Promise<number> => {
    const streams = await open();
    await delay(settleMs);
    const rate = await sendBeside();
    streams.close();
    await delay(settleMs);
    return rate;
  };
  const turns = await takeTurns(run.options.rounds, besideStreams, cpu.without.around(send));
  const shape = toShape(toSilent.first);
  const title = 'Receiving beside idle streams';
  const id = 'smtp-beside-streams';
  return [
    toFigure({ id, title: `${title}; floor: with no stream`, shape, unit: '/s', ...turns }),
    ...cpu.beside.toFigures({ id, title, shape }),
    ...cpu.without.toFigures({ id: 'smtp-without-streams', title: 'Receiving with no stream', shape }),
  ];
}

function toShape(streams: number): string {
  return `${formatCount(streams)} streams, 4 KB, ${connections} kept connections, own driver`;
}

async function measureBesideSlow(
  run: BenchRun,
  service: ServiceProcess,
  streams: OpenStreams,
): Promise<Turns<number>> {
  run.say('Receiving for readers that do not read');
  const toSlow = { messages: slow * messagesPerSlow, first: 0, count: slow };
  const send = (isReading: boolean) => (): Promise<number> => {
    streams.setReading(isReading, slow);
    return sendAll(service, toSlow);
  };
  return takeTurns(run.options.rounds, send(false), send(true));
}

/** The first seconds are discarded, since new code is not yet compiled. */
async function measureLatencies(
  run: BenchRun,
  service: ServiceProcess,
  streams: { readonly arrivals: Map<number, number[]>; readonly count: number },
): Promise<Latency> {
  const seconds = Math.min(run.options.latencySeconds, 20);
  const many = `${formatCount(perSecond)} messages a second over ${formatCount(streams.count)} streams`;
  run.say(`250 to event at ${many}`);
  await delay(settleMs);
  await measureLatency(service, { ...streams, seconds: warmUpSeconds });
  streams.arrivals.clear();
  return measureLatency(service, { ...streams, seconds });
}

/** As many messages to `count` sessions starting at `first`. */
interface Mailing {
  readonly messages: number;
  readonly first: number;
  readonly count: number;
}

async function readSettled({ pid }: ServiceProcess): Promise<number> {
  await delay(settleMs);
  return readMemory(pid).residentBytes;
}

/** Sends at full speed from a separate process: the one with the streams would be the bottleneck. */
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

/** Sends the messages of each session one by one, far enough apart to tell their events apart. */
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
    // The event can arrive before the 250 is read.
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
