// The listener for other services' dialects: access control, and refusals in the dialect's form.

import { describe, expect, it } from 'vitest';

import { bearer, startCompat } from './compat-harness.ts';
import { ask } from './http-harness.ts';

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

  it('refuses a host that is not its own', async () => {
    const harness = await startCompat();
    const answer = await ask(harness, '/livez', { headers: { host: 'evil.example' } });
    expect(answer.status).toBe(421);
  });

  it('refuses requests that a page of another site makes a browser send, and grants it nothing', async () => {
    const harness = await startCompat();
    const { token } = await harness.lend();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${harness.port + 1}` },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ]) {
      const answer = await ask(harness, '/livez', { headers: { ...bearer(token), ...headers } });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const own = await ask(harness, '/livez', { headers: { origin: harness.origin } });
    expect(own.status).toBe(200);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await ask(harness, '/livez', { headers: link })).status).toBe(200);
  });
});
