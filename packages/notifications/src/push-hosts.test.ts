import { expect, it } from 'vitest';

import { createPushHosts } from './push-hosts.ts';

const usual = createPushHosts([]);

it.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://FCM.googleapis.com:443/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://db5p.notify.windows.com/w/?token=abc',
  'https://web.push.apple.com/QabC',
])('sends to %s', (endpoint) => {
  expect(usual(endpoint)).toBeDefined();
});

it.each([
  '',
  'nonsense',
  'http://fcm.googleapis.com/a',
  'https://fcm.googleapis.com:8443/a',
  'https://user:secret@fcm.googleapis.com/a',
  'https://fcm.googleapis.com@127.0.0.1/a',
  'https://127.0.0.1/a',
  'https://[::1]/a',
  'https://169.254.169.254/latest',
  'https://localhost/a',
  'https://evilfcm.googleapis.com/a',
  'https://fcm.googleapis.com.evil.example/a',
  'https://notify.windows.com.evil.example/a',
  'https://evilnotify.windows.com/a',
  'https://notify.windows.com/a',
  'https://push.example.org/a',
  'ftp://fcm.googleapis.com/a',
  'file:///etc/passwd',
  'javascript:alert(1)',
  `https://fcm.googleapis.com/${'a'.repeat(1024)}`,
])('sends nothing to %.60s', (endpoint) => {
  expect(usual(endpoint)).toBeUndefined();
});

it('sends to what the operator adds, and to its neighbours not', () => {
  const find = createPushHosts([
    'push.example.org',
    '*.push.test',
    'http://127.0.0.1:9000',
    'http://[::1]:9001',
  ]);
  for (const endpoint of [
    'https://push.example.org/a',
    'https://a.push.test/a',
    'http://127.0.0.1:9000/a',
    'http://[::1]:9001/a',
    'https://fcm.googleapis.com/a',
  ]) {
    expect([endpoint, typeof find(endpoint)]).toEqual([endpoint, 'function']);
  }
  for (const endpoint of [
    'http://push.example.org/a',
    'https://a.push.example.org/a',
    'http://127.0.0.1:9001/a',
    'https://127.0.0.1:9000/a',
    'http://user@127.0.0.1:9001/a',
  ]) {
    expect([endpoint, find(endpoint)]).toEqual([endpoint, undefined]);
  }
});
