// The interface through which the contract tests a store, and builders of its sessions and deliveries. Used by every
// file of test/contract; independent of implementations.

import { onTestFinished } from 'vitest';

import { isSessionGone } from '../../src/domain/gone.ts';
import type { Session, SessionKey } from '../../src/domain/session.ts';
import { createSealTarget } from '#sealing/sealer';
import { createToken, toSessionKey } from '#sealing/token';
import { openByToken, type OpenSession } from '../../src/service/session/session-access.ts';
import {
  type DueWebhook,
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

/** The clock of the store under test; it moves only on demand. */
export interface TestClock {
  now(): number;
  /** Negative values move it back. */
  advance(ms: number): void;
}

export interface RowCount {
  /** Rows of messages, their parts and notes, log entries, delivery attempts, and marks for cleaning up. */
  readonly content: number;
  /** Rows of sessions and addresses. */
  readonly sessions: number;
  /** Sessions with anything that their mail, or a token of theirs, is opened with. */
  readonly keys: number;
}

/** The table and condition of `keys`. */
export const withSecrets =
  'sessions WHERE coalesce(salt, password) IS NOT NULL OR coalesce(shares, pushes, sent_keys) IS NOT NULL';

/** A store with its own data. */
export interface OpenedStore extends Stores {
  readonly clock: TestClock;
  /** Reopens the same data, perhaps with other settings; the ports are then new ones. */
  reopen(other?: Pick<StoreOptions, 'outbox'>): Promise<void>;
  /** Returns all bytes the store has on disk now, logs and the like included. */
  dataFiles(): Promise<Buffer[]>;
  /** Returns the size of rows and indexes on disk, with the logs if they are the store's own. */
  sizeBytes(): Promise<number>;
  countRows(): Promise<RowCount>;
  /** Closes and removes the data. */
  dispose(): Promise<void>;
}

export type OpenStore = (options: StoreOptions) => Promise<OpenedStore>;

/** Returns `own`, with the ports of the store that is currently open. */
export function withPorts(current: () => Stores, own: Omit<OpenedStore, keyof Stores>): OpenedStore {
  for (const name of Object.keys(current())) {
    Object.defineProperty(own, name, { enumerable: true, get: () => current()[name as keyof Stores] });
  }
  return own as OpenedStore;
}

/** Opens a store that is disposed of at the end of the test. */
export async function openForTest(open: OpenStore, options: StoreOptions = {}): Promise<OpenedStore> {
  const store = await open(options);
  onTestFinished(() => store.dispose());
  return store;
}

let made = 0;

/** Returns a session to create: its own address, an hour's lifetime, a day in all, no quarantine. */
export function newSession(given: Partial<NewSession> = {}): NewSession {
  const { token, hash: tokenHash } = createToken();
  made += 1;
  const address = given.address ?? `lent-${made}@mayfly.test`;
  return {
    key: toSessionKey(tokenHash),
    tokenHash,
    address,
    addressKey: address.toLowerCase(),
    ...createSealTarget(token),
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

/** As createLive, and opened by its token. */
export async function openLive(
  store: OpenedStore,
  given: Partial<NewSession> = {},
): Promise<{ readonly token: string; readonly session: OpenSession }> {
  const { token, hash: tokenHash } = createToken();
  const session = await createLive(store, {
    key: toSessionKey(tokenHash),
    tokenHash,
    ...createSealTarget(token),
    ...given,
  });
  return { token, session: openByToken(session, token) };
}

/** Returns a delivery of these chunks, or of one chunk; `meta` distinguishes it. */
export function deliveryOf(
  session: Session,
  raw: string | readonly Uint8Array[] = 'raw',
  meta = 'meta',
): Delivery {
  const chunks = typeof raw === 'string' ? [Buffer.from(raw)] : raw;
  const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return { key: session.key, sizeBytes, meta: Buffer.from(meta), raw: chunks };
}

/** Returns a delivery whose second chunk fails, like that of a lost spill file. */
export function poisonedDeliveryOf(session: Session): Delivery {
  const raw = {
    *[Symbol.iterator]() {
      yield Buffer.from('first chunk');
      throw new Error('poisoned');
    },
  };
  return { key: session.key, sizeBytes: 22, meta: Buffer.from('poisoned'), raw };
}

/** Returns the id of the only message a delivery stored. */
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

/** Returns the ids of a session's messages, oldest first; none once it has ended. */
export async function listIds(store: OpenedStore, session: Session): Promise<number[]> {
  const listing = store.mail.listMessages(session.key, { limit: 100_000, order: 'oldest-first' });
  const messages = await unlessEnded(listing, []);
  return messages.map((message) => message.id);
}

/** Resolves with `instead` if the work failed because the session has ended. */
export async function unlessEnded<T>(work: Promise<T>, instead: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isSessionGone(error)) return instead;
    throw error;
  }
}

/** Returns whether the session is live, ended or unknown. */
export async function stateOf(store: OpenedStore, session: Session): Promise<string> {
  return (await store.mail.findSessionByKey(session.key)).state;
}

/** Runs a whole sweep: ends what is due, frees all space. */
export async function sweep(store: OpenedStore): Promise<void> {
  while ((await store.mail.endDueSessions(100)) === 100);
  while (await store.mail.reclaim(5));
}

/** Leases webhooks as the dispatcher does: the operator's first, then those of each session's endpoint that is due. */
export async function leaseWebhooks(jobs: JobsStore, leaseMs: number, rows = 100): Promise<DueWebhook[]> {
  const except = { standings: [], endpoints: [], hostTags: [], makerTags: [] };
  const endpoints = await jobs.listDueEndpoints({ limit: 100, except });
  const ids = [operatorEndpointId, ...endpoints.map(({ endpointId }) => endpointId)];
  return jobs.leaseDue({ leaseMs, shares: ids.map((endpointId) => ({ endpointId, rows })) });
}

/** Returns the needles (three bytes or more each) that are in the haystack, in one pass over it. */
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
