// Calls of Mailosaur's dialect, and mail for them.

import type { Session } from '../../src/domain/session.ts';
import { ask, type Harness } from './http-harness.ts';

export interface Lent {
  readonly token: string;
  readonly session: Session;
  /** The only server the token opens. */
  readonly server: string;
}

interface Summary {
  readonly id: string;
  readonly subject: string;
}

export function basic(token: string) {
  return { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` };
}

export async function lend(harness: Harness, prefix?: string): Promise<Lent> {
  const lent = await harness.lend(prefix);
  const { json } = await ask(harness, '/api/servers', { headers: basic(lent.token) });
  const [{ id: server }] = (json as { items: [{ id: string }] }).items;
  return { ...lent, server };
}

export async function lendCapture(harness: Harness): Promise<Lent> {
  const { token, session } = await harness.services.createCaptureSession({});
  return { token, session, server: session.address.slice(2, 10) };
}

interface Call {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string;
}

/** Returns calls with the token. */
export function callerOf(harness: Harness, token: string) {
  return (path: string, { method = 'GET', json, body }: Call = {}) => {
    const sent = json === undefined ? body : JSON.stringify(json);
    return ask(harness, path, {
      method,
      headers: basic(token),
      ...(sent === undefined ? {} : { body: sent }),
    });
  };
}

/** Searches the server that the token opens. */
export function searcherOf(harness: Harness, { token, server }: Lent) {
  const call = callerOf(harness, token);
  return async (criteria: object, query = '') => {
    const path = `/api/messages/search?server=${server}${query}`;
    const answer = await call(path, { method: 'POST', json: criteria });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    const { items } = answer.json as { items: Summary[] };
    return { subjects: items.map(({ subject }) => subject), delay: answer.headers['x-ms-delay'] };
  };
}

export function mail(subject: string, text = 'Hello.'): string {
  return `From: Ann <ann@shop.example>\r\nTo: Fox <fox@mayfly.test>\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
}

export const rich = [
  'From: Ann <ann@shop.example>',
  'To: "The Fox" <fox@mayfly.test>',
  'Cc: Bob <bob@b.example>',
  'Subject: Welcome',
  'Content-Type: multipart/mixed; boundary=m',
  '',
  '--m',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain',
  '',
  'Your code is 654321: https://a.example/text',
  '--a',
  'Content-Type: text/html',
  '',
  '<p onclick="x()">Your code is <b>123456</b>: <a href="https://a.example/html">Open</a><img src="cid:one" alt="One"></p>',
  '--a--',
  '--m',
  'Content-Type: text/csv; name=a.csv',
  'Content-Disposition: attachment; filename=a.csv',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('a;b').toString('base64'),
  '--m--',
  '',
].join('\r\n');
