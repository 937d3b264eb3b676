// An SMTP server that answers as a test says.

import { once } from 'node:events';
import net from 'node:net';

import { onTestFinished } from 'vitest';

export interface Scripted {
  readonly port: number;
  readonly lines: string[];
  readonly close: () => Promise<void>;
}

/** Answers each line with what `answers` has for its first word, else with 250. */
export async function serve(answers: Readonly<Record<string, string>> = {}): Promise<Scripted> {
  const lines: string[] = [];
  const server = net.createServer((socket) => {
    let inData = false;
    let held = '';
    socket.write(`${answers['greeting'] ?? '220 ready'}\r\n`);
    socket.on('data', (bytes) => {
      held += bytes.toString('latin1');
      const whole = held.split('\r\n');
      held = whole.pop() ?? '';
      for (const line of whole) {
        lines.push(line);
        const word = line.split(/[ :]/, 1)[0] ?? '';
        if (inData && line !== '.') continue;
        if (line === '.') socket.write(`${answers['.'] ?? '250 kept'}\r\n`);
        else if (word === 'DATA') socket.write(`${answers['DATA'] ?? '354 go on'}\r\n`);
        else if (word === 'EHLO') socket.write('250-hello\r\n250-SIZE 1000\r\n250 8BITMIME\r\n');
        else if (word === 'QUIT') socket.end('221 bye\r\n');
        else socket.write(`${answers[word] ?? '250 ok'}\r\n`);
        inData = word === 'DATA' && !answers['DATA'];
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  return { port: (server.address() as net.AddressInfo).port, lines, close };
}
