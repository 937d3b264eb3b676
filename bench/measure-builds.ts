// Compares this build of the service with another one (`--against COMMIT`), with other catchers of mail (`--peers`) and
// with smtp-sink, in one run: every round starts a new process of each, and for every shape they take turns, in an order
// that changes with the round. Beside the rate it shows what does not depend on what else the machine does: the
// processor time by thread, and the full collections.
import { type BenchRun, freshDataDir, scaled, startOn } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { startSmtpSink } from './floor-processes.ts';
import { peers } from './peers/peers.ts';
import { checkStored, createSessions } from './sessions.ts';
import {
  fewSenders,
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
  /** The build that it runs; other programs are not looked into. */
  readonly pid?: number | undefined;
  readonly countCollections?: () => number;
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
}

type Turns = Map<string, Turn[]>;

export async function measureBuilds(run: BenchRun): Promise<readonly Figure[]> {
  const contenders = listContenders(run);
  const turns: Turns = new Map();
  for (let round = 0; round < run.options.rounds; round += 1) {
    run.say(`round ${round + 1} of ${run.options.rounds}: ${contenders.map(({ name }) => name).join(', ')}`);
    await playRound(run, round % 2 === 0 ? contenders : contenders.toReversed(), turns);
  }
  const others = contenders.map(({ name }) => name).filter((name) => name !== ownName);
  return shapes.flatMap((shape) => toFigures(shape, turns, { others, against: run.options.against?.name }));
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
      : peers.map(({ name, start }) => ({ name, start: () => start(peersFolder, freshDataDir(run)) }))),
  ];
}

async function startSink(): Promise<Taker> {
  const { port, stop } = await startSmtpSink();
  return { smtpPort: port, stop };
}

async function startBuild(run: BenchRun, build: string): Promise<Taker> {
  const service = await startOn(run, freshDataDir(run), { build, tracesCollections: true });
  const most = Math.max(...shapes.map((shape) => messagesOf(run, shape)));
  const sessions = await createSessions(service.httpPort, most, smtpSourceTraffic.toPrefix);
  return { ...service, check: (messages) => checkStored(service.httpPort, sessions, messages) };
}

function messagesOf(run: BenchRun, shape: Shape): number {
  return scaled(run, shape.messages, leastMessages);
}

async function playRound(run: BenchRun, contenders: readonly Contender[], turns: Turns): Promise<void> {
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
        turns.set(key, [...(turns.get(key) ?? []), await takeTurn(shape, taker, messages)]);
      }
      sent += 2 * messages;
    }
    for (const [, taker] of players) await taker.check?.(sent);
  } finally {
    for (const [, taker] of players) await taker.stop();
  }
}

async function takeTurn(shape: Shape, taker: Taker, messages: number): Promise<Turn> {
  const { pid, countCollections, smtpPort } = taker;
  const before = pid === undefined ? undefined : readThreadTimes(pid);
  const collectionsBefore = countCollections?.() ?? 0;
  const { perSecond } = await smtpSourceTraffic.send(shape, smtpPort, messages);
  if (pid === undefined || !before) return { perSecond };
  const { main, others } = toThreadCpu(pid, before, readThreadTimes(pid));
  const collections = (((countCollections?.() ?? 0) - collectionsBefore) / messages) * 1000;
  return { perSecond, mainUs: main / messages, othersUs: others / messages, collections };
}

/** The rate against each of the others, and what the build costs against the other build. */
function toFigures(
  shape: Shape,
  turns: Turns,
  { others, against }: { others: readonly string[]; against: string | undefined },
): readonly Figure[] {
  const turnsOf = (name: string): readonly Turn[] => turns.get(`${shape.id}/${name}`) ?? [];
  const own = turnsOf(ownName);
  const figure = (id: string, title: string, values: Pick<Figure, 'unit'> & Values): Figure =>
    toFigure({
      id: `builds-${id}/${shape.id}`,
      title: `${shape.title}: ${title}`,
      shape: toShapeText(shape),
      ...values,
    });
  const rates = others.map((name) => {
    const floor = turnsOf(name).map(({ perSecond }) => perSecond);
    const service = own.map(({ perSecond }) => perSecond);
    return figure(`rate-${name}`, `rate; ${name}`, { unit: '/s', service, floor });
  });
  const old = against === undefined ? undefined : turnsOf(against);
  const costs = costTitles.map(([name, title, unit]) => {
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
] as const;
