// How resolve-recipient handles labels, and connections that authenticated as a capture session.

import { randomBytes } from 'node:crypto';

import { expect, it, vi } from 'vitest';

import { parseMailbox } from '#mail-receiver/address';
import { hourMs } from '../../../test/contract/store-fixture.ts';
import { openServices, type Services, unopened } from '../../../test/support/service/service-fixture.ts';
import { captureLabel, randomLabel } from '../../domain/addresses/capture.ts';
import { createCaptureSession } from '../addresses/create-capture-session.ts';
import { type RecipientContext, type Resolution, resolveRecipient } from './resolve-recipient.ts';
import type { OpenSession } from '../session/session-access.ts';

function resolve({ deps }: Services, text: string, context?: RecipientContext): Promise<Resolution> {
  const address = parseMailbox(text, true);
  if (!address) throw new Error(`${text} is no address.`);
  return resolveRecipient(deps, address, context);
}

async function capture({ deps }: Services): Promise<{ session: OpenSession; label: string }> {
  const { session } = await createCaptureSession(deps, {});
  return { session, label: captureLabel(session)! };
}

it('takes every local part at its label, in any case, the operator’s two as well', async () => {
  const services = await openServices();
  const { session, label } = await capture(services);
  for (const text of [
    `anyone@${label}.mayfly.test`,
    `Some.One+tag@${label.toUpperCase()}.MAYFLY.test.`,
    `"with space"@${label}.mayfly.test`,
    `postmaster@${label}.mayfly.test`,
    `Abuse@${label}.mayfly.test`,
    `*@${label}.mayfly.test`,
    `käte@${label}.mayfly.test`,
  ]) {
    expect([text, await resolve(services, text)]).toEqual([
      text,
      { outcome: 'accepted', recipient: unopened(session) },
    ]);
  }
});

it('is at no other place: beside its label, below it, above it or at another domain', async () => {
  const services = await openServices();
  const { label } = await capture(services);
  await services.deps.directory.addDomain('other.test', 0, 0);
  const outcomes = {
    [`x@a.${label}.mayfly.test`]: 'foreign',
    [`x@${label}.example.org`]: 'foreign',
    [`x@${label}`]: 'foreign',
    [`x@short.mayfly.test`]: 'foreign',
    [`x@${label}.other.test`]: 'unknown',
    [`${label}@mayfly.test`]: 'unknown',
    [`*@mayfly.test`]: 'unknown',
  };
  for (const [text, outcome] of Object.entries(outcomes)) {
    expect([text, (await resolve(services, text)).outcome]).toEqual([text, outcome]);
  }
});

it('tells a label that ended from one that never was by nothing, look-ups included', async () => {
  const services = await openServices();
  await services.deps.directory.addDomain('mayfly.test', hourMs, 0);
  const [ended, due] = [await capture(services), await capture(services)];
  await services.store.mail.endSession(ended.session.key);
  services.store.clock.advance(hourMs);
  // The first look at a session that is due ends it.
  await resolve(services, `x@${due.label}.mayfly.test`);
  for (const label of [ended.label, due.label, randomLabel(randomBytes)]) {
    const { mail, directory } = services.store;
    const asked = [
      vi.spyOn(mail, 'findLiveSession'),
      vi.spyOn(mail, 'findSession'),
      vi.spyOn(mail, 'findSessionByKey'),
      vi.spyOn(directory, 'listDomains'),
    ];
    expect(await resolve(services, `x@${label}.mayfly.test`)).toEqual({ outcome: 'unknown' });
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0, 1]);
    vi.restoreAllMocks();
  }
});

it('takes mail of an authenticated connection for any address that no one else holds', async () => {
  const services = await openServices();
  const fox = await services.lend('fox');
  const { session, label } = await capture(services);
  const other = await capture(services);
  const context = { captureSession: session.key };
  const recipients = {
    'alice@example.org': session,
    'x@[127.0.0.1]': session,
    'nobody@mayfly.test': session,
    [`x@${randomLabel(randomBytes)}.mayfly.test`]: session,
    'x@y.z.mayfly.test': session,
    [`x@${label}.mayfly.test`]: session,
    'fox@mayfly.test': fox,
    [`x@${other.label}.mayfly.test`]: other.session,
    'postmaster@mayfly.test': 'operator',
  };
  for (const [text, opened] of Object.entries(recipients)) {
    const recipient = typeof opened === 'string' ? opened : unopened(opened);
    expect([text, await resolve(services, text, context)]).toEqual([
      text,
      { outcome: 'accepted', recipient },
    ]);
  }
});

it('takes nothing more for a connection whose session has ended, or is none that captures', async () => {
  const services = await openServices();
  const fox = await services.lend('fox');
  const { session } = await capture(services);
  await services.store.mail.endSession(session.key);
  for (const { key } of [session, fox]) {
    const outcomes = await Promise.all(
      ['alice@example.org', 'nobody@mayfly.test'].map(
        async (text) => (await resolve(services, text, { captureSession: key })).outcome,
      ),
    );
    expect(outcomes).toEqual(['foreign', 'unknown']);
  }
});

it('discards mail for unused labels where the domain does so, and captures it before that', async () => {
  const services = await openServices();
  const { session, label } = await capture(services);
  await services.deps.directory.changeDomain('mayfly.test', { discardsUnknown: true });
  const discarded = { outcome: 'accepted', recipient: { unknownAt: '@mayfly.test' } };
  const unknown = `x@${randomLabel(randomBytes)}.mayfly.test`;
  expect(await resolve(services, unknown)).toEqual(discarded);
  expect(await resolve(services, `x@${label}.mayfly.test`)).toMatchObject({
    recipient: { key: session.key },
  });
  expect(await resolve(services, unknown, { captureSession: session.key })).toMatchObject({
    recipient: unopened(session),
  });
  expect((await resolve(services, 'x@short.mayfly.test')).outcome).toBe('foreign');
});

it('finds a domain of the operator’s before the label of another', async () => {
  const services = await openServices();
  const { label } = await capture(services);
  const domain = `${label}.mayfly.test`;
  await services.deps.directory.addDomain(domain, 0, 0);
  expect(await resolve(services, `x@${domain}`)).toEqual({ outcome: 'unknown' });
  expect(await resolve(services, `postmaster@${domain}`)).toMatchObject({ recipient: 'operator' });
});

it('is never full where it drops its oldest, but for what would not fit alone', async () => {
  const services = await openServices({ limits: { sessionMessages: 1, sessionBytes: 100 } });
  const { session } = await createCaptureSession(services.deps, { onFull: 'drop_oldest' });
  await services.deliver('x'.repeat(90), session);
  const text = session.address.replace('*', 'x');
  expect((await resolve(services, text, { sizeBytes: 100 })).outcome).toBe('accepted');
  expect((await resolve(services, text, { sizeBytes: 101 })).outcome).toBe('full');
});

it('is full as any session is', async () => {
  const services = await openServices({ limits: { sessionMessages: 1 } });
  const { session, label } = await capture(services);
  await services.deliver('a: b\r\n', session);
  const full = { outcome: 'full', recipient: { key: session.key } };
  expect(await resolve(services, `x@${label}.mayfly.test`)).toMatchObject(full);
  expect(await resolve(services, 'x@example.org', { captureSession: session.key })).toMatchObject(full);
});
