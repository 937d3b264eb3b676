import { expect, it } from 'vitest';

import { readVapid } from '../../../test/support/servers/push-browser.ts';
import { createKeyText, createPushKey } from './push-key.ts';

it('signs for one origin as RFC 8292 has it', () => {
  const key = createPushKey(createKeyText());
  const now = 1_800_000_000_000;
  const field = key.authorize('https://push.example.org', 'mailto:postmaster@mayfly.test', now);
  expect(readVapid(field, key.publicKey)).toEqual({
    aud: 'https://push.example.org',
    exp: now / 1000 + 12 * 3600,
    sub: 'mailto:postmaster@mayfly.test',
  });
  const [header = ''] = field.slice('vapid t='.length).split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ typ: 'JWT', alg: 'ES256' });
});
