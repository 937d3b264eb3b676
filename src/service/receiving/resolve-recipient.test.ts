import { expect, it } from 'vitest';

import { parseMailbox } from '#mail-receiver/address';
import { hourMs } from '../../../test/contract/store-fixture.ts';
import { openServices, type Services, unopened } from '../../../test/support/service/service-fixture.ts';
import { resolveRecipient } from './resolve-recipient.ts';

async function outcomeOf({ deps }: Services, text: string): Promise<string> {
  const address = parseMailbox(text, true);
  if (!address) throw new Error(`${text} is no address.`);
  return (await resolveRecipient(deps, address)).outcome;
}

it('accepts a live session’s address in any spelling of case, quoted or not', async () => {
  const services = await openServices();
  const session = await services.lend('quiet.fox');
  for (const text of ['quiet.fox@mayfly.test', 'QUIET.Fox@MAYFLY.TEST', '"quiet.fox"@mayfly.test.']) {
    expect(await resolveRecipient(services.deps, parseMailbox(text)!)).toEqual({
      outcome: 'accepted',
      recipient: unopened(session),
    });
  }
});

it('takes mail for the operator at postmaster and abuse of every domain, and at postmaster without one', async () => {
  const services = await openServices();
  const addresses = ['postmaster@mayfly.test', 'PostMaster@Mayfly.Test', 'abuse@mayfly.test'].map((text) =>
    parseMailbox(text)!,
  );
  for (const address of [...addresses, { localPart: 'Postmaster', domain: '' }]) {
    expect(await resolveRecipient(services.deps, address)).toEqual({
      outcome: 'accepted',
      recipient: 'operator',
    });
  }
  expect(await outcomeOf(services, 'postmaster@example.org')).toBe('foreign');
  expect((await resolveRecipient(services.deps, { localPart: 'abuse', domain: '' })).outcome).toBe('foreign');
});

it('is full for the operator once the mailbox would be, by the declared size', async () => {
  const { deps } = await openServices();
  const isFull = (sizeBytes: number): Promise<boolean> => Promise.resolve(sizeBytes > 10);
  const resolve = async (sizeBytes?: number): Promise<unknown> => {
    const address = parseMailbox('postmaster@mayfly.test')!;
    return resolveRecipient({ ...deps, operatorMailbox: { isFull } }, address, { sizeBytes });
  };
  expect([await resolve(10), await resolve(11), await resolve()]).toEqual([
    { outcome: 'accepted', recipient: 'operator' },
    { outcome: 'full', recipient: 'operator' },
    { outcome: 'accepted', recipient: 'operator' },
  ]);
});

it('takes nothing else for it', async () => {
  const services = await openServices();
  await services.lend('kate');
  const others = [
    'k.ate',
    '+kate',
    'kat+tag',
    'kate.',
    '"kate "',
    '\u212aate',
    'k%61te',
    '"kate@mayfly.test"',
    '""',
    'katé',
  ];
  for (const localPart of others.filter((text) => text !== 'kate.')) {
    expect([localPart, await outcomeOf(services, `${localPart}@mayfly.test`)]).toEqual([
      localPart,
      'unknown',
    ]);
  }
});

it('does not tell ended, resting and never lent addresses apart', async () => {
  const services = await openServices();
  await services.deps.directory.addDomain('mayfly.test', hourMs, 0);
  const [ended, due] = [await services.lend('ended'), await services.lend('due')];
  await services.store.mail.endSession(ended.key);
  services.store.clock.advance(hourMs);
  for (const address of [ended.address, due.address, 'never@mayfly.test']) {
    expect(await outcomeOf(services, address)).toBe('unknown');
  }
});

it('knows foreign domains, whether like ours or not', async () => {
  const services = await openServices();
  await services.lend('fox');
  for (const domain of [
    'example.org',
    'sub.mayfly.test',
    'mayfly.test.example',
    'xmayfly.test',
    '[127.0.0.1]',
  ]) {
    expect(await outcomeOf(services, `fox@${domain}`)).toBe('foreign');
  }
});

it('still takes mail for sessions on a disabled domain, none on a removed one', async () => {
  const services = await openServices();
  await services.lend('fox');
  await services.deps.directory.disableDomain('mayfly.test');
  expect(await outcomeOf(services, 'fox@mayfly.test')).toBe('accepted');
  await services.deps.directory.removeDomain('mayfly.test');
  expect(await outcomeOf(services, 'fox@mayfly.test')).toBe('foreign');
});

it('is full once messages or bytes reach the quota, and not after a deletion', async () => {
  const services = await openServices({ limits: { sessionMessages: 2, sessionBytes: 100 } });
  const [byCount, byBytes] = [await services.lend('count'), await services.lend('bytes')];
  await services.deliver('a: b\r\n', byCount);
  expect(await outcomeOf(services, byCount.address)).toBe('accepted');
  await services.deliver('a: b\r\n', byCount);
  await services.deliver('x'.repeat(100), byBytes);
  expect(await outcomeOf(services, byCount.address)).toBe('full');
  expect(await outcomeOf(services, byBytes.address)).toBe('full');
  await services.store.mail.deleteMessage(byCount.key, 1);
  expect(await outcomeOf(services, byCount.address)).toBe('accepted');
});

it('is never full without a quota', async () => {
  const services = await openServices({ limits: { sessionMessages: Infinity, sessionBytes: Infinity } });
  const session = await services.lend();
  for (let i = 0; i < 150; i++) await services.deliver('a: b\r\n', session);
  expect(await outcomeOf(services, session.address)).toBe('accepted');
});

it('knows its domain in U-labels, as senders with SMTPUTF8 may write it', async () => {
  const services = await openServices();
  await services.deps.directory.addDomain('xn--bcher-kva.example', undefined, hourMs);
  for (const domain of ['b\u00fccher.example', 'B\u00dcCHER.example', 'xn--bcher-kva.example']) {
    expect(await outcomeOf(services, `postmaster@${domain}`)).toBe('accepted');
    expect(await outcomeOf(services, `fox@${domain}`)).toBe('unknown');
  }
  expect(await outcomeOf(services, 'fox@b\u00fccher.test')).toBe('foreign');
});
