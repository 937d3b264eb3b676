// An account of mail.tm's dialect on the test's own listener, and calls as its clients make them.

import { expect } from 'vitest';

import { bearer, type CompatHarnessOptions, startCompat } from './compat-harness.ts';
import { ask, type Harness, type HttpAnswer } from './http-harness.ts';

/** With an inline picture, a script and a tracking pixel. */
export const mail = [
  'From: Ann <ann@example.org>',
  'To: Fox <fox@mayfly.test>',
  'Subject: Hello',
  'Message-ID: <one@example.org>',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p onclick="evil()">Hëllo <img src="cid:pic@x"><img src="https://track.example/1.png"></p><script>evil()</script>',
  '--x',
  'Content-Type: image/png; name=a.png',
  'Content-ID: <pic@x>',
  'Content-Disposition: inline; filename=a.png',
  'Content-Transfer-Encoding: base64',
  '',
  'R0lGODlh',
  '--x--',
  '',
].join('\r\n');

interface CallOptions {
  /** Sent as JSON. */
  readonly content?: unknown;
  readonly accept?: string;
  readonly token?: string;
  readonly type?: string;
}

/** `line`: method and path. */
export function call(
  harness: { readonly port: number },
  line: string,
  { content, accept = 'application/json', token, type = 'application/json' }: CallOptions = {},
): Promise<HttpAnswer> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const hasBody = content !== undefined;
  const headers = {
    accept,
    ...(token === undefined ? {} : bearer(token)),
    ...(hasBody ? { 'content-type': type } : {}),
  };
  return ask(harness, path, { method, headers, ...(hasBody ? { body: JSON.stringify(content) } : {}) });
}

export interface Account {
  readonly harness: Harness;
  readonly id: string;
  readonly token: string;
  readonly address: string;
  get(path: string, accept?: string): Promise<HttpAnswer>;
  send(line: string, content?: unknown, type?: string): Promise<HttpAnswer>;
  deliver(raw?: string): Promise<void>;
}

export async function startAccount(
  given: CompatHarnessOptions | Harness = {},
  name = 'fox',
): Promise<Account> {
  const harness = 'port' in given ? given : await startCompat(given);
  const content = { address: `${name}@mayfly.test`, password: 'secret' };
  expect((await call(harness, 'POST /accounts', { content })).status).toBe(201);
  const { id, token } = (await call(harness, 'POST /token', { content })).json;
  return {
    harness,
    id,
    token,
    address: content.address,
    send: (line, sent, type = 'application/json') => call(harness, line, { content: sent, token, type }),
    get: (path, accept = 'application/json') => call(harness, `GET ${path}`, { token, accept }),
    deliver: async (raw = mail) => {
      const { session } = await harness.services.authenticateToken(token);
      await harness.deliver(raw, [session]);
    },
  };
}

export const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/) as unknown;
export const id24 = expect.stringMatching(/^[0-9a-f]{24}$/) as unknown;
