// A line of the result: the values for the service and for its floor, and the target.
import { type Spread, toPairedRatio, toSpread } from './statistics.ts';

export interface Figure {
  /** Stable name for comparing two results. */
  readonly id: string;
  readonly title: string;
  /** The shape of the traffic: the driver, the number of connections and of sessions. */
  readonly shape: string;
  readonly unit: string;
  readonly service: Spread;
  readonly floor?: Spread;
  /** Service to floor, per pair of runs. */
  readonly ratio?: Spread;
  /** The target as a least ratio; absent for none. */
  readonly wantedRatio?: number;
  /** The target as a largest value in the figure's unit; absent for none. */
  readonly wantedMost?: number;
  /** The target as a largest ratio to the floor, which takes precedence: `wantedMost` is for a quiet machine. */
  readonly wantedMostRatio?: number;
  /** Share of a core that our own driver used while driving the floor. */
  readonly driverLoad?: number;
}

interface Measured {
  readonly id: string;
  readonly title: string;
  readonly shape: string;
  readonly unit: string;
  readonly service: readonly number[];
  readonly floor?: readonly number[];
  readonly driverLoad?: number;
}

/**
 * Targets as least ratios to the floor. They hold for either driver, so they are keyed by the figure's `id` without
 * its leading driver name.
 */
const wantedRatios: Readonly<Record<string, number>> = {
  'smtp-4k-100': 0.45,
  'smtp-75k-20': 0.35,
  'capture-ingest': 0.9,
  'mailpit-list': 0.25,
  'check-mail': 0.25,
  'https-check-mail': 0.8,
  'https-read-mail': 0.8,
  'read-mail-cached': 0.3,
  'operating-ingest': 0.9,
  'operating-check-mail': 0.9,
  'smtp-beside-streams': 0.9,
  'smtp-beside-slow-readers': 0.9,
  'growth-ingest': 0.85,
  'growth-check-mail': 0.85,
  'growth-reclaiming': 0.9,
};

/** Targets as largest values, whatever the floor, each in the figure's unit. */
const wantedMosts: Readonly<Record<string, number>> = {
  'event-latency-p99': 20,
  'inbound-stored-p99': 20,
  'stream-memory': 25,
  'read-mail-first-p99': 30,
  'report-cpu-p50': 10,
  'mailosaur-wait-p99': 50,
  'sender-readable-p99': 10,
  'sender-readable-dev-p99': 10,
  'dev-command': 500,
  'client-code-p99': 30,
  'growth-unreadable': 60,
  'felt-memory': 110,
  'page-bytes': 60,
  'page-address': 1000,
  'page-address-slow': 900,
  'page-inp-p98': 50,
  'page-shift': 0.01,
  'page-heap': 12,
};

/** Time of the floor, `node -e 0`, on a quiet machine, for the latencies seen by one person. */
const quietNodeMs = 50;
const wantedWaits: Readonly<Record<string, number>> = {
  'felt-start-p99': 200,
  'felt-first-code-p99': 60,
  'felt-first-look-p99': 80,
  'felt-rested-look-p99': 80,
  'felt-lists-p99': 150,
  'felt-new-lists-p99': 150,
  'felt-chain-cold-html-p99': 250,
  'felt-chain-warm-html-p99': 100,
};

/** Makes the figure of several runs; `floor` is absent or pairs with `service`. */
export function toFigure({ service, floor, ...named }: Measured): Figure {
  const measurement = named.id.split('/', 1).join('');
  const wantedRatio = wantedRatios[measurement];
  const wantedWait = wantedWaits[measurement];
  const wantedMost = wantedWait ?? wantedMosts[measurement];
  return {
    ...named,
    service: toSpread(service),
    ...(floor && { floor: toSpread(floor) }),
    // A ratio to nothing says nothing.
    ...(floor?.every((value) => value > 0) && { ratio: toPairedRatio(service, floor) }),
    ...(wantedRatio !== undefined && { wantedRatio }),
    ...(wantedMost !== undefined && { wantedMost }),
    ...(wantedWait !== undefined && { wantedMostRatio: wantedWait / quietNodeMs }),
  };
}

/** Formats a number for the text of a shape. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

/** Reports whether the figure meets its target; undefined without one. */
export function isGoodEnough(figure: Figure): boolean | undefined {
  const { service, ratio, wantedRatio, wantedMost, wantedMostRatio } = figure;
  if (wantedMostRatio !== undefined) return ratio !== undefined && ratio.median <= wantedMostRatio;
  if (wantedMost !== undefined) return service.median <= wantedMost;
  if (wantedRatio === undefined) return undefined;
  return ratio !== undefined && ratio.median >= wantedRatio;
}
