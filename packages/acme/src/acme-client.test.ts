import { createHmac, generateKeyPairSync } from 'node:crypto';

import { expect, it } from 'vitest';

import { FakeAuthority, type FakeAuthorityOptions } from '../../../test/support/acme/fake-authority.ts';
import { AcmeClient, type AcmeRequest, type AcmeResponse } from './acme-client.ts';
import { AcmeProblem } from './problem.ts';

const accountKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const nothing = { email: '', externalAccount: undefined };

function open(options: Partial<FakeAuthorityOptions> = {}) {
  const authority = new FakeAuthority({
    now: Date.now,
    validate: () => Promise.resolve(undefined),
    ...options,
  });
  const sent: AcmeRequest[] = [];
  const client = new AcmeClient({
    clock: Date.now,
    directoryUrl: authority.directoryUrl,
    accountKey,
    userAgent: 'test/1',
    transport: (request) => {
      sent.push(request);
      return authority.transport(request);
    },
  });
  return { authority, client, sent };
}

function payloadOf({ body = '' }: AcmeRequest): Record<string, unknown> {
  const { payload } = JSON.parse(body) as { payload: string };
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

it('signs requests that the server can verify, and names itself', async () => {
  const { client, sent } = open();
  const url = await client.register({ ...nothing, email: 'ops@example.org' });
  expect(url).toBe('https://acme.test/account/0');
  expect(payloadOf(sent.at(-1)!)).toEqual({
    termsOfServiceAgreed: true,
    contact: ['mailto:ops@example.org'],
  });
  await client.post(url, 'https://acme.test/order', { identifiers: [{ type: 'dns', value: 'a.test' }] });
  expect(sent.map(({ headers }) => headers['user-agent'])).toEqual(sent.map(() => 'test/1'));
});

it('uses the nonce of each answer for the next request', async () => {
  const { client, sent } = open();
  const url = await client.register(nothing);
  await client.post(url, 'https://acme.test/order', { identifiers: [] });
  await client.post(url, 'https://acme.test/order/0', null);
  expect(sent.filter(({ url: asked }) => asked === 'https://acme.test/nonce').length).toBeLessThanOrEqual(1);
});

it('tries again with a fresh nonce, but not forever', async () => {
  let chance = 0;
  const { authority, client } = open({ random: () => (chance = (chance + 0.37) % 1) });
  authority.faults.badNonces = 0.9;
  await client.register(nothing);
  expect(authority.counts.badNonces).toBeGreaterThan(0);
  authority.faults.badNonces = 1.1;
  authority.counts.badNonces = 0;
  await expect(client.register(nothing)).rejects.toThrow(expect.objectContaining({ type: 'badNonce' }));
  expect(authority.counts.badNonces).toBe(21);
});

it('binds the account to one of the operator’s, as the server asks', async () => {
  const { client, sent } = open({ needsExternalAccount: true });
  await expect(client.register(nothing)).rejects.toThrow(/key id and the HMAC key/);
  const hmacKey = Buffer.alloc(32, 7).toString('base64url');
  await client.register({ email: '', externalAccount: { keyId: 'kid-1', hmacKey } });
  const binding = payloadOf(sent.at(-1)!)['externalAccountBinding'] as Record<string, string>;
  const header = JSON.parse(Buffer.from(binding['protected'] ?? '', 'base64url').toString()) as object;
  expect(header).toEqual({ alg: 'HS256', kid: 'kid-1', url: 'https://acme.test/account' });
  const signed = `${binding['protected']}.${binding['payload']}`;
  expect(binding['signature']).toBe(
    createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64url'),
  );
});

it('passes on why the server refuses, and when to come back', async () => {
  const { authority, client } = open();
  const url = await client.register(nothing);
  authority.faults.retryAfter = '7200';
  const refused = await client
    .post(url, 'https://acme.test/order', { identifiers: [] })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AcmeProblem);
  expect(refused).toMatchObject({ status: 429, type: 'rateLimited', retryAfterMs: 7_200_000 });
});

it.each<[string, Partial<AcmeResponse>]>([
  ['a page of a proxy', { body: Buffer.from('<html>') }],
  ['no object', { body: Buffer.from('[]') }],
  ['plain HTTP', { body: Buffer.from('{"newNonce":"http://acme.test/n"}') }],
])('refuses a directory that is %s', async (_title, answer) => {
  const client = new AcmeClient({
    clock: Date.now,
    directoryUrl: 'https://acme.test/directory',
    accountKey,
    userAgent: 'test/1',
    transport: () => Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(0), ...answer }),
  });
  await expect(client.directory()).rejects.toThrow('The server gave no');
});
