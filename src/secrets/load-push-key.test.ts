import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { createPushKey } from '#notifications/push-key';
import { loadPushKey } from './load-push-key.ts';

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
