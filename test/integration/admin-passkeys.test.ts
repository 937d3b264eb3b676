// Passkeys of administrators over the operator's listener, by an authenticator in software.

import { describe, expect, it } from 'vitest';

import { createLogFeed } from '#telemetry/log-feed';
import { addKey, revokeKey } from '../../src/service/operating/manage-keys.ts';
import {
  type Bent,
  createPasskey,
  type SoftwarePasskey,
} from '../support/passkeys/software-authenticator.ts';
import { startAdminServer } from '../support/service/admin-fixture.ts';
import { ask, startHttp, type HarnessOptions, type Untyped } from './http-harness.ts';

const origin = 'https://ops.example.org';
const minuteMs = 60_000;

async function start(publicUrl = origin, access: NonNullable<HarnessOptions['access']> = {}) {
  const harness = await startHttp({ access });
  const admin = await startAdminServer(harness.ruled, {}, createLogFeed(), publicUrl);
  const call = async (path: string, token = '', body: object = {}): Promise<Untyped> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await ask(admin, `/admin/${path}`, sent)).json;
  };
  const read = async (path: string, token: string): Promise<Untyped> =>
    (await ask(admin, `/admin/${path}`, { headers: { authorization: `Bearer ${token}` } })).json;
  const signIn = async (key = admin.key): Promise<string> => (await call('sign-in', '', { key })).token;
  const register = async (token: string, name = 'Laptop', bent: Bent = {}) => {
    const { ceremony, options } = await call('begin-passkey', token);
    const passkey = createPasskey(options, origin, bent);
    const response = passkey.registration;
    return { passkey, answer: await call('add-passkey', token, { name, ceremony, response }) };
  };
  const enter = async (passkey: SoftwarePasskey, bent: Bent = {}): Promise<Untyped> => {
    const { ceremony, options } = await call('begin-passkey-sign-in');
    return call('passkey-sign-in', '', { ceremony, response: passkey.signIn(options, bent) });
  };
  const entries = async (): Promise<Untyped> => (await read('audit', admin.key)).entries;
  return { harness, admin, call, read, signIn, register, enter, entries };
}

type Started = Awaited<ReturnType<typeof start>>;

async function startWithPasskey() {
  const started = await start();
  const token = await started.signIn();
  const { passkey } = await started.register(token);
  return { ...started, token, passkey };
}

const wrong = { status: 'error', code: 'invalid_api_key' };
const refused = { status: 'error', code: 'command_refused' };

describe('a key', () => {
  it('signs in for a token that does what the key does, for twelve hours', async () => {
    const { harness, admin, call, read } = await start();
    const answer = await call('sign-in', '', { key: admin.key });
    expect(answer).toMatchObject({ key: 'operator', passkey: null, scopes: ['read', 'write'] });
    expect(answer.token).toMatch(/^mfo_/);
    expect(await read('keys', answer.token)).toMatchObject({ status: 'success' });
    expect(await call('add-domain', answer.token, { name: 'new.example' })).toMatchObject({
      status: 'success',
    });
    harness.advance(12 * 60 * minuteMs);
    expect(await read('keys', answer.token)).toMatchObject({
      ...wrong,
      message: 'Your sign-in has ended; sign in again.',
    });
  });

  it('gives no more than its scopes, and nothing once it is revoked', async () => {
    const { admin, call, read, signIn } = await start();
    const reader = await addKey(admin.operator, { name: 'reader', kind: 'admin', scopes: ['read'] });
    const token = await signIn(reader.key);
    expect(await read('keys', token)).toMatchObject({ status: 'success' });
    expect(await call('begin-passkey', token)).toMatchObject({ code: 'insufficient_scope' });
    await revokeKey(admin.operator, 'reader');
    expect(await read('keys', token)).toMatchObject(wrong);
  });

  it('is refused when it is wrong, for callers, or a token itself', async () => {
    const { admin, call, signIn } = await start();
    const caller = await addKey(admin.operator, { name: 'shop', kind: 'caller', scopes: [] });
    for (const key of [caller.key, `mfa_${'x'.repeat(43)}`, await signIn(), 'x']) {
      expect(await call('sign-in', '', { key })).toMatchObject(wrong);
    }
  });

  it('counts wrong tries of signing in as wrong keys', async () => {
    const { admin, call } = await start(origin, { rates: { authFailuresPerMinute: 2 } });
    for (const expected of ['invalid_api_key', 'invalid_api_key', 'rate_limited']) {
      expect(await call('sign-in', '', { key: 'x' })).toMatchObject({ code: expected });
    }
    expect(await call('begin-passkey-sign-in')).toMatchObject({ code: 'rate_limited' });
    expect(await call('sign-in', '', { key: admin.key })).toMatchObject({ code: 'rate_limited' });
  });
});

describe('a token', () => {
  it('is worth nothing when it is changed, or made for something else', async () => {
    const { call, read, signIn } = await start();
    const token = await signIn();
    const { ceremony } = await call('begin-passkey-sign-in');
    const [body = '', mac = ''] = token.slice(4).split('.');
    const richer = Buffer.from(
      Buffer.from(body, 'base64url').toString().replace('"keyId":1', '"keyId":2'),
    ).toString('base64url');
    for (const bad of [`mfo_${ceremony}`, `mfo_${richer}.${mac}`, `mfo_${body}.${'A'.repeat(43)}`, 'mfo_x']) {
      expect(await read('keys', bad)).toMatchObject(wrong);
    }
  });
});

describe('adding a passkey', () => {
  it('asks for a credential that is on the device and verifies its user', async () => {
    const { call, signIn } = await start();
    const answer = await call('begin-passkey', await signIn());
    expect(answer).toMatchObject({ origin });
    expect(answer.options).toMatchObject({
      rp: { id: 'ops.example.org', name: 'Mayfly' },
      user: { name: 'operator' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
  });

  it('keeps its name and public key, and is noted', async () => {
    const { admin, token, read, call, entries } = await startWithPasskey();
    expect(await read('passkeys', token)).toMatchObject({
      passkeys: [{ key: 'operator', name: 'Laptop', last_used_at: null }],
    });
    const [stored] = await admin.operator.passkeys.listPasskeys();
    expect(stored).toMatchObject({ counter: 1, transports: ['internal'] });
    expect(await entries()).toMatchObject([
      { by: 'key', who: 'operator', action: 'add-passkey', target: 'operator/Laptop', outcome: 'done' },
      { by: 'key', who: 'operator', action: 'sign-in', outcome: 'done' },
    ]);
    const again = await call('begin-passkey', token);
    expect(again.options.excludeCredentials).toHaveLength(1);
  });

  it('is refused to a key itself, and ten minutes after signing in', async () => {
    const { harness, admin, call, signIn, register } = await start();
    expect(await call('begin-passkey', admin.key)).toMatchObject(refused);
    const token = await signIn();
    const { ceremony, options } = await call('begin-passkey', token);
    harness.advance(10 * minuteMs);
    const response = createPasskey(options, origin).registration;
    for (const answer of [
      await call('add-passkey', token, { name: 'Laptop', ceremony, response }),
      await call('begin-passkey', token),
    ]) {
      expect(answer).toMatchObject({
        ...refused,
        message: 'Passkeys are added within ten minutes of signing in; sign in again.',
      });
    }
    expect((await register(await signIn())).answer).toMatchObject({ status: 'success' });
  });

  const hostile: readonly (readonly [what: string, bent: Bent])[] = [
    ['for another origin', { origin: 'https://evil.example' }],
    ['for the origin in another scheme', { origin: 'http://ops.example.org' }],
    ['for another host', { rpId: 'example.org' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['of another kind', { type: 'webauthn.get' }],
    ['in a frame of another page', { crossOrigin: true }],
    ['without verifying the user', { isVerified: false }],
    ['without a user', { isPresent: false }],
    ['with an attestation that nothing asked for', { format: 'tpm' }],
    ['with certificates', { format: 'packed', statement: [['x5c', [Buffer.from('x')]]] }],
    ['with a statement where there is none', { statement: [['alg', -7]] }],
  ];

  it('is refused when anything about it is not as it should be', async () => {
    const { admin, signIn, register } = await start();
    const token = await signIn();
    for (const [what, bent] of hostile) {
      const { answer } = await register(token, 'Laptop', bent);
      expect([what, answer]).toMatchObject([what, refused]);
    }
    expect(await admin.operator.passkeys.listPasskeys()).toEqual([]);
    expect((await register(token)).answer).toMatchObject({ status: 'success' });
  });

  it('takes each challenge once, in time, and from the sign-in that asked', async () => {
    const { harness, admin, call, signIn } = await start();
    const other = await addKey(admin.operator, { name: 'other', kind: 'admin', scopes: [] });
    const [token, second, foreign] = [await signIn(), await signIn(), await signIn(other.key)];
    const begin = async () => {
      const { ceremony, options } = await call('begin-passkey', token);
      const { registration: response } = createPasskey(options, origin);
      return { name: 'Laptop', ceremony, response };
    };
    const used = await begin();
    expect(await call('add-passkey', token, { ...used, name: 'One' })).toMatchObject({ status: 'success' });
    expect(await call('add-passkey', token, { ...used, name: 'Two' })).toMatchObject(refused);
    expect(await call('add-passkey', foreign, await begin())).toMatchObject(refused);
    expect(await call('add-passkey', second, await begin())).toMatchObject(refused);
    const late = await begin();
    harness.advance(5 * minuteMs);
    expect(await call('add-passkey', token, late)).toMatchObject(refused);
    expect(await admin.operator.passkeys.listPasskeys()).toMatchObject([{ name: 'One' }]);
  });

  it('refuses a name that is taken or cannot be shown, and more than twenty', async () => {
    const { token, register } = await startWithPasskey();
    for (const name of ['Laptop', 'a\u202Eb', 'x'.repeat(41), '\n']) {
      expect([name, (await register(token, name)).answer.status]).toEqual([name, 'error']);
    }
    for (let at = 2; at <= 20; at += 1) await register(token, `No. ${at}`);
    expect((await register(token, 'No. 21')).answer).toMatchObject({
      message: 'operator has 20 passkeys; remove one first.',
    });
  });

  it('is refused with anything but the browser’s answer', async () => {
    const { call, signIn } = await start();
    const token = await signIn();
    const empty = JSON.stringify({
      type: 'public-key',
      id: 'AA',
      rawId: 'AA',
      response: { attestationObject: 'x' },
    });
    for (const response of ['{', '[]', '{"response":{}}', '{"type":"public-key","response":"x"}', empty]) {
      const { ceremony } = await call('begin-passkey', token);
      expect(await call('add-passkey', token, { name: 'Laptop', ceremony, response })).toMatchObject(refused);
    }
  });
});

describe('a passkey', () => {
  it('signs in as its administrator, and is named in the audit', async () => {
    const { passkey, enter, call, read, entries } = await startWithPasskey();
    const answer = await enter(passkey);
    expect(answer).toMatchObject({ key: 'operator', passkey: 'Laptop', scopes: ['read', 'write'] });
    await call('add-domain', answer.token, { name: 'new.example' });
    expect((await entries()).slice(0, 2)).toMatchObject([
      { by: 'passkey', who: 'operator/Laptop', action: 'add-domain', outcome: 'done' },
      { by: 'passkey', who: 'operator/Laptop', action: 'passkey-sign-in', outcome: 'done' },
    ]);
    const { passkeys } = await read('passkeys', answer.token);
    expect(passkeys[0].last_used_at).not.toBeNull();
  });

  it('may add another, which ends with the same key', async () => {
    const { admin, passkey, enter, register, read } = await startWithPasskey();
    const { token } = await enter(passkey);
    const { passkey: phone, answer } = await register(token, 'Phone');
    expect(answer).toMatchObject({ key: 'operator', name: 'Phone' });
    const { token: second } = await enter(phone);
    await addKey(admin.operator, { name: 'spare', kind: 'admin', scopes: [] });
    await revokeKey(admin.operator, 'operator');
    for (const old of [token, second]) expect(await read('keys', old)).toMatchObject(wrong);
    for (const one of [passkey, phone]) expect(await enter(one)).toMatchObject(wrong);
    // Nor for a new key of the same name.
    await addKey(admin.operator, { name: 'operator', kind: 'admin', scopes: [] });
    expect(await enter(passkey)).toMatchObject(wrong);
  });

  it('is worth nothing once it is removed, nor what it signed in to', async () => {
    const { token, passkey, enter, call, read, entries } = await startWithPasskey();
    const { token: own } = await enter(passkey);
    const { passkeys } = await read('passkeys', token);
    const begun = await call('begin-passkey-sign-in');
    expect(await call('remove-passkey', token, { id: passkeys[0].id })).toMatchObject({ name: 'Laptop' });
    expect(await read('keys', own)).toMatchObject(wrong);
    const response = passkey.signIn(begun.options);
    expect(await call('passkey-sign-in', '', { ceremony: begun.ceremony, response })).toMatchObject(wrong);
    expect(await read('keys', token)).toMatchObject({ status: 'success' });
    expect(await entries()).toMatchObject([
      { action: 'remove-passkey', target: 'operator/Laptop', outcome: 'done' },
      ...[{ action: 'passkey-sign-in' }, { action: 'add-passkey' }, { action: 'sign-in' }],
    ]);
    expect(await call('remove-passkey', token, { id: passkeys[0].id })).toMatchObject(refused);
  });

  const hostile: readonly (readonly [what: string, bent: Bent])[] = [
    ['at another origin', { origin: 'https://evil.example' }],
    ['at another port', { origin: `${origin}:8443` }],
    ['at a host below', { origin: 'https://x.ops.example.org' }],
    ['for another host', { rpId: 'example.org' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['of another kind', { type: 'webauthn.create' }],
    ['in a frame of another page', { crossOrigin: true }],
    ['without verifying the user', { isVerified: false }],
    ['without a user', { isPresent: false }],
    ['for another administrator', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['with another key', { signsWrongly: true }],
  ];

  it('does not sign in when anything about it is not as it should be', async () => {
    const { admin, passkey, enter, entries } = await startWithPasskey();
    for (const [what, bent] of hostile) {
      expect([what, await enter(passkey, bent)]).toMatchObject([what, wrong]);
    }
    expect(await admin.operator.passkeys.listPasskeys()).toMatchObject([{ counter: 1, lastUsedAt: null }]);
    expect(await entries()).toHaveLength(2);
    expect(await enter(passkey)).toMatchObject({ status: 'success' });
  });

  it('does not sign in with the credential of another administrator', async () => {
    const { admin, signIn, register, enter, call } = await startWithPasskey();
    const other = await addKey(admin.operator, { name: 'other', kind: 'admin', scopes: ['read', 'write'] });
    const { passkey } = await register(await signIn(other.key), 'Phone');
    const options = (await call('begin-passkey', await signIn())).options as { user: { id: string } };
    expect(await enter(passkey, { userHandle: options.user.id })).toMatchObject(wrong);
    expect(await enter(passkey)).toMatchObject({ key: 'other', passkey: 'Phone' });
  });

  it('signs each challenge once, even for an attempt that failed, and within five minutes', async () => {
    const { harness, passkey, call } = await startWithPasskey();
    const end = (begun: Untyped, bent: Bent = {}): Promise<Untyped> =>
      call('passkey-sign-in', '', {
        ceremony: begun.ceremony,
        response: passkey.signIn(begun.options, bent),
      });
    const [used, failed, late] = [
      await call('begin-passkey-sign-in'),
      await call('begin-passkey-sign-in'),
      await call('begin-passkey-sign-in'),
    ];
    expect(await end(used)).toMatchObject({ status: 'success' });
    expect(await end(used)).toMatchObject(wrong);
    expect(await end(failed, { signsWrongly: true })).toMatchObject(wrong);
    expect(await end(failed)).toMatchObject(wrong);
    harness.advance(5 * minuteMs);
    expect(await end(late)).toMatchObject(wrong);
  });

  it('signs in to the tab that asked, not to another', async () => {
    const { passkey, call } = await startWithPasskey();
    const [one, other] = [await call('begin-passkey-sign-in'), await call('begin-passkey-sign-in')];
    const response = passkey.signIn(one.options);
    expect(await call('passkey-sign-in', '', { ceremony: other.ceremony, response })).toMatchObject(wrong);
    expect(await call('passkey-sign-in', '', { ceremony: one.ceremony, response })).toMatchObject({
      status: 'success',
    });
  });

  it('is refused when its counter goes back, which is noted', async () => {
    const { passkey, enter, entries } = await startWithPasskey();
    expect(await enter(passkey, { counter: 7 })).toMatchObject({ status: 'success' });
    for (const counter of [7, 6, 0]) expect(await enter(passkey, { counter })).toMatchObject(wrong);
    expect((await entries())[0]).toMatchObject({
      by: 'passkey',
      who: 'operator/Laptop',
      action: 'passkey-sign-in',
      outcome: 'refused',
      detail: expect.stringContaining('counter went back') as string,
    });
    expect(await enter(passkey, { counter: 8 })).toMatchObject({ status: 'success' });
  });
});

describe('the page’s address', () => {
  const begin = async ({ call }: Pick<Started, 'call'>): Promise<Untyped> => call('begin-passkey-sign-in');

  it('is the name of the machine itself where none is set, on loopback', async () => {
    const started = await start('');
    const { port } = started.admin;
    expect(await begin(started)).toMatchObject({
      origin: `http://localhost:${port}`,
      options: { rpId: 'localhost', userVerification: 'required' },
    });
  });

  it('does not come from Host', async () => {
    const { admin } = await start();
    const answer = await ask(admin, '/admin/begin-passkey-sign-in', {
      method: 'POST',
      headers: { host: 'localhost', origin: 'http://localhost', 'x-forwarded-host': 'evil.example' },
    });
    expect(answer.json).toMatchObject({ origin, options: { rpId: 'ops.example.org' } });
  });

  it('is accepted in Host', async () => {
    const { admin } = await start();
    expect((await ask(admin, '/admin', { headers: { host: 'ops.example.org' } })).status).toBe(200);
    expect((await ask(admin, '/admin', { headers: { host: 'evil.example' } })).status).toBe(421);
  });
});
