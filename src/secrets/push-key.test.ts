import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { readVapid } from '../../test/support/servers/push-browser.ts';
import { createPushKey, loadPushKey } from './push-key.ts';

function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-push-key-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

it('is made once, for its owner alone', () => {
  const folder = useFolder();
  const { publicKey } = loadPushKey(folder);
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  expect(statSync(join(folder, 'push.key')).mode & 0o777).toBe(0o600);
  expect(loadPushKey(folder).publicKey).toBe(publicKey);
  expect(createPushKey(readFileSync(join(folder, 'push.key'), 'utf8').trim()).publicKey).toBe(publicKey);
});

it('is refused where the file holds something else, which the error does not show', () => {
  const folder = useFolder();
  for (const text of ['', 'secret-but-short', 'A'.repeat(43)]) {
    writeFileSync(join(folder, 'push.key'), text);
    expect(() => loadPushKey(folder)).toThrow(/push\.key/);
    if (text !== '') expect(() => loadPushKey(folder)).not.toThrow(text);
  }
});

it('signs for one origin as RFC 8292 has it', () => {
  const key = loadPushKey(useFolder());
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
