// Aliases through createSession, as callers ask for them.

import { describe, expect, it } from 'vitest';

import { parseMailbox } from '#mail-receiver/address';
import { addHealthyAccount, addUsage, setHealth } from '../../../test/support/gmail/gmail-account.ts';
import { openServices, type Services } from '../../../test/support/service/service-fixture.ts';
import type { MayflyError } from '../../domain/mayfly-error.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import { createSession, type CreateSessionRequest } from './create-session.ts';
import { resolveRecipient } from '../receiving/resolve-recipient.ts';

async function openWith(
  emails: readonly string[],
  limits: Partial<SessionLimits> = {},
): Promise<Services & { lendAlias(request?: CreateSessionRequest): Promise<string> }> {
  const services = await openServices({ limits });
  for (const email of emails) await addHealthyAccount(services.store, email);
  return {
    ...services,
    lendAlias: async (request) =>
      (await createSession(services.deps, { useGmail: true, ...request })).session.address,
  };
}

function refusal(code: string, parameter?: string): unknown {
  return expect.objectContaining({ code, ...(parameter === undefined ? {} : { parameter }) });
}

const noAccount = { code: 'no_gmail_account_available', retryAfterSeconds: 60 };

/** Dot variants lent until there are no more. */
async function lendAllDots(services: Awaited<ReturnType<typeof openWith>>): Promise<string[]> {
  const lent: string[] = [];
  for (;;) {
    const address = await services
      .lendAlias({ alias: 'dot' })
      .catch((error: unknown) => error as MayflyError);
    if (typeof address !== 'string') {
      expect(address).toMatchObject(noAccount);
      return lent;
    }
    lent.push(address);
  }
}

describe('the account', () => {
  it('is the chosen one', async () => {
    const { lendAlias } = await openWith(['aaaaaaaa@gmail.com', 'bbbbbbbb@gmail.com', 'cccccccc@gmail.com']);
    for (let i = 0; i < 3; i++) {
      expect(await lendAlias({ gmailId: 2, alias: 'plus' })).toMatch(/^bbbbbbbb\+/);
      expect(await lendAlias({ gmailId: 2, domainId: 1, alias: 'plus' })).toMatch(/^bbbbbbbb\+/);
      expect(await lendAlias({ domainId: 3, alias: 'plus' })).toMatch(/^cccccccc\+/);
    }
  });

  it('is the one with the fewest live sessions, then the one with the fewest bytes today', async () => {
    const services = await openWith(['aaaaaaaa@gmail.com', 'bbbbbbbb@gmail.com', 'cccccccc@gmail.com']);
    const { store, lendAlias } = services;
    const [first, second] = await store.gmail.listAccounts();
    if (!first || !second) throw new Error('No accounts.');
    await addUsage(store, first, 1000);
    await addUsage(store, second, 10);
    const letters = [];
    for (let i = 0; i < 6; i++) letters.push((await lendAlias({ gmailAuto: true }))[0]);
    expect(letters.join('')).toBe('cbacba');
    expect((await lendAlias({ gmailAuto: true, domainId: 1, useGmail: undefined }))[0]).toBe('c');
    expect((await lendAlias({ domainId: 99 }))[0]).toBe('b');
  });

  it('is never one that is disabled, refused, failing, new or removed', async () => {
    const services = await openWith(['aaaaaaaa@gmail.com', 'bbbbbbbb@gmail.com']);
    const { store, lendAlias } = services;
    const [first, second] = await store.gmail.listAccounts();
    if (!first || !second) throw new Error('No accounts.');
    const expectOnlySecond = async (): Promise<void> => {
      expect((await lendAlias())[0]).toBe('b');
      expect((await lendAlias({ domainId: first.id }))[0]).toBe('b');
      await expect(lendAlias({ gmailId: first.id })).rejects.toThrow(
        refusal('unknown_gmail_account', 'gmail_id'),
      );
    };
    for (const health of ['failing', 'refused', 'new'] as const) {
      await setHealth(store, first, health);
      await expectOnlySecond();
    }
    await setHealth(store, first, 'healthy');
    await store.gmail.disableAccount(first.email);
    await expectOnlySecond();
    await store.gmail.removeAccount(first.email);
    await expectOnlySecond();
    await setHealth(store, second, 'failing');
    await expect(lendAlias()).rejects.toMatchObject(noAccount);
    await expect(lendAlias({ gmailAuto: true })).rejects.toMatchObject(noAccount);
  });

  it('is another one when the aliases of the first are used up', async () => {
    const { lendAlias } = await openWith(['abc@gmail.com', 'xyz@gmail.com']);
    const lent: string[] = [];
    for (let i = 0; i < 6; i++) lent.push(await lendAlias({ alias: 'dot' }));
    const all = ['a.b.c', 'a.bc', 'ab.c', 'x.y.z', 'x.yz', 'xy.z'].map((name) => `${name}@gmail.com`);
    expect(lent.sort()).toEqual(all);
    await expect(lendAlias({ alias: 'dot' })).rejects.toMatchObject(noAccount);
    await expect(lendAlias({ alias: 'dot', gmailId: 1 })).rejects.toMatchObject(noAccount);
    expect(await lendAlias()).toMatch(/^(?:abc|xyz)\+/);
  });
});

describe('a dot variant', () => {
  it('is the default, has the account’s letters, and is no spelling of the account’s own', async () => {
    const { lendAlias } = await openWith(['quiet.fox@gmail.com']);
    const lent = await Promise.all(Array.from({ length: 50 }, () => lendAlias()));
    expect(new Set(lent).size).toBe(50);
    for (const address of lent) {
      expect(address).toMatch(/^[a-z]+(?:\.[a-z]+)*@gmail\.com$/);
      expect(address.replaceAll('.', '')).toBe('quietfox@gmailcom');
      expect(['quiet.fox@gmail.com', 'quietfox@gmail.com']).not.toContain(address);
    }
  });

  it('is lent until none is left, each once', async () => {
    const lent = await lendAllDots(await openWith(['abcdefg@gmail.com']));
    expect(new Set(lent).size).toBe(63);
  });

  it('gives way to a plus alias when few are left and none was asked for', async () => {
    const services = await openWith(['abcde@gmail.com']);
    const lent: string[] = [];
    for (let i = 0; i < 15; i++) lent.push(await services.lendAlias());
    expect(lent.filter((address) => address.includes('+'))).toHaveLength(3);
    expect(await services.lendAlias({ alias: 'dot' })).not.toContain('+');
    expect((await lendAllDots(services)).length).toBe(2);
  });

  it('rests after its session as the setting says, under both domains', async () => {
    const services = await openWith(['ab@gmail.com'], { quarantineSeconds: 100 });
    const { deps, store, lendAlias } = services;
    const request = { useGmail: true, alias: 'dot', isGooglemail: true } as const;
    const { session } = await createSession(deps, request);
    expect(session.address).toBe('a.b@googlemail.com');
    await store.mail.endSession(session.key);
    store.clock.advance(99_999);
    await expect(lendAlias({ alias: 'dot' })).rejects.toMatchObject(noAccount);
    store.clock.advance(1);
    expect(await lendAlias({ alias: 'dot' })).toBe('a.b@gmail.com');
  });

  it('is there at Gmail alone', async () => {
    const services = await openWith(['box@mail.test']);
    const { lendAlias } = services;
    expect(await lendAlias()).toMatch(/^box\+[a-z0-9]{11}@mail\.test$/);
    await expect(lendAlias({ alias: 'dot' })).rejects.toMatchObject(noAccount);
    await expect(lendAlias({ isGooglemail: true })).rejects.toMatchObject(noAccount);
    await expect(lendAlias({ alias: 'dot', gmailId: 1 })).rejects.toThrow(
      refusal('invalid_parameter', 'alias'),
    );
    await expect(lendAlias({ isGooglemail: true, gmailId: 1 })).rejects.toThrow(
      refusal('invalid_parameter', 'googlemail'),
    );
    await addHealthyAccount(services.store, 'abcdef@gmail.com');
    expect(await lendAlias({ alias: 'dot' })).toMatch(/@gmail\.com$/);
  });
});

describe('a plus alias', () => {
  it('has a random, readable tag of 40 bits or more', async () => {
    const { lendAlias } = await openWith(['quiet.fox@gmail.com']);
    const lent = await Promise.all(Array.from({ length: 50 }, () => lendAlias({ alias: 'plus' })));
    expect(new Set(lent).size).toBe(50);
    for (const address of lent) expect(address).toMatch(/^quiet\.fox\+[a-hj-km-np-z2-9]{11}@gmail\.com$/);
  });

  it('has the prefix after the plus, and is unique over both domains', async () => {
    const { lendAlias } = await openWith(['quiet.fox@gmail.com']);
    expect(await lendAlias({ prefix: 'My.Tag', isGooglemail: true })).toBe('quiet.fox+my.tag@googlemail.com');
    await expect(lendAlias({ prefix: 'my.tag' })).rejects.toThrow(refusal('address_taken', 'prefix'));
    expect(await lendAlias({ prefix: 'mytag', alias: 'plus' })).toBe('quiet.fox+mytag@gmail.com');
  });

  it('with a prefix is tried on every account before it is refused', async () => {
    const { lendAlias } = await openWith(['aaaaaaaa@gmail.com', 'bbbbbbbb@gmail.com']);
    const lent = [await lendAlias({ prefix: 'tag' }), await lendAlias({ prefix: 'tag' })];
    expect(lent).toEqual(['aaaaaaaa+tag@gmail.com', 'bbbbbbbb+tag@gmail.com']);
    await expect(lendAlias({ prefix: 'tag' })).rejects.toThrow(refusal('address_taken'));
  });

  it('keeps to 64 octets, on an account whose name is short enough', async () => {
    const services = await openWith([`${'a'.repeat(40)}@gmail.com`]);
    const { lendAlias, store } = services;
    await expect(lendAlias({ prefix: 'b'.repeat(24) })).rejects.toThrow(refusal('invalid_prefix', 'prefix'));
    expect(await lendAlias({ prefix: 'b'.repeat(23) })).toMatch(/^a{40}\+b{23}@/);
    await addHealthyAccount(store, 'short@gmail.com');
    await lendAlias({ gmailId: 2 });
    expect(await lendAlias({ prefix: 'b'.repeat(40) })).toMatch(/^short\+b{40}@/);
  });

  it('is refused what a prefix is refused, and dots with a prefix', async () => {
    const { lendAlias } = await openWith(['quiet.fox@gmail.com']);
    await expect(lendAlias({ prefix: 'a+b' })).rejects.toThrow(refusal('invalid_prefix'));
    await expect(lendAlias({ prefix: 'abuse' })).rejects.toThrow(refusal('reserved_prefix'));
    await expect(lendAlias({ prefix: 'tag', alias: 'dot' })).rejects.toThrow(
      refusal('conflicting_parameters', 'alias'),
    );
  });
});

describe('over SMTP', () => {
  it('an alias of an account is no recipient, live or not, exactly as one of any foreign domain', async () => {
    const { deps, lendAlias } = await openWith(['quiet.fox@gmail.com', 'box@mail.test']);
    const aliases = [await lendAlias({ gmailId: 1 }), await lendAlias({ gmailId: 2 })];
    for (const text of [...aliases, 'quiet.fox@gmail.com', 'somebody@foreign.test']) {
      const address = parseMailbox(text);
      if (!address) throw new Error('No address.');
      expect(await resolveRecipient(deps, address)).toEqual({ outcome: 'foreign' });
    }
  });
});
