// Access control over HTTP: rate limits, caps, API keys, challenges and blocks.

import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { createChallenges } from '#networks/challenge';
import { addBlock } from '../../src/service/operating/manage-blocks.ts';
import { addKey, revokeKey } from '../../src/service/operating/manage-keys.ts';
import { ask, type Harness, type HttpAnswer, startHttp } from './http-harness.ts';

function create(
  harness: Harness,
  headers: Record<string, string> = {},
  parameters: Record<string, string> = {},
): Promise<HttpAnswer> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(parameters).toString();
  return ask(harness, '/create-session', { method: 'POST', headers: { ...type, ...headers }, body });
}

function keyFor(harness: Harness, name: string, given: Partial<Parameters<typeof addKey>[1]> = {}) {
  return addKey(harness.ruled.operator, { name, kind: 'caller', scopes: [], ...given });
}

/** Returns status and code. */
async function outcome(answer: Promise<HttpAnswer>): Promise<[number, string | undefined]> {
  const { status, json } = await answer;
  return [status, json.code];
}

const proxied = { trustedProxies: ['127.0.0.1'], proxyHeader: 'x-forwarded-for' } as const;
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

describe('the rate of create-session', () => {
  it('is enforced, reported, and restored with time', async () => {
    const harness = await startHttp({ access: { rates: { createsPerMinute: 3, createsPerDay: 100 } } });
    const policies = '"create-minute";q=3;w=60, "create-day";q=100;w=86400';
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await create(harness);
      expect([status, headers['ratelimit-policy']]).toEqual([200, policies]);
      expect(headers.ratelimit).toBe(`"create-minute";r=${remaining};t=${(3 - remaining) * 20}`);
    }
    const refused = await create(harness);
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers).toMatchObject({
      'retry-after': '20',
      ratelimit: '"create-minute";r=0;t=60',
      'ratelimit-policy': policies,
    });
    harness.ruled.advance(20_000);
    expect((await create(harness)).status).toBe(200);
    expect((await create(harness)).status).toBe(429);
  });

  it('per day applies besides that per minute', async () => {
    const harness = await startHttp({ access: { rates: { createsPerMinute: 10, createsPerDay: 3 } } });
    for (let count = 0; count < 3; count++) expect((await create(harness)).status).toBe(200);
    harness.ruled.advance(60_000);
    const { status, headers } = await create(harness);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(28_000);
  });

  it('counts addresses separately, as reported by named proxies, and an IPv6 /64 as one', async () => {
    const harness = await startHttp({ settings: proxied, access: { rates: { createsPerMinute: 1 } } });
    const statusOf = async (address: string) => (await create(harness, from(address))).status;
    expect(await statusOf('192.0.2.1')).toBe(200);
    expect(await statusOf('192.0.2.1')).toBe(429);
    expect(await statusOf('192.0.2.2')).toBe(200);
    expect(await statusOf('2001:db8::1')).toBe(200);
    expect(await statusOf('2001:db8::2')).toBe(429);
    expect(await statusOf('2001:db8:0:1::1')).toBe(200);
  });

  it('gives an IPv6 /48 ten times the rate of a /64, however many it uses', async () => {
    const harness = await startHttp({ settings: proxied, access: { rates: { createsPerMinute: 2 } } });
    const statuses: number[] = [];
    for (let net = 0; net < 25; net++) {
      statuses.push((await create(harness, from(`2001:db8:7:${net.toString(16)}::1`))).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect((await create(harness, from('2001:db8:8::1'))).status).toBe(200);
  });

  it('gives an IPv4 /24 ten times the rate of an address', async () => {
    const harness = await startHttp({ settings: proxied, access: { rates: { createsPerMinute: 2 } } });
    const statuses: number[] = [];
    for (let at = 0; at < 25; at++) {
      statuses.push((await create(harness, from(`::ffff:192.0.2.${at}`))).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect((await create(harness, from('192.0.3.1'))).status).toBe(200);
  });

  it('is not evaded by a made-up X-Forwarded-For', async () => {
    const harness = await startHttp({ access: { rates: { createsPerMinute: 1 } } });
    expect((await create(harness, from('192.0.2.1'))).status).toBe(200);
    expect((await create(harness, from('192.0.2.2'))).status).toBe(429);
    expect((await create(harness, { forwarded: 'for=192.0.2.3' })).status).toBe(429);
    const behind = await startHttp({ settings: proxied, access: { rates: { createsPerMinute: 1 } } });
    expect((await create(behind, from('203.0.113.1, 192.0.2.1'))).status).toBe(200);
    expect((await create(behind, from('203.0.113.2, 192.0.2.1'))).status).toBe(429);
    expect((await create(behind, { ...from('192.0.2.1'), forwarded: 'for=203.0.113.3' })).status).toBe(429);
  });
});

describe('the rate of requests', () => {
  it('counts for each token alone, for any request, without affecting others', async () => {
    const harness = await startHttp({ access: { rates: { requestsPerMinute: 3 } } });
    const { token } = await harness.lend();
    const other = await harness.lend();
    const get = (path: string, one = token) =>
      ask(harness, path, { headers: { authorization: `Bearer ${one}` } });
    expect((await get('/check-mail')).headers).toMatchObject({
      ratelimit: '"request";r=2;t=20',
      'ratelimit-policy': '"request";q=3;w=60',
    });
    expect((await get('/session')).status).toBe(200);
    expect((await get('/read-mail?id=9')).status).toBe(404);
    expect(await outcome(get('/check-mail'))).toEqual([429, 'rate_limited']);
    expect((await get('/check-mail')).headers['retry-after']).toBe('20');
    expect((await get('/check-mail', other.token)).status).toBe(200);
    expect((await ask(harness, '/domains')).headers.ratelimit).toBeUndefined();
  });

  it('for links is separate: images do not use up the token’s rate', async () => {
    const harness = await startHttp({
      access: { rates: { requestsPerMinute: 10, linkRequestsPerMinute: 2 } },
    });
    const { token, session } = await harness.lend();
    await harness.deliver('Subject: x\r\n\r\n', [session]);
    const { message } = (await ask(harness, `/read-mail?id=1&token=${token}`)).json;
    for (const status of [200, 200, 429]) expect((await ask(harness, message.raw_url)).status).toBe(status);
    expect((await ask(harness, `/check-mail?token=${token}`)).headers.ratelimit).toContain('r=8');
  });
});

describe('wrong tokens', () => {
  it('are reported a few times a minute, then only delayed, while right ones are served', async () => {
    const harness = await startHttp({ settings: proxied, access: { rates: { authFailuresPerMinute: 3 } } });
    const { token } = await harness.lend();
    const guess = (headers = from('192.0.2.1')) =>
      ask(harness, `/check-mail?token=mf_${'A'.repeat(43)}`, { headers });
    for (let count = 0; count < 3; count++) expect(await outcome(guess())).toEqual([401, 'unknown_token']);
    const refused = await guess();
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/) as string,
      ratelimit: expect.stringMatching(/^"wrong-credential";r=0;t=\d+$/) as string,
      'ratelimit-policy': '"wrong-credential";q=3;w=60',
    });
    expect(await outcome(create(harness, { ...from('192.0.2.1'), 'x-api-key': 'x' }))).toEqual([
      429,
      'rate_limited',
    ]);
    expect((await ask(harness, `/check-mail?token=${token}`, { headers: from('192.0.2.1') })).status).toBe(
      200,
    );
    expect(await outcome(ask(harness, '/check-mail', { headers: from('192.0.2.1') }))).toEqual([
      401,
      'missing_token',
    ]);
    expect(await outcome(guess(from('192.0.2.2')))).toEqual([401, 'unknown_token']);
  });
});

describe('live sessions', () => {
  it('are capped by address, and one that ends makes room', async () => {
    const harness = await startHttp({ settings: proxied, access: { perAddress: 2 } });
    const first = await create(harness, from('192.0.2.1'), { lifetime: '600' });
    await create(harness, from('192.0.2.1'));
    const refused = await create(harness, from('192.0.2.1'));
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_sessions']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
    expect((await create(harness, from('192.0.2.2'))).status).toBe(200);
    await ask(harness, `/end-session?token=${first.json.token}`, {
      method: 'POST',
      headers: from('192.0.2.1'),
    });
    expect((await create(harness, from('192.0.2.1'))).status).toBe(200);
    expect((await create(harness, from('192.0.2.1'))).status).toBe(429);
  });

  it('count for their creator, not for those who extend or end them', async () => {
    const harness = await startHttp({ settings: proxied, access: { perAddress: 1 } });
    const [one, other] = ['192.0.2.1', '198.51.100.1'];
    const first = await create(harness, from(one), { lifetime: '600' });
    const end = (token: string, by: string) =>
      ask(harness, `/end-session?token=${token}`, { method: 'POST', headers: from(by) });
    expect((await create(harness, from(other), { lifetime: '600' })).status).toBe(200);
    // The same ending for both, so that only the creator distinguishes them.
    expect((await end(first.json.token, other)).status).toBe(200);
    expect((await create(harness, from(other))).status).toBe(429);
    const second = await create(harness, from(one), { lifetime: '60' });
    expect(second.status).toBe(200);
    const target = `/extend-session?lifetime=6000&token=${second.json.token}`;
    expect((await ask(harness, target, { method: 'POST', headers: from(other) })).status).toBe(200);
    const refused = await create(harness, from(one));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(5900);
  });

  it.each([
    ['an IPv4 /24', (at: number) => `192.0.2.${at}`, '192.0.3.1'],
    ['an IPv6 /48', (at: number) => `2001:db8:7:${at.toString(16)}::1`, '2001:db8:8::1'],
  ])("have ten times an address's cap in %s", async (_what, address, another) => {
    const harness = await startHttp({ settings: proxied, access: { perAddress: 2 } });
    const made: HttpAnswer[] = [];
    for (let at = 1; at <= 25; at++) made.push(await create(harness, from(address(at))));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(20);
    expect((await create(harness, from(another))).status).toBe(200);
    const headers = from(another);
    await ask(harness, `/end-session?token=${made[0]?.json.token}`, { method: 'POST', headers });
    expect((await create(harness, from(address(25)))).status).toBe(200);
    expect((await create(harness, from(address(25)))).status).toBe(429);
  });

  it('that were extended count until their new end', async () => {
    const harness = await startHttp({ access: { perAddress: 1 } });
    const { json } = await create(harness, {}, { lifetime: '60' });
    await ask(harness, `/extend-session?lifetime=6000&token=${json.token}`, { method: 'POST' });
    const refused = await create(harness);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(5900);
  });

  it('in all are capped', async () => {
    const harness = await startHttp({ access: { total: 2 } });
    for (let count = 0; count < 2; count++) expect((await create(harness)).status).toBe(200);
    const refused = await create(harness);
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_sessions']);
    expect(refused.headers['retry-after']).toBe('60');
  });
});

describe('an API key', () => {
  it('is required if the operator says so, and must be valid', async () => {
    const harness = await startHttp({ access: { isKeyRequired: true } });
    const { key } = await keyFor(harness, 'shop');
    expect(await outcome(create(harness))).toEqual([401, 'invalid_api_key']);
    expect(await outcome(create(harness, { 'x-api-key': '' }))).toEqual([401, 'invalid_api_key']);
    expect(await outcome(create(harness, { 'x-api-key': `${key}x` }))).toEqual([401, 'invalid_api_key']);
    const created = await create(harness, { 'x-api-key': key });
    expect(created.status).toBe(200);
    expect((await ask(harness, `/check-mail?token=${created.json.token}`)).status).toBe(200);
    await revokeKey(harness.ruled.operator, 'shop');
    expect(await outcome(create(harness, { 'x-api-key': key }))).toEqual([401, 'invalid_api_key']);
  });

  it('that is wrong is refused even if none is required, and an admin key is no such key', async () => {
    const harness = await startHttp({ access: {} });
    const admin = await keyFor(harness, 'ops', { kind: 'admin' });
    expect((await create(harness)).status).toBe(200);
    for (const key of ['x', admin.key]) {
      expect(await outcome(create(harness, { 'x-api-key': key }))).toEqual([401, 'invalid_api_key']);
    }
  });

  it('has its own rate instead of the address’s', async () => {
    const harness = await startHttp({ access: { rates: { createsPerMinute: 1, keyCreatesPerMinute: 2 } } });
    const usual = await keyFor(harness, 'usual');
    const large = await keyFor(harness, 'large', { ratePerMinute: 4 });
    const statusesOf = async (key: string): Promise<number[]> => {
      const statuses: number[] = [];
      for (let count = 0; count < 5; count++) {
        statuses.push((await create(harness, { 'x-api-key': key })).status);
      }
      return statuses;
    };
    expect(await statusesOf(usual.key)).toEqual([200, 200, 429, 429, 429]);
    expect(await statusesOf(large.key)).toEqual([200, 200, 200, 200, 429]);
    expect((await create(harness)).status).toBe(200);
    const allowed = await create(harness, { 'x-api-key': large.key });
    expect(allowed.headers['ratelimit-policy']).toBe('"key-create";q=4;w=60');
  });

  it('allows what its scopes say and no more', async () => {
    const harness = await startHttp({ access: {} });
    const { key } = await keyFor(harness, 'narrow', { scopes: ['create'] });
    const attempt = (parameters: Record<string, string>) =>
      outcome(create(harness, { 'x-api-key': key }, parameters));
    expect(await attempt({})).toEqual([200, undefined]);
    expect(await attempt({ use_gmail: '1' })).toEqual([403, 'insufficient_scope']);
    expect(await attempt({ gmail_auto: '1' })).toEqual([403, 'insufficient_scope']);
    expect(await attempt({ webhook_url: 'https://a.example/' })).toEqual([403, 'insufficient_scope']);
    const other = await keyFor(harness, 'odd', { scopes: ['gmail'] });
    expect(await outcome(create(harness, { 'x-api-key': other.key }))).toEqual([403, 'insufficient_scope']);
  });
});

describe('a challenge', () => {
  const challenges = createChallenges({ clock: Date.now, secret: '', difficulty: 200 });

  async function solve(harness: Harness): Promise<string> {
    const { json } = await ask(harness, '/challenge');
    expect(json).toMatchObject({ status: 'success', required: true, algorithm: 'SHA-256', maxnumber: 200 });
    for (let number = 0; number <= 200; number++) {
      const hash = createHash('sha256').update(`${json.salt}${number}`).digest('hex');
      if (hash !== json.challenge) continue;
      const { algorithm, challenge, salt, signature } = json;
      return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString(
        'base64',
      );
    }
    throw new Error('There is no solution.');
  }

  it('must be solved, once for each session', async () => {
    const harness = await startHttp({ access: { challenges } });
    expect(await outcome(create(harness))).toEqual([401, 'challenge_required']);
    expect(await outcome(create(harness, {}, { challenge: 'x' }))).toEqual([401, 'challenge_required']);
    const challenge = await solve(harness);
    expect(await outcome(create(harness, {}, { challenge }))).toEqual([200, undefined]);
    expect(await outcome(create(harness, {}, { challenge }))).toEqual([401, 'challenge_required']);
    const another = await solve(harness);
    expect(await outcome(create(harness, {}, { challenge: another }))).toEqual([200, undefined]);
  });

  it('is not required of a caller with a key', async () => {
    const harness = await startHttp({ access: { challenges } });
    const { key } = await keyFor(harness, 'shop');
    expect((await create(harness, { 'x-api-key': key })).status).toBe(200);
  });

  it('is reported as needless if it is not required', async () => {
    const harness = await startHttp();
    expect((await ask(harness, '/challenge')).json).toEqual({ status: 'success', required: false });
  });

  it('is refused to a wrong key, and needless for a right one', async () => {
    const harness = await startHttp({ access: { challenges } });
    const { key } = await keyFor(harness, 'shop');
    const withKey = (given: string) => ask(harness, '/challenge', { headers: { 'x-api-key': given } });
    expect((await withKey(key)).json).toEqual({ status: 'success', required: false });
    expect(await outcome(withKey('mfk_wrong'))).toEqual([401, 'invalid_api_key']);
  });
});

describe('the operator’s blocks', () => {
  it('refuse a network, with a key or without', async () => {
    const harness = await startHttp({ settings: proxied, access: {} });
    const { key } = await keyFor(harness, 'shop');
    await addBlock(harness.ruled.operator, { kind: 'network', value: '192.0.2.0/24', note: '' });
    expect(await outcome(create(harness, from('192.0.2.9')))).toEqual([403, 'blocked_network']);
    expect(await outcome(create(harness, { ...from('192.0.2.9'), 'x-api-key': key }))).toEqual([
      403,
      'blocked_network',
    ]);
    expect(await outcome(create(harness, from('198.51.100.1')))).toEqual([200, undefined]);
  });

  it('refuse a prefix, with the response for a reserved one', async () => {
    const harness = await startHttp({ access: {} });
    await addBlock(harness.ruled.operator, { kind: 'prefix', value: 'paypal*', note: '' });
    const blocked = await create(harness, {}, { prefix: 'PayPal-help' });
    const reserved = await create(harness, {}, { prefix: 'postmaster' });
    expect([blocked.status, blocked.json.code]).toEqual([403, 'reserved_prefix']);
    expect({ ...blocked.json, request_id: '' }).toEqual({ ...reserved.json, request_id: '' });
    expect((await create(harness, {}, { prefix: 'pay' })).status).toBe(200);
  });
});
