import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { SendFailed, sendMail } from './send-mail.ts';

/** Replies to one command after the other; the last one ends the connection. Returns what came. */
async function startServer(replies: readonly string[]) {
  const came: string[] = [];
  const server = createServer((socket) => {
    const left = [...replies];
    const next = (): void => {
      const reply = left.shift();
      if (reply === undefined) socket.end();
      else socket.write(reply);
    };
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      came.push(bytes.toString());
      next();
    });
    next();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, came };
}

const message = 'Subject: x\r\n\r\nOne.\r\n.two\r\n';

function send(port: number, timeoutMs = 5000): Promise<void> {
  const [name, to] = ['mail.example.org', 'fox@example.org'];
  return sendMail({ address: '127.0.0.1', port, name, to, timeoutMs, message });
}

it('delivers with dots doubled', async () => {
  const { port, came } = await startServer([
    ...[
      '220 a ESMTP\r\n',
      '250-a\r\n250 SIZE 9\r\n',
      '250 ok\r\n',
      '250 ok\r\n',
      '354 go\r\n',
      '250 taken\r\n',
      '221 bye\r\n',
    ],
  ]);
  await send(port);
  expect(came).toEqual([
    'EHLO mail.example.org\r\n',
    'MAIL FROM:<>\r\n',
    'RCPT TO:<fox@example.org>\r\n',
    'DATA\r\n',
    'Subject: x\r\n\r\nOne.\r\n..two\r\n\r\n.\r\n',
    'QUIT\r\n',
  ]);
});

it.each([
  [
    'a refusal',
    ['220 a\r\n', '250 a\r\n', '250 ok\r\n', '550 5.1.1 unknown\r\n'],
    /replied 550 5\.1\.1 unknown/,
  ],
  ['an end before the reply', ['220 a\r\n'], /closed the connection/],
  ['a flood', ['x'.repeat(20_000)], /too long/],
])('fails on %s, with the reason', async (_what, replies, reason) => {
  const { port } = await startServer(replies);
  await expect(send(port)).rejects.toThrow(reason);
  await expect(send(port)).rejects.toBeInstanceOf(SendFailed);
});

it('fails where no one answers, and on silence', async () => {
  const { port } = await startServer(['']);
  await expect(send(port, 50)).rejects.toThrow(/no answer in time/);
  await expect(send(1)).rejects.toThrow(/ECONNREFUSED/);
});
