// Refusals before a recipient was accepted, for the operator: counted in memory by network, stage and cause, and written
// once a minute. Strangers cause them at any rate, so that the number of rows is bounded. Made once by
// create-operating.ts.

import { toWideNetwork } from '#networks/client-network';
import { BoundedTally } from '#telemetry/bounded-tally';
import type { NewRefusal, RefusalStore } from '../../store/refusal-store.ts';
import { addUp, writeRegularly } from './regular-writer.ts';
import { senderDomainOf } from './sender-domain.ts';

export interface EarlyRefusal {
  readonly stage: string;
  /** The name of the reply. */
  readonly cause: string;
  /** Null, or empty, when unknown. */
  readonly remoteAddress: string | null;
  /** As the host called itself, valid or not; empty before it did. */
  readonly helo?: string;
  /** Undefined where no sender was named. */
  readonly mailFrom?: string | null | undefined;
}

export interface EarlyRefusals {
  record(refusal: EarlyRefusal): void;
  /** Writes what was counted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface EarlyRefusalsOptions {
  readonly store: RefusalStore;
  readonly onError: (error: unknown) => void;
  /** The store's clock. */
  readonly clock: () => number;
  readonly everyMs?: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const keptMs = 7 * 24 * hourMs;
/** For all nodes together. */
const rowsMax = 20_000;
/** Networks that this node keeps apart in an hour: of one cause, and in all. */
const bounds = { perGroupMax: 50, max: 500 };
const heloMaxLength = 100;
const unprintable = /[^\x20-\x7e]/g;

type Sample = Pick<NewRefusal, 'lastAt' | 'host' | 'helo' | 'sender'>;

export function createEarlyRefusals(options: EarlyRefusalsOptions): EarlyRefusals {
  const { store, onError, clock, everyMs = minuteMs } = options;
  const tally = new BoundedTally<Sample>(bounds);
  let hour = Math.floor(clock() / hourMs);
  let sweptAt = -Infinity;

  function takeRefusals(): NewRefusal[] {
    const refusals = tally.take().map(({ group, member, count, sample }) => {
      const [stage = '', cause = ''] = group.split(' ');
      return { network: member, stage, cause, count, ...sample };
    });
    const current = Math.floor(clock() / hourMs);
    if (current !== hour) tally.restart();
    hour = current;
    return refusals;
  }

  async function sweep(): Promise<void> {
    const now = clock();
    if (now - sweptAt < hourMs) return;
    sweptAt = now;
    await store.sweepRefusals({ before: now - keptMs, rowsMax });
  }

  return {
    record({ stage, cause, remoteAddress, helo = '', mailFrom }) {
      const host = remoteAddress === '' ? null : remoteAddress;
      const network = host === null ? '' : toWideNetwork(host);
      tally.add(`${stage} ${cause}`, network, {
        lastAt: clock(),
        host,
        helo: helo.slice(0, heloMaxLength).replace(unprintable, '?'),
        sender: mailFrom === undefined ? null : senderDomainOf(mailFrom).replace(unprintable, '?'),
      });
    },
    ...writeRegularly({
      everyMs,
      take: takeRefusals,
      keyOf: ({ network, stage, cause }) => `${network} ${stage} ${cause}`,
      join: addUp,
      waitingMax: 2000,
      write: (refusals) => store.addRefusals(refusals),
      sweep,
      onError,
    }),
  };
}
