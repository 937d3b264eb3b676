// What a store brings along to be tested by the contract, and what the contract's tests make sessions and deliveries
// of. Used by every file of test/contract; knows no implementation.

import { createHash, randomBytes } from 'node:crypto';

import { onTestFinished } from 'vitest';

import type { Session, SessionKey } from '../../src/domain/session.ts';
import { createDataKey } from '../../src/secrets/seal.mjs';
import { toSessionKey } from '../../src/secrets/token.ts';
import {
  type DueDelivery,
  type JobsStore,
  operatorEndpointId,
  type OutboxSettings,
} from '../../src/store/jobs-store.ts';
import type { Delivery, DeliveryOutcome, NewSession } from '../../src/store/mail-store.ts';
import type { Stores } from '../../src/store/stores.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export interface StoreOptions {
  readonly onNews?: (key: SessionKey) => void;
  readonly onEnded?: (key: SessionKey) => void;
  readonly outbox?: OutboxSettings;
  readonly quota?: { readonly messages: number; readonly bytes: number };
}

/** The clock of the store under test; stands still unless it is told to move. */
export interface TestClock {
  now(): number;
  /** Negative to go back. */
  advance(ms: number): void;
}

export interface RowCount {
  /** Rows that hold messages, parts of them, notes about them, log entries, delivery attempts, or marks left for cleaning up. */
  readonly content: number;
  /** Rows that hold sessions and addresses. */
  readonly sessions: number;
  /** Data keys that are not destroyed. */
  readonly keys: number;
}

/** A store on data of its own. */
export interface OpenedStore extends Stores {
  readonly clock: TestClock;
  /** Closes and opens again on the same data, perhaps with other settings; the ports are new ones then. */
  reopen(other?: Pick<StoreOptions, 'outbox'>): Promise<void>;
  /** All bytes the store has on disk now, logs and the like included. */
  dataFiles(): Promise<Buffer[]>;
  /** What the rows and their indexes take on disk, logs included where they are the store's own. */
  sizeBytes(): Promise<number>;
  countRows(): Promise<RowCount>;
  /** Closes and removes the data. */
  dispose(): Promise<void>;
}

export type OpenStore = (options: StoreOptions) => Promise<OpenedStore>;

/** `own`, with the ports of whichever store is open just now. */
export function withPorts(current: () => Stores, own: Omit<OpenedStore, keyof Stores>): OpenedStore {
  for (const name of Object.keys(current())) {
    Object.defineProperty(own, name, { enumerable: true, get: () => current()[name as keyof Stores] });
  }
  return own as OpenedStore;
}

/** Opens a store that is disposed of with the test. */
export async function openForTest(open: OpenStore, options: StoreOptions = {}): Promise<OpenedStore> {
  const store = await open(options);
  onTestFinished(() => store.dispose());
  return store;
}

let made = 0;

/** A session to create: an address of its own, an hour to live, a day in all, no quarantine. */
export function newSession(given: Partial<NewSession> = {}): NewSession {
  const tokenHash = createHash('sha256').update(randomBytes(32)).digest();
  made += 1;
  const address = given.address ?? `lent-${made}@mayfly.test`;
  return {
    key: toSessionKey(tokenHash),
    tokenHash,
    address,
    addressKey: address.toLowerCase(),
    dataKey: createDataKey(),
    lifetimeMs: hourMs,
    totalLifetimeMs: dayMs,
    quarantineMs: 0,
    ...given,
  };
}

/** Creates a session whose address is free. */
export async function createLive(store: OpenedStore, given: Partial<NewSession> = {}): Promise<Session> {
  const session = await store.mail.createSession(newSession(given));
  if (session === 'taken') throw new Error('The address was taken.');
  return session;
}

/** A delivery of these chunks, or of one chunk; `meta` tells it apart. */
export function deliveryOf(
  session: Session,
  raw: string | readonly Uint8Array[] = 'raw',
  meta = 'meta',
): Delivery {
  const chunks = typeof raw === 'string' ? [Buffer.from(raw)] : raw;
  const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return { key: session.key, sizeBytes, meta: Buffer.from(meta), raw: chunks };
}

/** A delivery whose second chunk cannot be had, as of a spill file that went. */
export function poisonedDeliveryOf(session: Session): Delivery {
  const raw = {
    *[Symbol.iterator]() {
      yield Buffer.from('first chunk');
      throw new Error('poisoned');
    },
  };
  return { key: session.key, sizeBytes: 22, meta: Buffer.from('poisoned'), raw };
}

/** The id of the one message a delivery stored. */
export function idOf(outcomes: readonly DeliveryOutcome[]): number {
  const [first] = outcomes;
  if (first?.outcome !== 'stored') throw new Error(`Not stored: ${first?.outcome}`);
  return first.id;
}

/** Delivers one message and returns its id. */
export async function deliverOne(
  store: OpenedStore,
  session: Session,
  raw?: string | readonly Uint8Array[],
): Promise<number> {
  return idOf(await store.mail.deliver([deliveryOf(session, raw)]));
}

export async function readAll(store: OpenedStore, session: Session, id: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.mail.readRaw(session.key, id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Ids of a session's messages, oldest first. */
export async function listIds(store: OpenedStore, session: Session): Promise<number[]> {
  const messages = await store.mail.listMessages(session.key, { limit: 100_000, order: 'oldest-first' });
  return messages.map((message) => message.id);
}

/** Whether the session is live, ended or unknown. */
export async function stateOf(store: OpenedStore, session: Session): Promise<string> {
  return (await store.mail.findSessionByKey(session.key)).state;
}

/** Everything the sweep does: ends what is due, cleans the logs, frees all space. */
export async function sweep(store: OpenedStore): Promise<void> {
  while ((await store.mail.endDueSessions(100)) === 100);
  await store.mail.scrub();
  while (await store.mail.reclaim(5));
}

/** Webhooks as the dispatcher takes them: the operator's first, then of each session's endpoint that is due. */
export async function leaseWebhooks(jobs: JobsStore, leaseMs: number, rows = 100): Promise<DueDelivery[]> {
  const except = { standings: [], endpoints: [], hostTags: [], makerTags: [] };
  const endpoints = await jobs.listDueEndpoints({ limit: 100, except });
  const ids = [operatorEndpointId, ...endpoints.map(({ endpointId }) => endpointId)];
  return jobs.leaseDue({ leaseMs, shares: ids.map((endpointId) => ({ endpointId, rows })) });
}

/** Those of the needles (three bytes or more each) that are in the haystack, in one pass over it. */
export function findBytes(haystack: Uint8Array, needles: readonly Uint8Array[]): Uint8Array[] {
  const starts = new Map<number, Uint8Array[]>();
  const isStart = new Uint8Array(2 ** 24);
  for (const needle of needles) {
    const start = startOf(needle, 0);
    isStart[start] = 1;
    starts.set(start, [...(starts.get(start) ?? []), needle]);
  }
  const found = new Set<Uint8Array>();
  for (let at = 0; at + 2 < haystack.length; at++) {
    const start = startOf(haystack, at);
    if (isStart[start] === 0) continue;
    for (const needle of starts.get(start) ?? []) {
      if (Buffer.compare(haystack.subarray(at, at + needle.length), needle) === 0) found.add(needle);
    }
  }
  return [...found];
}

function startOf(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}
