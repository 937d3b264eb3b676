import { describe, expect, it } from 'vitest';

import { NetworkLimiter } from '#networks/network-limiter';
import { openServices, type Services } from '../../../test/support/service/service-fixture.ts';
import { captureLabel } from '../../domain/addresses/capture.ts';
import type { SessionKey } from '../../domain/session.ts';
import { createToken } from '#sealing/token';
import { authenticateSmtp } from './authenticate-smtp.ts';
import { createCaptureSession } from '../addresses/create-capture-session.ts';
import { createSession } from '../addresses/create-session.ts';

const network = '192.0.2.7';

async function capture({ deps }: Services): Promise<{ key: SessionKey; username: string; password: string }> {
  const { session, token } = await createCaptureSession(deps, {});
  return { key: session.key, username: captureLabel(session) ?? '', password: token };
}

describe('a user name and a password', () => {
  it('are the label and the token of a live capture session, the label in any case', async () => {
    const services = await openServices();
    const { key, username, password } = await capture(services);
    const answer = await authenticateSmtp(services.deps, { username, password, network });
    expect(answer).toEqual({ key });
    const shouted = { username: username.toUpperCase(), password, network };
    const asAddress = { username: `${username}@mayfly.test`, password, network };
    expect(await authenticateSmtp(services.deps, asAddress)).toEqual({ key });
    expect(await authenticateSmtp(services.deps, shouted)).toEqual({ key });
  });

  it('are refused alike when they belong to anything else', async () => {
    const services = await openServices();
    const one = await capture(services);
    const other = await capture(services);
    const ended = await capture(services);
    await services.deps.mail.endSession(ended.key);
    const plain = await createSession(services.deps, { prefix: 'fox' });
    const logins: [string, string][] = [
      [other.username, one.password],
      [one.username, other.password],
      [one.username, ''],
      ['', one.password],
      ['', ''],
      [one.username, createToken().token],
      [one.username, `${one.password} `],
      [one.username, one.username],
      [one.password, one.password],
      [`${one.username}.mayfly.test`, one.password],
      [ended.username, ended.password],
      ['fox', plain.token],
      ['fox@mayfly.test', plain.token],
      ['', plain.token],
      ['*', plain.token],
      ['mayfly', plain.token],
    ];
    for (const [username, password] of logins) {
      const answer = await authenticateSmtp(services.deps, { username, password, network });
      expect([username, answer]).toEqual([username, 'wrong']);
    }
  });

  it('that are wrong are looked up like right ones, whatever they look like', async () => {
    const services = await openServices();
    const { username } = await capture(services);
    const hashes: number[] = [];
    const mail = {
      findSession: (hash: Uint8Array) => {
        hashes.push(hash.length);
        return services.deps.mail.findSession(hash);
      },
    };
    for (const password of ['', 'x', createToken().token, 'ü'.repeat(3000)]) {
      await authenticateSmtp({ ...services.deps, mail }, { username, password, network });
    }
    expect(hashes).toEqual([32, 32, 32, 32]);
  });

  it('that are wrong are limited by network, and right ones never are', async () => {
    const services = await openServices();
    const { key, username, password } = await capture(services);
    const wrongCredentials = new NetworkLimiter({ count: 2, periodMs: 60_000 }, () => 1000);
    const deps = { ...services.deps, wrongCredentials };
    const answers: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      answers.push(await authenticateSmtp(deps, { username, password: 'no', network }));
    }
    expect(answers).toEqual(['wrong', 'wrong', 'limited']);
    expect(await authenticateSmtp(deps, { username, password, network })).toEqual({ key });
    const elsewhere = { username, password: 'no', network: '198.51.100.1' };
    expect(await authenticateSmtp(deps, elsewhere)).toBe('wrong');
  });
});

it('a name of any kind leads to its session where all are taken, and none is no name', async () => {
  const services = await openServices();
  const { key, username, password } = await capture(services);
  const other = await capture(services);
  const names: string[] = [];
  const captureByName = ({ username: name }: { username: string }): Promise<SessionKey> => {
    names.push(name);
    return Promise.resolve(other.key);
  };
  const deps = { ...services.deps, captureByName };
  expect(await authenticateSmtp(deps, { username, password, network })).toEqual({ key });
  expect(await authenticateSmtp(deps, { username: 'Worker 1', password: 'x', network })).toEqual({
    key: other.key,
  });
  expect(await authenticateSmtp(deps, { username: '', password: 'x', network })).toBe('wrong');
  expect(names).toEqual(['Worker 1']);
  const refused = { ...deps, captureByName: () => Promise.resolve(undefined) };
  expect(await authenticateSmtp(refused, { username: 'Worker 1', password: 'x', network })).toBe('wrong');
});
