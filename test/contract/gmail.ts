// Contract: Gmail accounts, their aliases, the poller's state and its pending work. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import type { GmailAccountSettings } from '../../src/store/gmail-store.ts';
import { type Lease, ownLeases } from '../../src/store/lease-store.ts';
import {
  createLive,
  dayMs,
  hourMs,
  minuteMs,
  newSession,
  openForTest,
  type OpenedStore,
  type OpenStore,
  stateOf,
  sweep,
} from './store-fixture.ts';

export function gmailContract(open: OpenStore): void {
  accountContract(open);
  removalContract(open);
  aliasContract(open);
  pollerContract(open);
}

export function accountSettings(given: Partial<GmailAccountSettings> = {}): GmailAccountSettings {
  const email = given.email ?? 'quiet.fox@gmail.com';
  return {
    email,
    host: 'imap.gmail.com',
    port: 993,
    security: 'tls',
    user: email,
    auth: 'password',
    sealedCredentials: Buffer.from(`sealed for ${email}`),
    inboxFolder: null,
    spamFolder: null,
    ...given,
  };
}

export async function takeLease(store: OpenedStore, holder = 'node'): Promise<Lease> {
  const { leases } = store.shared ?? { leases: ownLeases };
  const lease = await leases.takeLease('gmail', holder, minuteMs);
  if (!lease) throw new Error('The lease is another’s.');
  return lease;
}

/** Returns a lease that another holder has since taken. */
export async function takeLostLease(store: OpenedStore): Promise<Lease> {
  const lease = await takeLease(store, 'first');
  await store.shared?.leases.releaseLease(lease);
  await takeLease(store, 'second');
  return lease;
}

const unused = { liveSessions: 0, oldestSessionAt: null, bytesToday: 0, unmatched: 0 };

function accountContract(open: OpenStore): void {
  it('lists accounts in order of id, as set up and not yet connected', async () => {
    const store = await openForTest(open);
    expect(await store.gmail.listAccounts()).toEqual([]);
    const zebra = accountSettings({ email: 'zebra@gmail.com', inboxFolder: 'INBOX', spamFolder: 'Junk' });
    const ant = accountSettings({
      email: 'ant@mail.test',
      host: '127.0.0.1',
      port: 143,
      security: 'none',
      user: 'ant',
      auth: 'oauth2',
    });
    const added = [await store.gmail.addAccount(zebra), await store.gmail.addAccount(ant)];
    const fresh = { isActive: true, health: 'new', detail: '', healthAt: store.clock.now(), ...unused };
    expect(added).toMatchObject([
      { ...zebra, ...fresh },
      { ...ant, ...fresh },
    ]);
    expect(added[0]?.id).toBeLessThan(added[1]?.id ?? 0);
    expect(await store.gmail.listAccounts()).toEqual(added);
    await store.reopen();
    expect(await store.gmail.listAccounts()).toEqual(added);
  });

  it('replaces the settings of an account that is added again, under its id', async () => {
    const store = await openForTest(open);
    const before = await store.gmail.addAccount(accountSettings());
    await store.gmail.keepHealth(await takeLease(store), before.id, { health: 'refused', detail: 'no' });
    await store.gmail.disableAccount(before.email);
    const settings = accountSettings({ port: 994, sealedCredentials: Buffer.from('other') });
    const after = await store.gmail.addAccount(settings);
    expect(after).toMatchObject({ ...settings, id: before.id, isActive: true, health: 'new', detail: '' });
    expect(after.revision).toBeGreaterThan(before.revision + 1);
  });

  it('disables an account, whose sessions live on', async () => {
    const store = await openForTest(open);
    const { id, email, revision } = await store.gmail.addAccount(accountSettings());
    const session = await createLive(store, { accountId: id });
    const disabled = await store.gmail.disableAccount(email);
    expect(disabled).toMatchObject({ id, isActive: false, liveSessions: 1 });
    expect(disabled?.revision).toBeGreaterThan(revision);
    expect(await store.gmail.listAccounts()).toEqual([disabled]);
    expect(await stateOf(store, session)).toBe('live');
    expect(await store.gmail.disableAccount('other@gmail.com')).toBeUndefined();
  });

  it('counts the live sessions of each account', async () => {
    const store = await openForTest(open);
    const one = await store.gmail.addAccount(accountSettings());
    const other = await store.gmail.addAccount(accountSettings({ email: 'other@gmail.com' }));
    const sessions = [];
    for (let i = 0; i < 3; i++) sessions.push(await createLive(store, { accountId: one.id }));
    await createLive(store, { accountId: other.id, lifetimeMs: minuteMs });
    await createLive(store);
    const counts = async (): Promise<number[]> =>
      (await store.gmail.listAccounts()).map(({ liveSessions }) => liveSessions);
    expect(await counts()).toEqual([3, 1]);
    if (sessions[0]) await store.mail.endSession(sessions[0].key);
    store.clock.advance(minuteMs);
    await sweep(store);
    expect(await counts()).toEqual([2, 0]);
  });

  it('tells since when the oldest live session of each account has existed', async () => {
    const store = await openForTest(open);
    const { id } = await store.gmail.addAccount(accountSettings());
    await store.gmail.addAccount(accountSettings({ email: 'other@gmail.com' }));
    const oldest = async (): Promise<(number | null)[]> =>
      (await store.gmail.listAccounts()).map(({ oldestSessionAt }) => oldestSessionAt);
    const startedAt = store.clock.now();
    const first = await createLive(store, { accountId: id });
    await createLive(store);
    store.clock.advance(minuteMs);
    await createLive(store, { accountId: id });
    expect(await oldest()).toEqual([startedAt, null]);
    await store.mail.endSession(first.key);
    expect(await oldest()).toEqual([startedAt + minuteMs, null]);
  });

  it('reseals all credentials or none', async () => {
    const store = await openForTest(open);
    await store.gmail.addAccount(accountSettings({ email: 'a@gmail.com' }));
    await store.gmail.addAccount(accountSettings({ email: 'b@gmail.com' }));
    const before = await store.gmail.listAccounts();
    const failing = store.gmail.resealCredentials(({ email }) => {
      if (email === 'b@gmail.com') throw new Error('does not open');
      return Buffer.from('new');
    });
    await expect(failing).rejects.toThrow('does not open');
    expect(await store.gmail.listAccounts()).toEqual(before);
    await store.gmail.resealCredentials((account) =>
      Buffer.concat([Buffer.from('new '), account.sealedCredentials]),
    );
    const after = await store.gmail.listAccounts();
    expect(after.map(({ sealedCredentials }) => Buffer.from(sealedCredentials).toString())).toEqual([
      'new sealed for a@gmail.com',
      'new sealed for b@gmail.com',
    ]);
    // Nothing that makes a poller reconnect.
    expect(after.map(({ revision }) => revision)).toEqual(before.map(({ revision }) => revision));
  });
}

function removalContract(open: OpenStore): void {
  it('ends the sessions of a removed account and no others, and destroys their keys', async () => {
    const store = await openForTest(open);
    const { id, email } = await store.gmail.addAccount(accountSettings());
    const other = await store.gmail.addAccount(accountSettings({ email: 'other@gmail.com' }));
    const address = 'q.uietfox@gmail.com';
    const own = [
      await createLive(store, { accountId: id, address, quarantineMs: dayMs }),
      await createLive(store, { accountId: id }),
    ];
    const before = await createLive(store, { accountId: id });
    await store.mail.endSession(before.key);
    const spared = [await createLive(store, { accountId: other.id }), await createLive(store)];
    expect(await store.gmail.removeAccount(email)).toBe(2);
    for (const session of own) expect(await stateOf(store, session)).toBe('ended');
    for (const session of spared) expect(await stateOf(store, session)).toBe('live');
    expect(await store.countRows()).toMatchObject({ keys: 2 });
    expect(await store.gmail.listAccounts()).toMatchObject([{ id: other.id, liveSessions: 1 }]);
    expect(await store.mail.createSession(newSession({ address, accountId: other.id }))).toBe('taken');
    expect(await store.gmail.removeAccount(email)).toBeUndefined();
  });

  it('notifies the readers of the sessions it ends', async () => {
    const woken: string[] = [];
    const onNews = (key: Uint8Array): void => void woken.push(Buffer.from(key).toString('hex'));
    const store = await openForTest(open, { onNews });
    const { id, email } = await store.gmail.addAccount(accountSettings());
    const session = await createLive(store, { accountId: id });
    woken.length = 0;
    await store.gmail.removeAccount(email);
    expect(woken).toEqual([Buffer.from(session.key).toString('hex')]);
  });

  it('never reuses the id of a removed account, nor anything stored for it', async () => {
    const store = await openForTest(open);
    const lease = await takeLease(store);
    const first = await store.gmail.addAccount(accountSettings());
    await store.gmail.keepProgress(lease, {
      accountId: first.id,
      folder: 'INBOX',
      cursor: { uidValidity: 1, lastUid: 5 },
      bytes: 10,
      unmatched: 2,
    });
    await store.gmail.removeAccount(first.email);
    await store.reopen();
    const again = await store.gmail.addAccount(accountSettings());
    expect(again.id).toBeGreaterThan(first.id);
    expect(again).toMatchObject(unused);
    expect(await store.gmail.findCursor(again.id, 'INBOX')).toBeUndefined();
    expect(await store.gmail.findCursor(first.id, 'INBOX')).toBeUndefined();
  });
}

function aliasContract(open: OpenStore): void {
  it('gives each number of an account once, from 0, to many concurrent callers', async () => {
    const store = await openForTest(open);
    const one = await store.gmail.addAccount(accountSettings());
    const other = await store.gmail.addAccount(accountSettings({ email: 'other@gmail.com' }));
    const numbers = await Promise.all(Array.from({ length: 20 }, () => store.gmail.takeAliasNumber(one.id)));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
    await store.reopen();
    expect(await store.gmail.takeAliasNumber(one.id)).toBe(20);
    expect(await store.gmail.takeAliasNumber(other.id)).toBe(0);
    await expect(store.gmail.takeAliasNumber(other.id + 1)).rejects.toThrow(Error);
  });

  it('counts dot variants that are live or in quarantine, also when their account is removed and added again', async () => {
    const store = await openForTest(open);
    const { id, email } = await store.gmail.addAccount(accountSettings());
    const other = await store.gmail.addAccount(accountSettings({ email: 'other@gmail.com' }));
    const lend = (address: string, accountId = id): Promise<Session> =>
      createLive(store, { accountId, address, quarantineMs: hourMs });
    const ending = await lend('q.uietfox@gmail.com');
    await lend('qu.ietfox@gmail.com');
    await lend('quiet.fox+tag@gmail.com');
    await lend('o.ther@gmail.com', other.id);
    await createLive(store);
    expect(await store.gmail.countHeldDotVariants(id)).toBe(2);
    await store.mail.endSession(ending.key);
    expect(await store.gmail.countHeldDotVariants(id)).toBe(2);
    await store.gmail.removeAccount(email);
    const again = await store.gmail.addAccount(accountSettings());
    expect(await store.gmail.countHeldDotVariants(again.id)).toBe(2);
    store.clock.advance(hourMs);
    expect(await store.gmail.countHeldDotVariants(again.id)).toBe(0);
    expect(await store.gmail.countHeldDotVariants(other.id)).toBe(1);
  });
}

function pollerContract(open: OpenStore): void {
  it('keeps health, and the instant of its change', async () => {
    const store = await openForTest(open);
    const lease = await takeLease(store);
    const { id } = await store.gmail.addAccount(accountSettings());
    const healthOf = async (): Promise<unknown[]> =>
      (await store.gmail.listAccounts()).map(({ health, detail, healthAt }) => [health, detail, healthAt]);
    store.clock.advance(1000);
    const changedAt = store.clock.now();
    expect(await store.gmail.keepHealth(lease, id, { health: 'failing', detail: 'reset' })).toBe(true);
    store.clock.advance(1000);
    expect(await store.gmail.keepHealth(lease, id, { health: 'failing', detail: 'timeout' })).toBe(true);
    expect(await healthOf()).toEqual([['failing', 'timeout', changedAt]]);
    await store.gmail.keepHealth(lease, id, { health: 'healthy', detail: '' });
    expect(await healthOf()).toEqual([['healthy', '', store.clock.now()]]);
  });

  it('keeps a cursor for each folder, and sums up the day’s bytes and unmatched mail', async () => {
    const store = await openForTest(open);
    const lease = await takeLease(store);
    const { id: accountId } = await store.gmail.addAccount(accountSettings());
    const keep = (folder: string, lastUid: number, bytes: number): Promise<boolean> =>
      store.gmail.keepProgress(lease, {
        accountId,
        folder,
        cursor: { uidValidity: 4_294_967_295, lastUid },
        bytes,
        unmatched: 1,
      });
    expect(await store.gmail.findCursor(accountId, 'INBOX')).toBeUndefined();
    expect(await keep('INBOX', 7, 3_000_000_000)).toBe(true);
    await keep('[Gmail]/Spam', 4_294_967_295, 2_000_000_000);
    await keep('INBOX', 8, 5);
    const cursor = { uidValidity: 4_294_967_295, lastUid: 8 };
    expect(await store.gmail.findCursor(accountId, 'INBOX')).toEqual(cursor);
    expect(await store.gmail.findCursor(accountId, '[Gmail]/Spam')).toEqual({
      ...cursor,
      lastUid: cursor.uidValidity,
    });
    expect(await store.gmail.listAccounts()).toMatchObject([{ bytesToday: 5_000_000_005, unmatched: 3 }]);
    store.clock.advance(dayMs);
    expect(await store.gmail.listAccounts()).toMatchObject([{ bytesToday: 0, unmatched: 3 }]);
    await keep('INBOX', 9, 6);
    expect(await store.gmail.listAccounts()).toMatchObject([{ bytesToday: 6, unmatched: 4 }]);
  });

  it('counts a day from midnight to midnight, UTC', async () => {
    const store = await openForTest(open);
    const lease = await takeLease(store);
    const { id: accountId } = await store.gmail.addAccount(accountSettings());
    const untilMidnight = dayMs - (store.clock.now() % dayMs);
    store.clock.advance(untilMidnight - 1);
    const cursor = { uidValidity: 1, lastUid: 1 };
    await store.gmail.keepProgress(lease, { accountId, folder: 'INBOX', cursor, bytes: 9, unmatched: 0 });
    expect(await store.gmail.listAccounts()).toMatchObject([{ bytesToday: 9 }]);
    store.clock.advance(1);
    expect(await store.gmail.listAccounts()).toMatchObject([{ bytesToday: 0 }]);
  });

  it('forgets the cursors of an account that moves to another server, and on no other change', async () => {
    const store = await openForTest(open);
    const lease = await takeLease(store);
    const { id: accountId } = await store.gmail.addAccount(accountSettings());
    const cursor = { uidValidity: 1, lastUid: 1 };
    await store.gmail.keepProgress(lease, { accountId, folder: 'INBOX', cursor, bytes: 0, unmatched: 0 });
    await store.gmail.addAccount(accountSettings({ sealedCredentials: Buffer.from('new password') }));
    expect(await store.gmail.findCursor(accountId, 'INBOX')).toEqual(cursor);
    await store.gmail.addAccount(accountSettings({ host: 'imap.mail.test' }));
    expect(await store.gmail.findCursor(accountId, 'INBOX')).toBeUndefined();
  });
}
