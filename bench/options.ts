// argv → what to measure and for how long. Read by run.ts alone.
import { parseArgs } from 'node:util';

export const allGroups = ['smtp', 'latency', 'http', 'live', 'footprint', 'operating'] as const;
export type Group = (typeof allGroups)[number];

export interface Options {
  readonly groups: readonly Group[];
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

/** @throws OptionsEnd */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  if (values.help) throw new OptionsEnd(usage, 0);
  if (values.quick && values.long) throw wrong('--quick and --long contradict each other.');
  const length = values.quick ? lengths.quick : values.long ? lengths.long : lengths.usual;
  return { groups: parseGroups(values.only), ...length };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        quick: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function parseGroups(given: readonly string[]): readonly Group[] {
  const names = given.flatMap((text) => text.split(','));
  const unknown = names.find((name) => !allGroups.some((group) => group === name));
  if (unknown !== undefined) throw wrong(`--only knows ${allGroups.join(', ')}, not "${unknown}".`);
  return names.length === 0 ? allGroups : allGroups.filter((group) => names.includes(group));
}

function wrong(message: string): OptionsEnd {
  return new OptionsEnd(`bench: ${message}\n${usage}`, 64);
}
