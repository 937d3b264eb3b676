import { describe, expect, it } from 'vitest';

import { openServices } from '../../test/support/service-fixture.ts';
import { ownDomainMaxOctets } from '../domain/address.ts';
import { listDomains } from './list-domains.ts';
import { addDomain, disableDomain, removeDomain } from './manage-domains.ts';
import { OperatorError } from './operator-error.ts';

const defaultQuarantineMs = 1000;

describe('addDomain', () => {
  it('adds a domain in lower case with the default quarantine', async () => {
    const { deps } = await openServices();
    const added = await addDomain(deps.directory, { name: 'Example.ORG.', defaultQuarantineMs });
    expect(added).toMatchObject({ id: 2, name: 'example.org', isActive: true, quarantineMs: 1000 });
  });

  it('changes the quarantine of one it has only when told to', async () => {
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

  it('gives a removed domain’s id to nobody, not even to itself', async () => {
    const { deps } = await openServices();
    const add = async (name: string): Promise<number> =>
      (await addDomain(deps.directory, { name, defaultQuarantineMs })).id;
    const first = await add('a.example');
    await removeDomain(deps.directory, 'a.example');
    expect([await add('b.example'), await add('a.example')]).toEqual([first + 1, first + 2]);
  });

  it('refuses what is no domain name in one short line', async () => {
    const { deps } = await openServices();
    const tooLong = `${'d.'.repeat(ownDomainMaxOctets / 2)}dd`;
    for (const name of ['', 'a b', 'bücher.example', '127.0.0.1', 'a\nb', 'x'.repeat(10_000), tooLong]) {
      for (const run of [
        addDomain(deps.directory, { name, defaultQuarantineMs }),
        disableDomain(deps.directory, name),
        removeDomain(deps.directory, name),
      ]) {
        const error = await run.catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(OperatorError);
        expect((error as Error).message).toMatch(/^".*" is not a domain name .*\.$/);
        expect((error as Error).message.length).toBeLessThan(200);
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
    await expect(removeDomain(deps.directory, 'none.example')).rejects.toThrow(expected);
  });

  it('leave the sessions of a disabled domain alive and end those of a removed one', async () => {
    const { deps, store, lend, refresh } = await openServices();
    await addDomain(deps.directory, { name: 'notmayfly.test', defaultQuarantineMs });
    await disableDomain(deps.directory, 'notmayfly.test');
    const [one, two] = [await lend(), await lend()];
    await store.mail.endSession(two.key);
    await disableDomain(deps.directory, 'mayfly.test');
    expect((await refresh(one)).address).toBe(one.address);
    expect(await removeDomain(deps.directory, 'MAYFLY.test')).toBe(1);
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
    expect(domains.map(({ id, name }) => [id, name])).toEqual([
      [1, 'mayfly.test'],
      [3, 'a.example'],
    ]);
    expect(gmailAccounts).toEqual([]);
  });
});
