// argv → what to measure and for how long. Read by run.ts alone.
import { parseArgs } from 'node:util';

export const allGroups = [
  'smtp',
  'latency',
  'http',
  'live',
  'footprint',
  'felt',
  'capture',
  'clients',
  'page',
  'operating',
  'processes',
  'growth',
] as const;
export type Group = (typeof allGroups)[number];
export const stores = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof stores)[number];

/** What is measured when nothing is named. */
const usualGroups: Readonly<Record<StoreName, readonly Group[]>> = {
  sqlite: ['smtp', 'latency', 'http', 'live', 'footprint'],
  // A data folder says nothing about a database's space.
  postgres: ['smtp', 'latency', 'http', 'live', 'processes'],
};

export interface Options {
  readonly groups: readonly Group[];
  readonly store: StoreName;
  /** Sessions that `growth` loads, with five messages each. */
  readonly growthSessions: number;
  /** Pairs of runs (service, floor) behind each median. */
  readonly rounds: number;
  /** Share of the full number of messages and of the full seconds in a run. */
  readonly scale: number;
  /** How long end of data to 250 is watched. */
  readonly latencySeconds: number;
  /** After this the whole run is given up. */
  readonly limitSeconds: number;
}

const usage = `npm run bench [-- options]
  --only ${allGroups.join(',')}   measure these alone
  --store ${stores.join('|')}   what the service keeps everything in (default: sqlite)
  --growth SESSIONS   the figures beside those with so many sessions and five times as many messages
  --quick   small runs, two pairs each: shows that everything works, its figures are rough
  --long    five pairs each, end of data to 250 over 60 s
  --help    this text
`;

/** A wrong option, or a request for help: what to print, and the exit status. */
export class OptionsEnd extends Error {
  override readonly name = 'OptionsEnd';
  readonly status: number;
  constructor(text: string, status: number) {
    super(text);
    this.status = status;
  }
}

const lengths = {
  usual: { rounds: 3, scale: 1, latencySeconds: 20, limitSeconds: 900 },
  quick: { rounds: 2, scale: 0.15, latencySeconds: 3, limitSeconds: 240 },
  long: { rounds: 5, scale: 1, latencySeconds: 60, limitSeconds: 1800 },
} as const;

/** Loading millions takes its time. */
const growthLimitSeconds = 4 * 3600;

/** A database beside the service, and the runs of several processes, take that much longer at most. */
const slowerBy = 2;

/** @throws OptionsEnd */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  const store = parseStore(values.store);
  if (values.help) throw new OptionsEnd(usage, 0);
  if (values.quick && values.long) throw wrong('--quick and --long contradict each other.');
  const length = values.quick ? lengths.quick : values.long ? lengths.long : lengths.usual;
  if (values.growth !== undefined) {
    if (values.only.length > 0) throw wrong('--growth and --only contradict each other.');
    const growthSessions = parseSessions(values.growth);
    return { groups: ['growth'], store, growthSessions, ...length, limitSeconds: growthLimitSeconds };
  }
  const limitSeconds = length.limitSeconds * (store === 'postgres' ? slowerBy : 1);
  return { groups: parseGroups(values.only, store), store, growthSessions: 0, ...length, limitSeconds };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        store: { type: 'string', default: 'sqlite' },
        growth: { type: 'string' },
        quick: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function parseStore(text: string): StoreName {
  const store = stores.find((name) => name === text);
  if (store === undefined) throw wrong(`--store knows ${stores.join(' and ')}, not "${text}".`);
  return store;
}

function parseSessions(text: string): number {
  if (/^[1-9]\d{3,7}$/.test(text)) return Number(text);
  throw wrong('--growth takes a number of sessions from 1000 to 99999999.');
}

function parseGroups(given: readonly string[], store: StoreName): readonly Group[] {
  const names = given.flatMap((text) => text.split(','));
  const unknown = names.find((name) => !allGroups.some((group) => group === name));
  if (unknown !== undefined) throw wrong(`--only knows ${allGroups.join(', ')}, not "${unknown}".`);
  if (names.includes('growth')) throw wrong('growth is asked for by --growth SESSIONS.');
  if (names.includes('processes') && store === 'sqlite') {
    throw wrong('Several processes need --store postgres.');
  }
  const sqliteAlone = (['footprint', 'felt', 'clients', 'page', 'operating'] as const).find((name) =>
    names.includes(name),
  );
  if (sqliteAlone !== undefined && store === 'postgres') {
    throw wrong(`${sqliteAlone} measures --store sqlite.`);
  }
  return names.length === 0 ? usualGroups[store] : allGroups.filter((group) => names.includes(group));
}

function wrong(message: string): OptionsEnd {
  return new OptionsEnd(`bench: ${message}\n${usage}`, 64);
}
