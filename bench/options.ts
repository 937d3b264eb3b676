// Parses argv into the measurements to run and for how long. Used only by run.ts.
import { parseArgs } from 'node:util';

export const allGroups = [
  'smtp',
  'latency',
  'http',
  'https',
  'inbound',
  'live',
  'footprint',
  'felt',
  'capture',
  'senders',
  'clients',
  'page',
  'operating',
  'processes',
  'reports',
  'builds',
  'growth',
] as const;
export type Group = (typeof allGroups)[number];
export const stores = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof stores)[number];

/** The groups measured by default. */
const usualGroups: Readonly<Record<StoreName, readonly Group[]>> = {
  sqlite: ['smtp', 'latency', 'http', 'live', 'footprint'],
  // The data folder does not contain the database, so disk is not measured.
  postgres: ['smtp', 'latency', 'http', 'live', 'processes'],
};

export interface Options {
  readonly groups: readonly Group[];
  readonly store: StoreName;
  /** Sessions that `growth` loads, with five messages each. */
  readonly growthSessions: number;
  /** The coordinator of a Citus cluster to measure on; undefined for a PostgreSQL server of the benchmark's own. */
  readonly citusUrl: string | undefined;
  /** Another build to compare with. */
  readonly against: { readonly name: string; readonly build: string } | undefined;
  /** The folder of other catchers' programs to compare with. */
  readonly peersFolder: string | undefined;
  /** Pairs of runs (service, floor) behind each median. */
  readonly rounds: number;
  /** Share of the full number of messages or seconds in a run. */
  readonly scale: number;
  /** How long the latency from end of data to 250 is measured. */
  readonly latencySeconds: number;
  /** The whole run is aborted after this. */
  readonly limitSeconds: number;
}

const usage = `npm run bench [-- options]
  --only ${allGroups.join(',')}   measure only these
  --store ${stores.join('|')}   store of the service (default: sqlite)
  --growth SESSIONS   compare an empty store with one of this many sessions and five times as many messages
  --citus URL   with --growth and --store postgres: use this coordinator's cluster, as a superuser
  --against COMMIT   compare with the build of another commit: the shapes of SMTP, processor by thread, collections;
                     with --only page: first visits
  --peers   compare with Inbucket and Mailpit, which it builds with Go
  --quick   small runs, two pairs each: tests that everything works; figures are rough
  --long    five pairs each, end of data to 250 over 60 s
  --help    this text
`;

/** A wrong option or a request for help: the text to print, and the exit status. */
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

const notCompared = { against: undefined, peersFolder: undefined };

/** Longer, to load millions of rows. */
const growthLimitSeconds = 4 * 3600;

/** The most that a database, runs of several processes, and others to compare with multiply the time by. */
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
    const citusUrl = parseCitus(values.citus, store);
    return {
      groups: ['growth'],
      store,
      growthSessions,
      citusUrl,
      ...notCompared,
      ...length,
      limitSeconds: growthLimitSeconds,
    };
  }
  if (values.citus !== undefined) throw wrong('--citus needs --growth.');
  const compared = { against: parseAgainst(values.against), peersFolder: values.peers };
  const isComparing = values.against !== undefined || values.peers !== undefined;
  const limitSeconds = length.limitSeconds * (store === 'postgres' || isComparing ? slowerBy : 1);
  const groups =
    isComparing && values.only.length === 0 ? (['builds'] as const) : parseGroups(values.only, store);
  const comparable: readonly string[] = values.peers === undefined ? ['builds', 'page'] : ['builds'];
  if (isComparing && !groups.every((group) => comparable.includes(group))) {
    throw wrong('--against measures only builds or page, and --peers only builds.');
  }
  return { groups, store, growthSessions: 0, citusUrl: undefined, ...compared, ...length, limitSeconds };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        store: { type: 'string', default: 'sqlite' },
        growth: { type: 'string' },
        citus: { type: 'string' },
        against: { type: 'string' },
        peers: { type: 'string' },
        quick: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

/** `NAME=FOLDER`, as scripts/bench.mjs passes the commit once it is built. */
function parseAgainst(text: string | undefined): Options['against'] {
  if (text === undefined) return undefined;
  const [, name, build] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || build === undefined) throw wrong('--against takes a commit.');
  return { name, build };
}

function parseStore(text: string): StoreName {
  const store = stores.find((name) => name === text);
  if (store === undefined) throw wrong(`--store must be ${stores.join(' or ')}, not "${text}".`);
  return store;
}

function parseSessions(text: string): number {
  if (/^[1-9]\d{3,7}$/.test(text)) return Number(text);
  throw wrong('--growth takes a number of sessions from 1000 to 99999999.');
}

function parseCitus(text: string | undefined, store: StoreName): string | undefined {
  if (text === undefined) return undefined;
  if (store === 'sqlite') throw wrong('--citus needs --store postgres.');
  if (/^postgres(?:ql)?:\/\/[^/]+\/.+$/.test(text) && URL.canParse(text)) return text;
  throw wrong('--citus takes a URL like postgres://USER@COORDINATOR/DATABASE.');
}

function parseGroups(given: readonly string[], store: StoreName): readonly Group[] {
  const names = given.flatMap((text) => text.split(','));
  const unknown = names.find((name) => !allGroups.some((group) => group === name));
  if (unknown !== undefined) throw wrong(`--only must be ${allGroups.join(', ')}, not "${unknown}".`);
  if (names.includes('growth')) throw wrong('Use --growth SESSIONS for growth.');
  if (names.includes('processes') && store === 'sqlite') {
    throw wrong('Several processes need --store postgres.');
  }
  const sqliteAlone = (['https', 'footprint', 'felt', 'clients', 'page', 'operating'] as const).find((name) =>
    names.includes(name),
  );
  if (sqliteAlone !== undefined && store === 'postgres') {
    throw wrong(`${sqliteAlone} needs --store sqlite.`);
  }
  return names.length === 0 ? usualGroups[store] : allGroups.filter((group) => names.includes(group));
}

function wrong(message: string): OptionsEnd {
  return new OptionsEnd(`bench: ${message}\n${usage}`, 64);
}
