// Contract: domains are added, disabled and removed. Found by mail-store.ts.

import { expect, it } from 'vitest';

import {
  createLive,
  dayMs,
  hourMs,
  newSession,
  openForTest,
  type OpenStore,
  stateOf,
} from '../store-fixture.ts';

export function contract(open: OpenStore): void {
  domainContract(open);
  removalContract(open);
}

const unset = { refusesDmarcReject: false, discardsUnknown: false, takesPlusTags: true };

function domainContract(open: OpenStore): void {
  it('lists domains in order of id, with the quarantine each was given', async () => {
    const store = await openForTest(open);
    expect(await store.directory.listDomains()).toEqual([]);
    const second = await store.directory.addDomain('zebra.test', undefined, hourMs);
    const third = await store.directory.addDomain('ant.test', 0, hourMs);
    const expected = [
      { id: second.id, name: 'zebra.test', isActive: true, quarantineMs: hourMs, ...unset },
      { id: third.id, name: 'ant.test', isActive: true, quarantineMs: 0, ...unset },
    ];
    expect(second.id).toBeLessThan(third.id);
    expect(await store.directory.listDomains()).toEqual(expected);
    await store.reopen();
    expect(await store.directory.listDomains()).toEqual(expected);
  });

  it('gives mayfly.test no quarantine, whatever it was added with', async () => {
    const store = await openForTest(open);
    await store.directory.addDomain('mayfly.test', hourMs, dayMs);
    expect(await store.directory.listDomains()).toMatchObject([{ name: 'mayfly.test', quarantineMs: 0 }]);
  });

  it('disables a domain and activates it again under the same id', async () => {
    const store = await openForTest(open);
    const added = await store.directory.addDomain('beetle.test', hourMs, 0);
    expect(await store.directory.disableDomain('beetle.test')).toEqual({ ...added, isActive: false });
    expect(await store.directory.listDomains()).toEqual([{ ...added, isActive: false }]);
    expect(await store.directory.addDomain('beetle.test', undefined, dayMs)).toEqual(added);
    expect(await store.directory.addDomain('beetle.test', 0, dayMs)).toEqual({ ...added, quarantineMs: 0 });
    expect(await store.directory.disableDomain('other.test')).toBeUndefined();
  });

  it('leaves live sessions alone when their domain is disabled', async () => {
    const store = await openForTest(open);
    await store.directory.addDomain('beetle.test', undefined, 0);
    const session = await createLive(store);
    await store.directory.disableDomain('beetle.test');
    expect(await stateOf(store, session)).toBe('live');
  });

  it('keeps whether a domain refuses mail that fails DMARC, also when it is disabled and added again', async () => {
    const store = await openForTest(open);
    const added = await store.directory.addDomain('beetle.test', hourMs, 0);
    const refusing = { ...added, refusesDmarcReject: true };
    expect(await store.directory.changeDomain('beetle.test', { refusesDmarcReject: true })).toEqual(refusing);
    expect(await store.directory.changeDomain('beetle.test', {})).toEqual(refusing);
    await store.directory.disableDomain('beetle.test');
    expect(await store.directory.addDomain('beetle.test', undefined, 0)).toEqual(refusing);
    await store.reopen();
    expect(await store.directory.listDomains()).toEqual([refusing]);
    expect(await store.directory.changeDomain('beetle.test', { refusesDmarcReject: false })).toEqual(added);
    expect(await store.directory.changeDomain('other.test', { refusesDmarcReject: true })).toBeUndefined();
  });

  it('keeps when mail last arrived for a domain, never moving back', async () => {
    const store = await openForTest(open);
    await store.directory.addDomain('beetle.test', undefined, 0);
    await store.directory.addDomain('silent.test', undefined, 0);
    expect(await store.directory.listLastMail()).toEqual(new Map());
    await store.directory.keepLastMail(
      new Map([
        ['beetle.test', 5000],
        ['other.test', 7000],
      ]),
    );
    await store.directory.keepLastMail(new Map([['beetle.test', 4000]]));
    await store.reopen();
    expect(await store.directory.listLastMail()).toEqual(new Map([['beetle.test', 5000]]));
  });

  it('keeps the handling of mail for unknown addresses of a domain, independently of other changes', async () => {
    const store = await openForTest(open);
    const added = await store.directory.addDomain('beetle.test', hourMs, 0);
    const changed = { ...added, refusesDmarcReject: true, discardsUnknown: true };
    await store.directory.changeDomain('beetle.test', { refusesDmarcReject: true });
    expect(await store.directory.changeDomain('beetle.test', { discardsUnknown: true })).toEqual(changed);
    await store.reopen();
    expect(await store.directory.listDomains()).toEqual([changed]);
    const back = await store.directory.changeDomain('beetle.test', { discardsUnknown: false });
    expect(back).toEqual({ ...changed, discardsUnknown: false });
  });

  it('keeps whether a domain accepts plus tags, also when it is disabled and added again', async () => {
    const store = await openForTest(open);
    const added = await store.directory.addDomain('beetle.test', hourMs, 0);
    const without = { ...added, takesPlusTags: false };
    expect(await store.directory.changeDomain('beetle.test', { takesPlusTags: false })).toEqual(without);
    expect(await store.directory.changeDomain('beetle.test', { discardsUnknown: false })).toEqual(without);
    await store.directory.disableDomain('beetle.test');
    expect(await store.directory.addDomain('beetle.test', undefined, 0)).toEqual(without);
    await store.reopen();
    expect(await store.directory.listDomains()).toEqual([without]);
    expect(await store.directory.changeDomain('beetle.test', { takesPlusTags: true })).toEqual(added);
  });

  it('adds one domain for many concurrent callers', async () => {
    const store = await openForTest(open);
    const added = await Promise.all(
      Array.from({ length: 5 }, () => store.directory.addDomain('beetle.test', undefined, hourMs)),
    );
    expect(new Set(added.map((domain) => domain.id)).size).toBe(1);
    expect(await store.directory.listDomains()).toHaveLength(1);
  });
}

function removalContract(open: OpenStore): void {
  it('never uses the id of a removed domain again', async () => {
    const store = await openForTest(open);
    const first = await store.directory.addDomain('beetle.test', undefined, 0);
    expect(await store.directory.removeDomain('beetle.test')).toBe(0);
    expect(await store.directory.listDomains()).toEqual([]);
    await store.reopen();
    const again = await store.directory.addDomain('beetle.test', undefined, 0);
    expect(again.id).toBeGreaterThan(first.id);
    expect(await store.directory.removeDomain('other.test')).toBeUndefined();
  });

  it('ends the capture sessions of a removed domain, and none of a domain that is spelled like a label', async () => {
    const store = await openForTest(open);
    await store.directory.addDomain('gone.test', 0, 0);
    await store.directory.addDomain('greatfax.kept.test', 0, 0);
    const [gone, kept] = await Promise.all(
      ['gone.test', 'kept.test'].map((domain) => createLive(store, { address: `*@greatfax.${domain}` })),
    );
    const ordinary = await createLive(store, { address: 'fox@greatfax.kept.test' });
    expect(await store.directory.removeDomain('greatfax.kept.test')).toBe(1);
    expect(await stateOf(store, ordinary)).toBe('ended');
    expect(await stateOf(store, kept!)).toBe('live');
    expect(await store.directory.removeDomain('gone.test')).toBe(1);
    expect(await stateOf(store, gone!)).toBe('ended');
  });

  it('ends the live sessions of a removed domain and no others', async () => {
    const store = await openForTest(open);
    for (const name of ['gone.test', 'sub.gone.test']) await store.directory.addDomain(name, undefined, 0);
    const own = [
      await createLive(store, { address: 'a@gone.test', quarantineMs: dayMs }),
      await createLive(store, { address: 'b@gone.test' }),
    ];
    const before = await createLive(store, { address: 'c@gone.test' });
    await store.mail.endSession(before.key);
    const others = ['a@sub.gone.test', 'a@notgone.test', 'gone.test@other.test'];
    const spared = [];
    for (const address of others) spared.push(await createLive(store, { address }));
    expect(await store.directory.removeDomain('gone.test')).toBe(2);
    for (const session of own) expect(await stateOf(store, session)).toBe('ended');
    for (const session of spared) expect(await stateOf(store, session)).toBe('live');
    expect(await store.countRows()).toMatchObject({ keys: 3 });
    expect(await store.mail.createSession(newSession({ address: 'a@gone.test' }))).toBe('taken');
  });

  it('wakes the readers of the sessions of a removed domain', async () => {
    const woken: string[] = [];
    const onNews = (key: Uint8Array): void => void woken.push(Buffer.from(key).toString('hex'));
    const store = await openForTest(open, { onNews });
    await store.directory.addDomain('gone.test', undefined, 0);
    const session = await createLive(store, { address: 'a@gone.test' });
    woken.length = 0;
    await store.directory.removeDomain('gone.test');
    expect(woken).toEqual([Buffer.from(session.key).toString('hex')]);
  });

  it('knows whether it ever had a domain, removed ones included', async () => {
    const store = await openForTest(open);
    expect(await store.directory.hasEverHadDomain()).toBe(false);
    await store.directory.addDomain('beetle.test', undefined, 0);
    expect(await store.directory.hasEverHadDomain()).toBe(true);
    await store.directory.removeDomain('beetle.test');
    await store.reopen();
    expect(await store.directory.hasEverHadDomain()).toBe(true);
  });
}
