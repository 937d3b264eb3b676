import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { parseOAuth2 } from '../operator/gmail.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import type { OperatorCall } from './operator-call.ts';
import { parseArguments } from './parse-arguments.ts';
import { readSecretFiles } from './run-operator.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-secret-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const lines = {
  password: 'gmail add a@b.c --password-file',
  oauth2: 'gmail add a@b.c --oauth2-file',
  'secret-key': 'secret rotate --new-key-file',
} as const;

function withFile(
  holds: keyof typeof lines,
  content: string | Buffer,
  file = join(folder, 'secret'),
): OperatorCall {
  if (file === join(folder, 'secret')) writeFileSync(file, content);
  const call = parseArguments([...lines[holds].split(' '), file]);
  if (call.kind !== 'operator') throw new Error('It is no operator command.');
  return call;
}

it.each(['abcd efgh', 'abcd efgh\n', 'abcd efgh\r\n'])(
  'cuts the last line end of a password: %j',
  (content) => {
    expect(readSecretFiles(withFile('password', content))).toEqual({ email: 'a@b.c', password: 'abcd efgh' });
  },
);

it('keeps everything else of a password', () => {
  expect(readSecretFiles(withFile('password', '  pass\n\n'))).toMatchObject({ password: '  pass\n' });
});

it('reads a token as Google’s tools write it', () => {
  const json = { type: 'authorized_user', client_id: 'i', client_secret: 's', refresh_token: 'r' };
  const credentialsOf = (content: object): unknown =>
    parseOAuth2(String(readSecretFiles(withFile('oauth2', JSON.stringify(content)))['oauth2']));
  const expected = { kind: 'oauth2', clientId: 'i', clientSecret: 's', refreshToken: 'r' };
  expect(credentialsOf(json)).toEqual({ ...expected, tokenUrl: 'https://oauth2.googleapis.com/token' });
  const other = { client_id: 'i', refresh_token: 'r', token_uri: 'https://login.example.org/token' };
  expect(credentialsOf(other)).toEqual({ ...expected, clientSecret: '', tokenUrl: other.token_uri });
});

it.each([
  '',
  'hunter2',
  '[]',
  'null',
  '"hunter2"',
  '{"client_id":"i"}',
  '{"client_id":"i","refresh_token":5}',
])('refuses %j for a token, without a word of what it is', (content) => {
  const read = (): unknown => readSecretFiles(withFile('oauth2', content));
  expect(read).toThrow(OperatorError);
  expect(read).toThrow(/must be JSON with the texts client_id, refresh_token/);
  expect(read).not.toThrow(/hunter2/);
});

it('reads a key, and refuses what is none without showing it', () => {
  expect(readSecretFiles(withFile('secret-key', `${'ab'.repeat(32)}\n`))).toEqual({
    new_key: 'ab'.repeat(32),
  });
  const read = (): unknown => readSecretFiles(withFile('secret-key', 'hunter2'));
  expect(read).toThrow(/must be 64 hex digits or base64 of 32 bytes/);
  expect(read).not.toThrow(/hunter2/);
});

it('says which file cannot be read', () => {
  expect(() => readSecretFiles(withFile('password', 'x', join(folder, 'missing')))).toThrow(
    /missing cannot be read/,
  );
  expect(() => readSecretFiles(withFile('password', 'x', folder))).toThrow(/cannot be read/);
  expect(() => readSecretFiles(withFile('password', Buffer.alloc(70_000)))).toThrow(/too large/);
});
