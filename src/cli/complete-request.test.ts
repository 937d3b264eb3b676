import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { OperatorError } from '../service/operator-error.ts';
import { completeRequest } from './complete-request.ts';
import type { RequestWithFile, SecretFileKind } from './parse-gmail-command.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-secret-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function withFile(holds: SecretFileKind, content: string | Buffer): RequestWithFile {
  const file = join(folder, 'secret');
  writeFileSync(file, content);
  return holds === 'secret-key'
    ? { kind: 'control-with-file', request: { command: 'secret-rotate' }, file, holds }
    : { kind: 'control-with-file', request: { command: 'gmail-add', email: 'a@b.c' }, file, holds };
}

it.each(['abcd efgh', 'abcd efgh\n', 'abcd efgh\r\n'])(
  'cuts the last line end of a password: %j',
  (content) => {
    expect(completeRequest(withFile('password', content))).toEqual({
      command: 'gmail-add',
      email: 'a@b.c',
      credentials: { kind: 'password', password: 'abcd efgh' },
    });
  },
);

it('keeps everything else of a password', () => {
  const { credentials } = completeRequest(withFile('password', '  pass\n\n')) as { credentials?: unknown };
  expect(credentials).toEqual({ kind: 'password', password: '  pass\n' });
});

it('reads a token as Google’s tools write it', () => {
  const json = { type: 'authorized_user', client_id: 'i', client_secret: 's', refresh_token: 'r' };
  const credentialsOf = (content: object): unknown =>
    (completeRequest(withFile('oauth2', JSON.stringify(content))) as { credentials?: unknown }).credentials;
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
  const complete = (): unknown => completeRequest(withFile('oauth2', content));
  expect(complete).toThrow(OperatorError);
  expect(complete).toThrow(/must be JSON with the texts client_id, refresh_token/);
  expect(complete).not.toThrow(/hunter2/);
});

it('reads a key, and refuses what is none without showing it', () => {
  expect(completeRequest(withFile('secret-key', `${'ab'.repeat(32)}\n`))).toEqual({
    command: 'secret-rotate',
    newKey: 'ab'.repeat(32),
  });
  const complete = (): unknown => completeRequest(withFile('secret-key', 'hunter2'));
  expect(complete).toThrow(/must be 64 hex digits or base64 of 32 bytes/);
  expect(complete).not.toThrow(/hunter2/);
});

it('says which file cannot be read', () => {
  const request = withFile('password', 'x');
  expect(() => completeRequest({ ...request, file: join(folder, 'missing') })).toThrow(
    /missing cannot be read/,
  );
  expect(() => completeRequest({ ...request, file: folder })).toThrow(/cannot be read/);
  expect(() => completeRequest(withFile('password', Buffer.alloc(70_000)))).toThrow(/too large/);
});
