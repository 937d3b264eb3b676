// The listener for other services' dialects: access control, and refusals in the dialect's form.

import { describe, expect, it } from 'vitest';

import { bearer, startCompat } from './compat-harness.ts';
import { ask, type Harness } from './http-harness.ts';

describe('the listener for dialects', () => {
  it('answers every client that test containers wait for', async () => {
    const harness = await startCompat();
    for (const path of ['/', '/livez', '/readyz']) expect((await ask(harness, path)).status).toBe(200);
  });

  it('answers unknown paths and wrong methods in the form of a dialect', async () => {
    const harness = await startCompat();
    const unknown = await ask(harness, '/api/v1/nothing');
    expect(unknown).toMatchObject({ status: 404, text: '404 page not found\n' });
    expect(unknown.headers['content-type']).toMatch(/^text\/plain/);
    const wrong = await ask(harness, '/livez', { method: 'DELETE' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it('redirects to the clean form of a path that it serves, and nowhere else', async () => {
    const harness = await startCompat();
    for (const [method, given, clean] of [
      ['GET', '//view/latest.html?x=1', '/view/latest.html?x=1'],
      ['DELETE', '/api//v1/messages', '/api/v1/messages'],
      ['GET', '/api/v1/../v1/messages?limit=1', '/api/v1/messages?limit=1'],
      ['GET', '//evil.example//../livez', '/livez'],
    ] as const) {
      const { status, headers } = await ask(harness, given, { method });
      expect([given, status, headers['location']]).toEqual([given, 307, clean]);
    }
    for (const given of ['//evil.example', '//nothing', '/.//%5Cevil.example', '/.//\\evil.example']) {
      const { status, headers } = await ask(harness, given);
      expect([given, status, headers['location']]).toEqual([given, 404, undefined]);
    }
  });

  it('refuses a host that is not its own', async () => {
    const harness = await startCompat();
    const answer = await ask(harness, '/livez', { headers: { host: 'evil.example' } });
    expect(answer.status).toBe(421);
  });

  it('refuses names that a page may have where requests need no credentials, on every address', async () => {
    const defaultSession =
      ({ services }: Harness) =>
      async () =>
        services.authenticateToken((await services.createCaptureSession({})).token);
    const status = async (harness: Harness, host: string): Promise<number> =>
      (await ask(harness, '/api/v1/messages', { headers: { host } })).status;
    const open = await startCompat({ defaultSession, compat: { host: '0.0.0.0' } });
    for (const host of ['127.0.0.1', 'localhost:1', 'mail:8025', '192.0.2.1']) {
      expect([host, await status(open, host)]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', 'mail.local', 'ai.']) {
      expect([host, await status(open, host)]).toEqual([host, 421]);
    }
    const named = await startCompat({
      defaultSession,
      compat: { host: '0.0.0.0', hosts: ['ci.example.org'] },
    });
    expect([await status(named, 'ci.example.org'), await status(named, 'mail')]).toEqual([200, 200]);
    const closed = await startCompat({ compat: { host: '0.0.0.0' } });
    expect(await status(closed, 'mail.example.org')).toBe(401);
  });

  it('refuses pages of other sites with credentials that browsers add by themselves, and grants them nothing', async () => {
    const harness = await startCompat();
    const { token } = await harness.lend();
    const basic = { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` };
    const messages = '/api/v1/messages';
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${harness.port + 1}` },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ]) {
      const answer = await ask(harness, messages, { headers: { ...basic, ...foreign } });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      // No browser adds a Bearer token by itself, and some routes need none.
      expect((await ask(harness, messages, { headers: { ...bearer(token), ...foreign } })).status).toBe(200);
      for (const path of ['/livez', '/domains']) {
        expect((await ask(harness, path, { headers: foreign })).status).toBe(200);
      }
    }
    const own = await ask(harness, messages, { headers: { ...basic, origin: harness.origin } });
    expect(own.status).toBe(200);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await ask(harness, messages, { headers: { ...basic, ...link } })).status).toBe(200);
  });
});
