// Hosts and origins at the listener (DNS rebinding, cross-origin reading).
import { expect, it } from 'vitest';

import { ask, startHttp } from './http-harness.ts';

it('refuses foreign hosts on loopback, on every path, and accepts those in settings', async () => {
  const closed = await startHttp();
  for (const target of ['/domains', '/nope', '/docs', '/healthz']) {
    const answer = await ask(closed, target, { headers: { host: 'evil.example:8080' } });
    expect([answer.status, answer.json.code]).toEqual([421, 'wrong_host']);
  }
  const open = await startHttp({ settings: { hosts: ['mail.example.org'] } });
  expect((await ask(open, '/domains', { headers: { host: 'mail.example.org:99' } })).status).toBe(200);
  expect((await ask(open, '/domains')).status).toBe(421);
});

function corsFields(headers: object): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type',
};

it('grants no origin anything by default', async () => {
  const harness = await startHttp();
  for (const origin of ['http://evil.example', 'null', harness.origin]) {
    const answer = await ask(harness, '/domains', { headers: { origin } });
    expect([answer.status, corsFields(answer.headers)]).toEqual([200, []]);
    const asked = await ask(harness, '/create-session', {
      method: 'OPTIONS',
      headers: { origin, ...preflight },
    });
    expect([asked.status, asked.headers['allow'], corsFields(asked.headers)]).toEqual([
      204,
      'POST, OPTIONS',
      [],
    ]);
  }
});

it('grants exactly the origins in settings, on errors too', async () => {
  const origin = 'https://app.example';
  const harness = await startHttp({ settings: { corsOrigins: [origin] } });
  for (const target of ['/domains', '/check-mail', '/nope']) {
    const { headers } = await ask(harness, target, { headers: { origin } });
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'ETag, Last-Event-ID, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy',
      vary: 'Origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  }
  const asked = await ask(harness, '/create-session', {
    method: 'OPTIONS',
    headers: { origin, ...preflight },
  });
  expect(asked.status).toBe(204);
  expect(asked.text).toBe('');
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type, x-api-key, if-none-match, last-event-id',
  });
  const tricks = [
    'https://app.example.evil',
    'https://app.example:8443',
    'http://app.example',
    'https://evil.app.example',
    'null',
    `${origin}/`,
  ];
  for (const foreign of tricks) {
    const answer = await ask(harness, '/domains', { headers: { origin: foreign } });
    expect([answer.status, corsFields(answer.headers), answer.headers['vary']]).toEqual([200, [], 'Origin']);
  }
});

it('grants any origin if settings say so', async () => {
  const harness = await startHttp({ settings: { corsOrigins: ['*'] } });
  const { headers } = await ask(harness, '/domains', { headers: { origin: 'https://anything.example' } });
  expect(headers['access-control-allow-origin']).toBe('*');
});
