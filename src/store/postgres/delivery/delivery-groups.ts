// The group commit of a node: deliveries waiting at the same moment share one statement, one round trip and one fsync.
// The next ones gather while groups are being committed. Every delivery that fits in memory goes through here.

import type { Connections } from '#postgres/connections';
import { type FaultKind, faultKindOf } from '#postgres/fault-kind';
import type { Delivery, DeliveryOutcome } from '../../mail-store.ts';
import type { StoreObserver } from '../../store-observer.ts';
import { unavailable } from '../database/callers-error.ts';
import {
  type DeliveryCopy,
  type DeliverySettings,
  type GroupRow,
  isPlain,
  readWithheld,
  type OutcomeRow,
  toCopy,
  toDeliverValues,
  toGroupOutcomes,
  toGroupValues,
  toOutcome,
} from './delivery-batch.ts';
import { deliver, deliverGroup } from '../statements.ts';

export interface DeliveryGroupsOptions extends DeliverySettings {
  readonly connections: Connections;
  /** The number of deliveries about to arrive, worth a short wait. */
  readonly writesExpected: () => number;
  /** Resolves when the database responds again, or to false after `longestMs`. */
  readonly settle: (longestMs: number) => Promise<boolean>;
  readonly observer: Pick<StoreObserver, 'onCommit' | 'onRollback'>;
  /** Groups committed at once. */
  readonly groupsAtOnce: number;
  /** Sends the cheap statement or an equivalent; by default `deliver_group` on the connections. */
  readonly sendPlain?: (copies: readonly DeliveryCopy[]) => Promise<PlainOutcomes>;
}

/** Indexed by place from 0; undefined for deliveries left over, which are unchanged. */
export type PlainOutcomes = readonly (DeliveryOutcome | undefined)[];

const rowsMax = 128;
const bytesMax = 1024 * 1024;
const longestWaitMs = 5;
/** Beyond this many waiting recipients, senders get a 451. */
const waitingRowsMax = 20_000;
/** After this time a sender gets a 451, which must arrive within ten seconds. */
const giveUpMs = 8000;
/** A delivery that waited longer for its turn could not be given up in time afterwards. */
const longestQueueMs = 4000;

/** The deliveries of one call, until they are settled. */
interface GroupEntry {
  readonly deliveries: readonly Delivery[];
  readonly bytes: number;
  readonly since: number;
  readonly resolve: (outcomes: DeliveryOutcome[]) => void;
  readonly reject: (reason: unknown) => void;
  /** Made with the group. */
  copies: readonly DeliveryCopy[];
}

export class DeliveryGroups {
  readonly #options: DeliveryGroupsOptions;
  readonly #waiting: GroupEntry[] = [];
  #waitingRows = 0;
  #underWay = 0;
  #timer: NodeJS.Immediate | NodeJS.Timeout | undefined;
  readonly #whenIdle: (() => void)[] = [];

  constructor(options: DeliveryGroupsOptions) {
    this.#options = options;
  }

  deliver(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
    if (this.#waitingRows + deliveries.length > waitingRowsMax) {
      return Promise.reject(unavailable(new Error('Too many deliveries are waiting.')));
    }
    const bytes = deliveries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ deliveries, bytes, since: performance.now(), resolve, reject, copies: [] });
      this.#waitingRows += deliveries.length;
      this.#schedule();
    });
  }

  /** Resolves when no delivery is waiting or being committed. */
  async close(): Promise<void> {
    if (this.#waiting.length + this.#underWay === 0) return;
    await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #schedule(): void {
    if (this.#timer || this.#waiting.length === 0 || this.#underWay >= this.#options.groupsAtOnce) return;
    this.#timer = setImmediate(this.#turn);
  }

  // There is no wait while the database is idle. While a group is being committed, a short wait for deliveries about
  // to finish saves them a commit of their own.
  readonly #turn = (): void => {
    this.#timer = undefined;
    const [first] = this.#waiting;
    if (!first) return;
    const isWorthWaiting =
      this.#underWay > 0 && this.#waitingRows < rowsMax && this.#options.writesExpected() > this.#waitingRows;
    if (isWorthWaiting && performance.now() - first.since < longestWaitMs) {
      this.#timer = setTimeout(this.#turn, 1);
      return;
    }
    const group = this.#takeGroup();
    this.#underWay += 1;
    this.#schedule();
    void this.#commitAll(group).finally(() => {
      this.#underWay -= 1;
      this.#schedule();
      if (this.#waiting.length + this.#underWay > 0) return;
      for (const resolve of this.#whenIdle.splice(0)) resolve();
    });
  };

  #takeGroup(): GroupEntry[] {
    const group: GroupEntry[] = [];
    let rows = 0;
    let bytes = 0;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const isFirst = rows === 0;
      rows += next.deliveries.length;
      bytes += next.bytes;
      if (!isFirst && (rows > rowsMax || bytes > bytesMax)) break;
      this.#waiting.shift();
      this.#waitingRows -= next.deliveries.length;
      if (performance.now() - next.since > longestQueueMs) {
        next.reject(unavailable(new Error('Earlier deliveries took too long.')));
        continue;
      }
      try {
        next.copies = next.deliveries.map(toCopy);
        group.push(next);
      } catch (error) {
        next.reject(error);
      }
    }
    return group;
  }

  /** Settles every entry of the group; never rejects. */
  async #commitAll(group: readonly GroupEntry[]): Promise<void> {
    const plain = group.filter(isCheap);
    const others = group.filter((one) => !isCheap(one));
    await Promise.all([this.#commitPlain(plain), this.#commit(others)]);
  }

  /** Uses the cheap statement, then the other one for what it leaves over or cannot do. */
  async #commitPlain(group: readonly GroupEntry[]): Promise<void> {
    if (group.length === 0) return;
    const startedAt = performance.now();
    try {
      const left = await this.#sendPlain(group);
      this.#options.observer.onCommit((performance.now() - startedAt) / 1000, group.length - left.length);
      await this.#commit(left);
    } catch (error) {
      const kind = await this.#handleFault(group, error);
      if (kind) await this.#commit(group, mayBeThere(kind));
    }
  }

  /** Settles every entry of the group; never rejects. `isRetry`: an earlier commit may have succeeded unnoticed. */
  async #commit(group: readonly GroupEntry[], isRetry = false): Promise<void> {
    if (group.length === 0) return;
    const startedAt = performance.now();
    try {
      const rows = await this.#send(group, isRetry);
      this.#options.observer.onCommit((performance.now() - startedAt) / 1000, group.length);
      settle(group, rows);
    } catch (error) {
      const kind = await this.#handleFault(group, error);
      if (kind === 'other' && group.length > 1) return this.#commitEach(group);
      if (kind === 'other') for (const one of group) settleWithheld(one, error);
      else if (kind) await this.#commit(group, isRetry || mayBeThere(kind));
    }
  }

  /** Returns the kind of fault; undefined when the group has been settled. */
  async #handleFault(group: readonly GroupEntry[], error: unknown): Promise<FaultKind | undefined> {
    const kind = faultKindOf(error);
    this.#options.observer.onRollback();
    if (kind === 'other' || (await this.#mayRetry(group, kind))) return kind;
    for (const one of group) one.reject(unavailable(error));
    return undefined;
  }

  /** Commits each entry alone, so that only the faulty one fails. */
  async #commitEach(group: readonly GroupEntry[]): Promise<void> {
    for (const one of group) await this.#commit([one]);
  }

  /** Settles stored entries and returns those left over, which are unchanged. */
  async #sendPlain(group: readonly GroupEntry[]): Promise<readonly GroupEntry[]> {
    const copies = copiesOf(group);
    const outcomes = await (this.#options.sendPlain?.(copies) ?? this.#sendGroup(copies));
    return group.filter((one, at) => {
      const outcome = outcomes[at];
      if (outcome) one.resolve([outcome]);
      return outcome === undefined;
    });
  }

  async #sendGroup(copies: readonly DeliveryCopy[]): Promise<PlainOutcomes> {
    const values = toGroupValues(this.#options, copies);
    const [row] = await this.#options.connections.query<GroupRow>(deliverGroup, values);
    return toGroupOutcomes(row, copies.length);
  }

  #send(group: readonly GroupEntry[], isRetry: boolean): Promise<OutcomeRow[]> {
    const calls = group.map(({ copies }) => copies);
    const values = toDeliverValues(this.#options, calls, isRetry);
    return this.#options.connections.query<OutcomeRow>(deliver, values);
  }

  async #mayRetry(group: readonly GroupEntry[], kind: FaultKind): Promise<boolean> {
    const oldest = Math.min(...group.map(({ since }) => since));
    const leftMs = oldest + giveUpMs - performance.now();
    if (leftMs <= 0 || kind === 'busy') return false;
    if (kind !== 'lost') return true;
    return (await this.#options.settle(leftMs)) && performance.now() < oldest + giveUpMs;
  }
}

function copiesOf(group: readonly GroupEntry[]): DeliveryCopy[] {
  return group.flatMap(({ copies }) => copies);
}

function isCheap({ copies }: GroupEntry): boolean {
  return copies.length === 1 && copies.every(isPlain);
}

/** Reports whether the deliveries were, or may have been, committed. */
function mayBeThere(kind: FaultKind): boolean {
  return kind === 'lost' || kind === 'doubled';
}

function settleWithheld({ resolve, reject }: GroupEntry, error: unknown): void {
  const outcomes = readWithheld(error);
  if (outcomes) resolve(outcomes);
  else reject(error);
}

function settle(group: readonly GroupEntry[], rows: readonly OutcomeRow[]): void {
  let at = 0;
  for (const { copies, resolve } of group) {
    resolve(rows.slice(at, at + copies.length).map(toOutcome));
    at += copies.length;
  }
}
