// Compares this build of the service with another one (`--against COMMIT`), with other catchers of mail (`--peers`) and
// with smtp-sink, in one run: every round starts a new process of each, and for every shape they take turns, in an order
// that changes with the round. Beside the rate it shows what does not depend on what else the machine does: the
// processor time by thread, and the full collections; and, for builds, what readers wait for.
import { type BenchRun, freshDataDir, scaled, startOn } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { startSmtpSink } from './floor-processes.ts';
import { type FirstMail, measureFirstMail } from './measure-first-mail.ts';
import { listers, mailsPerLister, measureReading, type Reading } from './measure-reading.ts';
import { peers } from './peers/peers.ts';
import { checkStored, createSessions } from './sessions.ts';
import { readMemory, resetPeak } from './process-footprint.ts';
import {
  fewSenders,
  hugeShapes,
  largeShape,
  type Shape,
  smallShapes,
  smtpSourceTraffic,
  toShapeText,
} from './smtp-shapes.ts';
import { readThreadTimes, toThreadCpu } from './thread-cpu.ts';

const shapes = [...fewSenders, ...smallShapes, largeShape];
const leastMessages = 150;
const ownName = 'this build';

/** A running program that takes mail. */
interface Taker {
  readonly smtpPort: number;
  /** Whether it is known to take the largest messages. */
  readonly takesHuge: boolean;
  /** The build that it runs; other programs are not looked into. */
  readonly pid?: number | undefined;
  readonly countCollections?: () => number;
  /** Measures the waits of its readers, and receiving after a restart. */
  readonly read?: () => Promise<Reading & FirstMail>;
  /** Throws unless exactly this many messages were stored. */
  readonly check?: (messages: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Contender {
  readonly name: string;
  readonly start: () => Promise<Taker>;
}

/** One turn of a contender; all but the rate are per message. */
interface Turn {
  readonly perSecond: number;
  readonly mainUs?: number;
  readonly othersUs?: number;
  /** Per 1,000 messages. */
  readonly collections?: number;
  /** The most memory beyond that before, for each connection. */
  readonly growthMb?: number;
}

interface Turns {
  /** By shape and name. */
  readonly receiving: Map<string, Turn[]>;
  /** By name. */
  readonly reading: Map<string, (Reading & FirstMail)[]>;
}

export async function measureBuilds(run: BenchRun): Promise<readonly Figure[]> {
  const contenders = listContenders(run);
  const turns: Turns = { receiving: new Map(), reading: new Map() };
  for (let round = 0; round < run.options.rounds; round += 1) {
    run.say(`round ${round + 1} of ${run.options.rounds}: ${contenders.map(({ name }) => name).join(', ')}`);
    await playRound(run, round % 2 === 0 ? contenders : contenders.toReversed(), turns);
  }
  const others = contenders.map(({ name }) => name).filter((name) => name !== ownName);
  const against = run.options.against?.name;
  return [
    ...[...shapes, ...hugeShapes].flatMap((shape) => toFigures(shape, turns, { others, against })),
    ...toReadingFigures(turns, against),
  ];
}

function listContenders(run: BenchRun): readonly Contender[] {
  const { against, peersFolder } = run.options;
  const inBuild = (name: string, build: string): Contender => ({ name, start: () => startBuild(run, build) });
  return [
    inBuild(ownName, run.serviceBuild),
    ...(against ? [inBuild(against.name, against.build)] : []),
    { name: 'smtp-sink', start: startSink },
    ...(peersFolder === undefined
      ? []
      : peers.map(({ name, start }) => ({
          name,
          start: async () => ({ ...(await start(peersFolder, freshDataDir(run))), takesHuge: false }),
        }))),
  ];
}

async function startSink(): Promise<Taker> {
  const { port, stop } = await startSmtpSink();
  return { smtpPort: port, stop, takesHuge: true };
}

async function startBuild(run: BenchRun, build: string): Promise<Taker> {
  const service = await startOn(run, freshDataDir(run), { build, tracesCollections: true });
  const most = Math.max(...shapes.map((shape) => messagesOf(run, shape)));
  const sessions = await createSessions(service.httpPort, most, smtpSourceTraffic.toPrefix);
  return {
    ...service,
    takesHuge: true,
    check: (messages) => checkStored(service.httpPort, sessions, messages),
    read: async () => ({ ...(await measureReading(run, service)), ...(await measureFirstMail(run, build)) }),
  };
}

function messagesOf(run: BenchRun, shape: Shape): number {
  return scaled(run, shape.messages, leastMessages);
}

async function playRound(
  run: BenchRun,
  contenders: readonly Contender[],
  { receiving, reading }: Turns,
): Promise<void> {
  const players: (readonly [name: string, Taker])[] = [];
  try {
    for (const { name, start } of contenders) players.push([name, await start()]);
    let sent = 0;
    for (const shape of shapes) {
      const messages = messagesOf(run, shape);
      for (const [name, taker] of players) {
        // A shape's first messages find code that is not compiled for them yet.
        await smtpSourceTraffic.send(shape, taker.smtpPort, messages);
        const key = `${shape.id}/${name}`;
        receiving.set(key, [...(receiving.get(key) ?? []), await takeTurn(shape, taker, messages)]);
      }
      sent += 2 * messages;
    }
    // Takes longer than all the others of a quick run.
    for (const shape of run.options.scale < 1 ? [] : hugeShapes) {
      for (const [name, taker] of players.filter(([, { takesHuge }]) => takesHuge)) {
        const key = `${shape.id}/${name}`;
        receiving.set(key, [...(receiving.get(key) ?? []), await takeTurn(shape, taker, shape.messages)]);
      }
      sent += shape.messages;
    }
    for (const [, taker] of players) await taker.check?.(sent);
    // Takes longer than all the shapes of a quick run.
    const readers = run.options.scale < 1 ? [] : players;
    for (const [name, { read }] of readers) {
      if (read) reading.set(name, [...(reading.get(name) ?? []), await read()]);
    }
  } finally {
    for (const [, taker] of players) await taker.stop();
  }
}

async function takeTurn(shape: Shape, taker: Taker, messages: number): Promise<Turn> {
  const { pid, countCollections, smtpPort } = taker;
  const before = pid === undefined ? undefined : readThreadTimes(pid);
  if (pid !== undefined) resetPeak(pid);
  const memoryBefore = pid === undefined ? 0 : readMemory(pid).residentBytes;
  const collectionsBefore = countCollections?.() ?? 0;
  const { perSecond } = await smtpSourceTraffic.send(shape, smtpPort, messages);
  if (pid === undefined || !before) return { perSecond };
  const { main, others } = toThreadCpu(pid, before, readThreadTimes(pid));
  const collections = (((countCollections?.() ?? 0) - collectionsBefore) / messages) * 1000;
  const growthMb = (readMemory(pid).peakBytes - memoryBefore) / shape.connections / 1e6;
  return { perSecond, mainUs: main / messages, othersUs: others / messages, collections, growthMb };
}

/** The rate against each of the others, and what the build costs against the other build. */
function toFigures(
  shape: Shape,
  turns: Turns,
  { others, against }: { others: readonly string[]; against: string | undefined },
): readonly Figure[] {
  const turnsOf = (name: string): readonly Turn[] => turns.receiving.get(`${shape.id}/${name}`) ?? [];
  const own = turnsOf(ownName);
  if (own.length === 0) return [];
  const figure = (id: string, title: string, values: Pick<Figure, 'unit'> & Values): Figure =>
    toFigure({
      id: `builds-${id}/${shape.id}`,
      title: `${shape.title}: ${title}`,
      shape: toShapeText(shape),
      ...values,
    });
  const rates = others
    .filter((name) => turnsOf(name).length > 0)
    .map((name) => {
      const floor = turnsOf(name).map(({ perSecond }) => perSecond);
      const service = own.map(({ perSecond }) => perSecond);
      return figure(`rate-${name}`, `rate; ${name}`, { unit: '/s', service, floor });
    });
  const old = against === undefined ? undefined : turnsOf(against);
  const isHuge = hugeShapes.includes(shape);
  const titles = costTitles.filter(([name]) => isHuge || name !== 'growthMb');
  const costs = titles.map(([name, title, unit]) => {
    const service = own.map((turn) => turn[name] ?? 0);
    if (!old) return figure(name, title, { unit, service });
    return figure(name, `${title}; ${against}`, { unit, service, floor: old.map((turn) => turn[name] ?? 0) });
  });
  return [...rates, ...costs];
}

interface Values {
  readonly service: readonly number[];
  readonly floor?: readonly number[];
}

const costTitles = [
  ['mainUs', 'main thread', ' µs'],
  ['othersUs', 'other threads', ' µs'],
  ['collections', 'full collections in 1,000 messages', ''],
  ['growthMb', 'memory a connection', ' MB'],
] as const;

const readingTitles = [
  ['wait', '250 to a waiting check-mail, p99', ' ms'],
  ['stream', '250 to the event of a stream, p99', ' ms'],
  ['list', 'first list of a new mail, p99', ' ms'],
  ['firstRead', 'first read-mail, p99', ' ms'],
  ['html', 'html-mail by ticket, p99', ' ms'],
  ['newLists', `${listers} lists at once of ${mailsPerLister} mails that have just come, p99`, ' ms'],
  ['created', 'create-session, durable', '/s'],
  ['first100', 'SMTP ingest, 4 KB, first mail to each session after a restart, 100 kept connections', '/s'],
  ['first20', '– 20 kept connections', '/s'],
] as const;

function toReadingFigures({ reading }: Turns, against: string | undefined): readonly Figure[] {
  const valuesOf = (name: string, what: keyof (Reading & FirstMail)): readonly number[] =>
    (reading.get(name) ?? []).map((turn) => turn[what]);
  if (reading.size === 0) return [];
  return readingTitles.map(([what, title, unit]) =>
    toFigure({
      id: `builds-${what}`,
      title: against === undefined ? title : `${title}; ${against}`,
      shape: 'HTML mail of 12 KB, own client',
      unit,
      service: valuesOf(ownName, what),
      ...(against === undefined ? {} : { floor: valuesOf(against, what) }),
    }),
  );
}
