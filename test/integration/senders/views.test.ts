// Calls that only send do not wait until read marks of the session are on disk.

import { expect, it, vi } from 'vitest';

import { dialects } from '../../../src/compat/dialects.ts';
import { senders } from '#senders/senders';
import { startCompat } from '../compat-harness.ts';
import { ask } from '../http-harness.ts';

const address = 'a@x.example';
const own = new Set(senders.map(({ name }) => name));
const paths = dialects.flatMap(({ name, routes }) =>
  routes.flatMap(({ method, path }) =>
    method === 'POST' && (own.has(name) || path === '/api/v1/send')
      ? [path.replace(':domain', 'x.example')]
      : [],
  ),
);

/** Credentials of every service in one request. */
function credentialsOf(token: string, path: string): Readonly<Record<string, string>> {
  if (/messages(?:\.mime)?$/.test(path)) return { authorization: `Basic ${btoa(`api:${token}`)}` };
  if (path === '/' || /ses|v2/.test(path)) {
    return { authorization: `AWS4-HMAC-SHA256 Credential=${token}/a/b/ses/aws4_request` };
  }
  return { authorization: `Bearer ${token}`, 'x-postmark-server-token': token, 'api-key': token };
}

it.each(paths)('%s', async (path) => {
  const harness = await startCompat();
  const { token } = await harness.services.createCaptureSession({});
  const finds = [
    vi.spyOn(harness.store.mail, 'findSession'),
    vi.spyOn(harness.store.mail, 'findSessionByKey'),
  ];
  const answer = await ask(harness, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentialsOf(token, path) },
    body: JSON.stringify({ From: { Email: address }, To: [{ Email: address }], Text: 'x' }),
  });
  expect(answer.status).not.toBe(401);
  const views = finds.flatMap((find) => find.mock.calls.map(([, view]) => view));
  expect(views.length).toBeGreaterThan(0);
  expect(views.filter((view) => view !== 'committed')).toEqual([]);
});
