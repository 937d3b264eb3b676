// A client of Mailpit's dialect, and mails for it.

import { MailpitIds } from '../../src/compat/mailpit/ids.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { ask, type Harness, type HttpAnswer } from './http-harness.ts';

export const withFiles = [
  'From: "Jürgen" <j@example.org>',
  'To: One <one@example.org>',
  'Cc: three@example.org',
  'Reply-To: help@example.org',
  'Message-ID: <abc@example.org>',
  'MIME-version: 1.0',
  'Date: Mon, 02 Nov 2026 10:00:00 +0100',
  'List-Unsubscribe: <mailto:off@example.org>, <https://example.org/off>',
  'Subject: With files',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html',
  '',
  '<p onclick="x()">Hello <a href="https://example.org/in">in</a></p><script>1</script>',
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename=a.pdf',
  '',
  'abc',
  '--b--',
  '',
].join('\r\n');

export function mailOf(subject: string, text = 'Hello.', from = 'fox@example.org'): string {
  return `From: ${from}\r\nTo: two@example.org\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
}

export interface Client {
  readonly harness: Harness;
  get(path: string): Promise<HttpAnswer>;
  send(method: string, path: string, body?: unknown): Promise<HttpAnswer>;
  deliver(raw: string, rcptTo?: readonly string[]): Promise<number>;
  /** Returns Mailpit's id of the session's message with this number. */
  id(number: number): string;
  numbersOf(messages: readonly { readonly ID: string }[]): (number | undefined)[];
}

export async function openMailpit(): Promise<Client> {
  const harness = await startCompat();
  const { token, session } = await harness.lend('fox');
  const headers = bearer(token);
  const ids = new MailpitIds(session);
  return {
    harness,
    id: (number) => ids.toId(number),
    numbersOf: (messages) => messages.map(({ ID: id }) => ids.toNumber(id)),
    // `{1}` in a path stands for the id of the first message.
    get: (path) =>
      ask(
        harness,
        path.replace(/\{(\d)\}/, (_, number) => ids.toId(Number(number))),
        { headers },
      ),
    send: (method, path, body) =>
      ask(harness, path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    deliver: (raw, rcptTo) => harness.deliver(raw, [session], rcptTo),
  };
}
