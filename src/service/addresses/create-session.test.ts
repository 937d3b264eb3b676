import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { hourMs } from '../../../test/contract/store-fixture.ts';
import { openServices, unopened } from '../../../test/support/service/service-fixture.ts';
import { createSession, type CreateSessionRequest } from './create-session.ts';

function refusal(code: string, parameter?: string) {
  return expect.objectContaining(parameter === undefined ? { code } : { code, parameter });
}

describe('createSession', () => {
  it('lends a random address for an hour, and hands out a token that only its hash is kept of', async () => {
    const { deps, store } = await openServices();
    const { token, session } = await createSession(deps, {});
    expect(session.address).toMatch(/^[a-z]{3,7}\.[a-z]{3,7}[2-9]\d@mayfly\.test$/);
    expect(session.expiresAt).toBe(store.clock.now() + hourMs);
    expect(session.latestEndAt).toBe(store.clock.now() + 7 * 24 * hourMs);
    expect(session).toMatchObject({ seq: 0, messageCount: 0, messageBytes: 0, createdAt: store.clock.now() });
    const tokenHash = createHash('sha256').update(token).digest();
    expect(await store.mail.findSession(tokenHash)).toMatchObject({
      state: 'live',
      session: unopened(session),
    });
    for (const file of await store.dataFiles()) expect(file.includes(token)).toBe(false);
  });

  it('gives every session another token, address, public key and salt', async () => {
    const { deps } = await openServices();
    const lent = await Promise.all(Array.from({ length: 50 }, () => createSession(deps, {})));
    expect(new Set(lent.map(({ token }) => token)).size).toBe(50);
    expect(new Set(lent.map(({ session }) => session.address)).size).toBe(50);
    for (const part of ['publicKey', 'salt'] as const) {
      expect(new Set(lent.map(({ session }) => Buffer.from(session[part]).toString('hex'))).size).toBe(50);
    }
  });

  it('lends the prefix in lower case, for as long as was asked', async () => {
    const { deps, store } = await openServices();
    const { session } = await createSession(deps, { prefix: 'Quiet.Fox', lifetimeSeconds: 60 });
    expect(session.address).toBe('quiet.fox@mayfly.test');
    expect(session.expiresAt).toBe(store.clock.now() + 60_000);
  });

  it('cuts a life to the total', async () => {
    const { deps, store } = await openServices({ limits: { totalMaxSeconds: 90 } });
    const { session } = await createSession(deps, { lifetimeSeconds: 3600 });
    expect(session.expiresAt).toBe(store.clock.now() + 90_000);
    expect(session.latestEndAt).toBe(session.expiresAt);
  });

  it('refuses what cannot be lent, and keeps nothing of it', async () => {
    const { deps, store } = await openServices();
    const refused: [CreateSessionRequest, string, string][] = [
      [{ prefix: '' }, 'invalid_prefix', 'prefix'],
      [{ prefix: 'a..b' }, 'invalid_prefix', 'prefix'],
      [{ prefix: 'Post.Master' }, 'reserved_prefix', 'prefix'],
      [{ lifetimeSeconds: 59 }, 'invalid_parameter', 'lifetime'],
      [{ lifetimeSeconds: 86_401 }, 'invalid_parameter', 'lifetime'],
      [{ domainId: 99 }, 'unknown_domain', 'domain_id'],
      [{ domainId: 0 }, 'unknown_domain', 'domain_id'],
    ];
    for (const [request, code, parameter] of refused) {
      await expect(createSession(deps, request)).rejects.toThrow(refusal(code, parameter));
    }
    expect((await store.countRows()).sessions).toBe(0);
  });
});

describe('the domain', () => {
  it('is the one that was asked for', async () => {
    const { deps } = await openServices();
    const second = await deps.directory.addDomain('second.test', 0, 0);
    for (let i = 0; i < 5; i++) {
      const { session } = await createSession(deps, { domainId: second.id });
      expect(session.address).toMatch(/@second\.test$/);
    }
  });

  it('is any active one when none was asked for', async () => {
    const { deps } = await openServices();
    await deps.directory.addDomain('second.test', 0, 0);
    await deps.directory.addDomain('third.test', 0, 0);
    await deps.directory.disableDomain('third.test');
    const lent = await Promise.all(Array.from({ length: 100 }, () => createSession(deps, {})));
    const used = new Set(lent.map(({ session }) => session.address.split('@')[1]));
    expect(used).toEqual(new Set(['mayfly.test', 'second.test']));
  });

  it('looks the same whether it is disabled, removed or was never there', async () => {
    const { deps } = await openServices();
    const [disabled, removed] = [
      await deps.directory.addDomain('disabled.test', 0, 0),
      await deps.directory.addDomain('removed.test', 0, 0),
    ];
    await deps.directory.disableDomain('disabled.test');
    await deps.directory.removeDomain('removed.test');
    const messages = await Promise.all(
      [disabled.id, removed.id, 1234].map((domainId) =>
        createSession(deps, { domainId }).catch((error: unknown) => String(error)),
      ),
    );
    expect(messages[0]).toContain('unknown_domain');
    expect(new Set(messages).size).toBe(1);
  });

  it('is missing when none is active', async () => {
    const { deps } = await openServices();
    await deps.directory.disableDomain('mayfly.test');
    const refused = expect.objectContaining({
      code: 'no_domain_available',
      retryAfterSeconds: expect.any(Number) as number,
    });
    await expect(createSession(deps, {})).rejects.toThrow(refused);
    await expect(createSession(deps, { prefix: 'fox' })).rejects.toThrow(refused);
  });

  it('sets how long the address rests', async () => {
    const { deps, store } = await openServices();
    const { id: domainId } = await deps.directory.addDomain('resting.test', 5000, 0);
    const { session } = await createSession(deps, { prefix: 'fox', domainId });
    await store.mail.endSession(session.key);
    store.clock.advance(4999);
    await expect(createSession(deps, { prefix: 'fox', domainId })).rejects.toThrow(refusal('address_taken'));
    store.clock.advance(1);
    expect((await createSession(deps, { prefix: 'fox', domainId })).session.address).toBe('fox@resting.test');
  });
});

describe('a taken prefix', () => {
  it('is refused while a live session holds it, in any spelling', async () => {
    const { deps } = await openServices();
    await createSession(deps, { prefix: 'fox' });
    await expect(createSession(deps, { prefix: 'FOX' })).rejects.toThrow(refusal('address_taken', 'prefix'));
  });

  it('is tried on all other domains before it is refused', async () => {
    const { deps } = await openServices();
    const names = ['mayfly.test', ...Array.from({ length: 7 }, (_, i) => `other${i}.test`)];
    for (const name of names) await deps.directory.addDomain(name, 0, 0);
    const lent = await Promise.all(names.map(() => createSession(deps, { prefix: 'fox' })));
    const addresses = lent.map(({ session }) => session.address).sort();
    expect(addresses).toEqual(names.map((name) => `fox@${name}`).sort());
    await expect(createSession(deps, { prefix: 'fox' })).rejects.toThrow(refusal('address_taken', 'prefix'));
  });

  it('is tried on no other domain than the one that was asked for', async () => {
    const { deps } = await openServices();
    await deps.directory.addDomain('second.test', 0, 0);
    await createSession(deps, { prefix: 'fox', domainId: 1 });
    await expect(createSession(deps, { prefix: 'fox', domainId: 1 })).rejects.toThrow(
      refusal('address_taken'),
    );
  });

  it('goes to one of many who ask at once', async () => {
    const { deps } = await openServices();
    const asked = Array.from({ length: 20 }, () => createSession(deps, { prefix: 'fox' }));
    const settled = await Promise.allSettled(asked);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of settled) {
      if (one.status === 'rejected') expect(one.reason).toEqual(refusal('address_taken'));
    }
  });
});

describe('a random address', () => {
  it('is drawn again when it was taken', async () => {
    const { deps, store } = await openServices();
    const tried: string[] = [];
    const mail = Object.create(store.mail) as typeof store.mail;
    mail.createSession = (session) => {
      tried.push(session.address);
      return tried.length < 3 ? Promise.resolve('taken') : store.mail.createSession(session);
    };
    const { session } = await createSession({ ...deps, mail }, {});
    expect(new Set(tried).size).toBe(3);
    expect(session.address).toBe(tried[2]);
  });

  it('has a third word and more digits where strangers could guess it, by the domain and the API', async () => {
    const { deps, store } = await openServices();
    const { id } = await store.directory.addDomain('mayfly.io', 0, 0);
    const lend = async (request: object, isKeyRequired = false): Promise<string> =>
      (await createSession({ ...deps, limits: { ...deps.limits, isKeyRequired } }, request)).session.address;
    expect(await lend({ domainId: id })).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+[2-9]\d{5}@mayfly\.io$/);
    expect(await lend({ domainId: id }, true)).toMatch(/^[a-z]+\.[a-z]+[2-9]\d@mayfly\.io$/);
    expect(await lend({ domainId: id, style: 'words' })).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+[2-9]\d{5}@/);
    expect(await lend({ style: 'random' })).toMatch(/^[a-hjkmnp-z][a-hjkmnp-z2-9]{10}@/);
    expect(await lend({ style: 'random', domainId: id }, true)).toMatch(/^[a-hjkmnp-z][a-hjkmnp-z2-9]{10}@/);
    expect(await lend({ style: 'random', prefix: 'fox', domainId: id })).toBe('fox@mayfly.io');
  });

  it('that is always taken is a fault of ours, not the caller’s', async () => {
    const { deps, store } = await openServices();
    const mail = Object.create(store.mail) as typeof store.mail;
    mail.createSession = () => Promise.resolve('taken');
    const failed = await createSession({ ...deps, mail }, {}).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(failed).not.toHaveProperty('code');
  });
});

describe('Gmail, where no account is set up', () => {
  async function refusalsOf(requests: readonly CreateSessionRequest[]): Promise<unknown[]> {
    const { deps } = await openServices();
    return Promise.all(
      requests.map((request) => createSession(deps, request).catch((error: unknown) => error)),
    );
  }

  it('has no account to choose', async () => {
    const refusals = await refusalsOf([
      { useGmail: true },
      { gmailAuto: true },
      { useGmail: true, gmailAuto: true },
      { useGmail: true, domainId: 1 },
      { gmailAuto: true, domainId: 99 },
      { useGmail: true, gmailAuto: false, prefix: 'fox' },
    ]);
    const expected = { code: 'no_gmail_account_available', retryAfterSeconds: expect.any(Number) as number };
    for (const one of refusals) expect(one).toMatchObject(expected);
  });

  it('knows no account by its id', async () => {
    const refusals = await refusalsOf([
      { useGmail: true, gmailId: 1 },
      { useGmail: true, gmailAuto: false, gmailId: 1 },
    ]);
    for (const one of refusals) expect(one).toEqual(refusal('unknown_gmail_account', 'gmail_id'));
  });

  it('refuses what excludes each other', async () => {
    const refusals = await refusalsOf([
      { gmailAuto: true, gmailId: 1 },
      { useGmail: true, gmailAuto: true, gmailId: 1 },
      { useGmail: false, gmailAuto: true },
    ]);
    for (const one of refusals) expect(one).toEqual(refusal('conflicting_parameters', 'gmail_auto'));
  });

  it('is not meant by flags that say no', async () => {
    const lent = await refusalsOf([
      { useGmail: false },
      { gmailAuto: false },
      { useGmail: false, gmailAuto: false },
    ]);
    const address = expect.stringMatching(/@mayfly\.test$/) as string;
    for (const one of lent) expect(one).toMatchObject({ session: { address } });
  });

  it('checks prefix and lifetime first', async () => {
    const refusals = await refusalsOf([
      { useGmail: true, prefix: 'a b' },
      { useGmail: true, lifetimeSeconds: 1 },
    ]);
    expect(refusals).toEqual([refusal('invalid_prefix'), refusal('invalid_parameter')]);
  });
});
