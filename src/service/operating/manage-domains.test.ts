import { describe, expect, it } from 'vitest';

import { ownDomainMaxOctets } from '#mail-receiver/address';
import { openSqliteForTest } from '../../../test/contract/open-sqlite-for-test.ts';
import { openForTest } from '../../../test/contract/store-fixture.ts';
import { openServices, type Services } from '../../../test/support/service/service-fixture.ts';
import type { TestDeps } from '../../../test/support/service/test-deps.ts';
import { addFirstDomains } from '../../app/open-live-store.ts';
import type { Config } from '#config/settings';
import { createSessionCounts } from '../addresses/count-by-domain.ts';
import { listDomains } from '../addresses/list-domains.ts';
import { addDomain, disableDomain, removeDomain } from './manage-domains.ts';
import { OperatorError } from './operator-error.ts';
import { messageOf } from '#system-errors/error-message';

const defaultQuarantineMs = 1000;

const toRemoval = ({ directory, finder }: TestDeps) => ({
  directory,
  sessionCounts: createSessionCounts(finder),
});

describe('addDomain', () => {
  it('adds a domain in lower case with the default quarantine', async () => {
    const { deps } = await openServices();
    const added = await addDomain(deps.directory, { name: 'Example.ORG.', defaultQuarantineMs });
    expect(added).toMatchObject({ id: 2, name: 'example.org', isActive: true, quarantineMs: 1000 });
  });

  it('changes the quarantine of an existing domain only on request', async () => {
    const { deps } = await openServices();
    const add = async (quarantineMs?: number): Promise<number> =>
      (await addDomain(deps.directory, { name: 'a.example', quarantineMs, defaultQuarantineMs }))
        .quarantineMs;
    expect([await add(5), await add(), await add(0), await add()]).toEqual([5, 5, 0, 0]);
  });

  it('makes a disabled domain active again under its id', async () => {
    const { deps } = await openServices();
    const { id } = await addDomain(deps.directory, { name: 'a.example', defaultQuarantineMs });
    expect(await disableDomain(deps.directory, 'A.Example')).toMatchObject({ id, isActive: false });
    const again = await addDomain(deps.directory, { name: 'a.example', defaultQuarantineMs });
    expect(again).toMatchObject({ id, isActive: true });
  });

  it('never gives out a removed domain’s id again, even to the same name', async () => {
    const { deps } = await openServices();
    const add = async (name: string): Promise<number> =>
      (await addDomain(deps.directory, { name, defaultQuarantineMs })).id;
    const first = await add('a.example');
    await removeDomain(toRemoval(deps), { name: 'a.example', endsSessions: false });
    expect([await add('b.example'), await add('a.example')]).toEqual([first + 1, first + 2]);
  });

  it('takes a name in its own script, and keeps it as DNS has it', async () => {
    const { deps } = await openServices();
    const { name } = await addDomain(deps.directory, { name: 'Bücher.example', defaultQuarantineMs });
    expect(name).toBe('xn--bcher-kva.example');
    await disableDomain(deps.directory, 'bücher.example.');
    const kept = (await deps.directory.listDomains()).find((one) => one.name === name);
    expect(kept).toMatchObject({ isActive: false });
  });

  it('refuses what is no domain name in one short line', async () => {
    const { deps } = await openServices();
    const tooLong = `${'d.'.repeat(ownDomainMaxOctets / 2)}dd`;
    for (const name of ['', 'a b', 'bücher .example', '127.0.0.1', 'a\nb', 'x'.repeat(10_000), tooLong]) {
      for (const run of [
        addDomain(deps.directory, { name, defaultQuarantineMs }),
        disableDomain(deps.directory, name),
        removeDomain(toRemoval(deps), { name, endsSessions: true }),
      ]) {
        const error = await run.catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(OperatorError);
        expect(messageOf(error)).toMatch(/^".*" is not a domain name\.$/);
        expect(messageOf(error).length).toBeLessThan(200);
      }
    }
    const long = addDomain(deps.directory, { name: 'x'.repeat(10_000), defaultQuarantineMs });
    await expect(long).rejects.toThrow(`"${'x'.repeat(80)}" is not a domain name`);
    expect(await deps.directory.listDomains()).toHaveLength(1);
  });
});

describe('disableDomain and removeDomain', () => {
  it('say that there is no such domain', async () => {
    const { deps } = await openServices();
    const expected = new OperatorError('There is no domain none.example.');
    await expect(disableDomain(deps.directory, 'None.example')).rejects.toThrow(expected);
    const none = removeDomain(toRemoval(deps), { name: 'none.example', endsSessions: false });
    await expect(none).rejects.toThrow(expected);
  });

  it('leave the sessions of a disabled domain alive and end those of a removed one', async () => {
    const { deps, store, lend, refresh } = await openServices();
    await deps.directory.addDomain('notmayfly.test', 0, 0);
    await disableDomain(deps.directory, 'notmayfly.test');
    const [one, two, other] = [await lend(), await lend(), await lend()];
    await store.mail.endSession(two.key);
    await disableDomain(deps.directory, 'mayfly.test');
    expect((await refresh(one)).address).toBe(one.address);
    const remove = (endsSessions: boolean): Promise<number> =>
      removeDomain(toRemoval(deps), { name: 'MAYFLY.test', endsSessions });
    await expect(remove(false)).rejects.toThrow(
      /^Domain mayfly\.test has 2 live sessions: end them with --end-sess/,
    );
    await store.mail.endSession(other.key);
    await expect(remove(false)).rejects.toThrow('has 1 live session:');
    expect((await refresh(one)).address).toBe(one.address);
    expect(await remove(true)).toBe(1);
    expect(await store.mail.findSessionByKey(one.key)).toEqual({ state: 'ended' });
  });
});

describe('listDomains', () => {
  it('shows active domains in order of id', async () => {
    const { deps } = await openServices();
    for (const name of ['z.example', 'a.example']) {
      await addDomain(deps.directory, { name, defaultQuarantineMs });
    }
    await disableDomain(deps.directory, 'z.example');
    const { domains, gmailAccounts } = await listDomains(deps);
    expect(domains.map(({ id, name }) => [id, name])).toEqual([[3, 'a.example']]);
    expect(gmailAccounts).toEqual([]);
  });
});

describe('the demo domain', () => {
  const add = async ({ deps }: Services, name: string): Promise<boolean> =>
    (await addDomain(deps.directory, { name, defaultQuarantineMs })).retiresDemo;
  const names = async ({ deps }: Services): Promise<string[]> =>
    (await listDomains(deps)).domains.map(({ name }) => name);

  it('is retired by the first real one, and its sessions live on', async () => {
    const services = await openServices();
    const session = await services.lend();
    expect(await add(services, 'example.org')).toBe(true);
    expect(await names(services)).toEqual(['example.org']);
    expect((await services.refresh(session)).address).toBe(session.address);
    await services.deliver('a: b\r\n', session);
    expect((await services.refresh(session)).messageCount).toBe(1);
    for (let count = 0; count < 20; count++) {
      expect((await services.lend()).address).toMatch(/@example\.org$/);
    }
  });

  it('does not come back when the real ones are disabled or removed', async () => {
    const services = await openServices();
    await add(services, 'example.org');
    await add(services, 'example.net');
    await disableDomain(services.deps.directory, 'example.net');
    await removeDomain(toRemoval(services.deps), { name: 'example.org', endsSessions: false });
    expect(await names(services)).toEqual([]);
  });

  it('stays beside real ones where the operator added it again', async () => {
    const services = await openServices();
    await add(services, 'example.org');
    expect(await add(services, 'mayfly.test')).toBe(false);
    expect(await add(services, 'example.net')).toBe(false);
    expect(await names(services)).toEqual(['mayfly.test', 'example.org', 'example.net']);
  });
});

describe('the domains of the settings', () => {
  it.each([
    { to: 'a new store without any', existing: [], domains: [], expected: ['mayfly.test'] },
    {
      to: 'a new store',
      existing: [],
      domains: ['b.example', 'a.example'],
      expected: ['b.example', 'a.example'],
    },
    {
      to: 'a new store, the demo domain among them',
      existing: [],
      domains: ['mayfly.test', 'a.example'],
      expected: ['a.example', 'mayfly.test'],
    },
    {
      to: 'a store with the demo domain alone',
      existing: ['mayfly.test'],
      domains: ['a.example'],
      expected: ['a.example'],
    },
    {
      to: 'a store with the demo domain, which they name',
      existing: ['mayfly.test'],
      domains: ['a.example', 'mayfly.test'],
      expected: ['mayfly.test', 'a.example'],
    },
    {
      to: 'a store with a real one',
      existing: ['mayfly.test', 'own.example'],
      domains: ['a.example'],
      expected: ['own.example'],
    },
    { to: 'a store, without any', existing: ['mayfly.test'], domains: [], expected: ['mayfly.test'] },
  ])('are added as first ones to $to', async ({ existing, domains, expected }) => {
    const store = await openForTest(openSqliteForTest);
    for (const name of existing) await addDomain(store.directory, { name, defaultQuarantineMs });
    const config = { general: { domains }, session: { quarantineSeconds: 1 } } as unknown as Config;
    for (let starts = 0; starts < 2; starts++) await addFirstDomains(store, config);
    const active = (await store.directory.listDomains()).filter(({ isActive }) => isActive);
    expect(active.map(({ name }) => name)).toEqual(expected);
  });

  it('are not added again to a store whose real domains were removed', async () => {
    const store = await openForTest(openSqliteForTest);
    await addDomain(store.directory, { name: 'mayfly.test', defaultQuarantineMs });
    await addDomain(store.directory, { name: 'own.example', defaultQuarantineMs });
    await store.directory.removeDomain('own.example');
    const config = {
      general: { domains: ['a.example'] },
      session: { quarantineSeconds: 1 },
    } as unknown as Config;
    await addFirstDomains(store, config);
    expect((await store.directory.listDomains()).map(({ name, isActive }) => [name, isActive])).toEqual([
      ['mayfly.test', false],
    ]);
  });
});
