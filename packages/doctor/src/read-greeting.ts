// Reads the greeting of an SMTP server and what it offers, and leaves without sending mail.

import { connect } from 'node:net';

import type { GreetingFacts } from './facts.ts';

export interface GreetingOptions {
  readonly port?: number;
  readonly timeoutMs?: number;
  /** As which to introduce oneself. */
  readonly name: string;
}

/** More than any greeting and list of extensions. */
const answerMaxBytes = 16 * 1024;

/** Never rejects. */
export function readGreeting(
  address: string,
  { port = 25, timeoutMs = 5000, name }: GreetingOptions,
): Promise<GreetingFacts> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    let text = '';
    let host: string | undefined;
    const finish = (answer: GreetingFacts['answer']): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ address, answer });
    };
    const timer = setTimeout(finish, timeoutMs, 'none');
    socket.on('error', () => {
      finish('none');
    });
    socket.on('close', () => {
      finish(host === undefined ? 'none' : { host, offersTls: false });
    });
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (text.length > answerMaxBytes) finish('none');
      // The last line of a reply has no hyphen after its code (RFC 5321 §4.2.1).
      if (!/^\d{3}(?: [^\n]*)?\r?\n/m.test(text)) return;
      if (host !== undefined) {
        finish({ host, offersTls: /^250[ -]STARTTLS\s*$/im.test(text) });
        return;
      }
      host = /^220[ -](\S+)/.exec(text)?.[1] ?? '';
      text = '';
      if (host === '') finish({ host, offersTls: false });
      else socket.write(`EHLO ${name}\r\n`);
    });
  });
}
