import { once } from 'node:events';
import net from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { afterEach, expect, it } from 'vitest';

import { passDialogue, submit } from './submit.ts';

const servers: net.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Scripted {
  readonly port: number;
  readonly lines: string[];
}

/** Answers each line with what `answers` has for its first word, else with 250. */
async function serve(answers: Readonly<Record<string, string>> = {}): Promise<Scripted> {
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
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as net.AddressInfo).port, lines };
}

const submission = {
  sender: 'a@x.example',
  recipients: ['b@y.example', 'c@y.example'],
  message: Buffer.from('A: b\r\n\r\n.one\r\n..two\r\nthree\r.four', 'latin1'),
};

it('sends a message with its dots stuffed', async () => {
  const { port, lines } = await serve();
  await submit({ host: '127.0.0.1', port }, submission);
  expect(lines).toEqual([
    'EHLO localhost',
    `MAIL FROM:<a@x.example> SIZE=${submission.message.length} BODY=8BITMIME`,
    'RCPT TO:<b@y.example>',
    'RCPT TO:<c@y.example>',
    'DATA',
    ...['A: b', '', '..one', '...two', 'three\r.four', '.'],
  ]);
});

it('authenticates where it has a login', async () => {
  const { port, lines } = await serve({ AUTH: '235 welcome' });
  await submit({ host: '127.0.0.1', port, login: { user: 'w', password: 'x' } }, submission);
  expect(lines[1]).toBe(`AUTH PLAIN ${Buffer.from('\0w\0x').toString('base64')}`);
});

it.each([
  ['a recipient that does not exist', { RCPT: '550 5.1.1 no such user' }, 67],
  ['a full recipient', { RCPT: '452-4.2.2 over\r\n452 4.2.2 quota' }, 75],
  ['a refused sender', { MAIL: '553 5.1.8 no' }, 69],
  ['a refused message', { '.': '554 5.6.0 no' }, 69],
  ['a service that is going down', { greeting: '421 4.3.2 later' }, 75],
  ['a wrong login', { AUTH: '535 5.7.8 no' }, 77],
])('says by its status that there was %s', async (_name, answers, status) => {
  const { port } = await serve(answers);
  const sending = submit({ host: '127.0.0.1', port, login: { user: 'w', password: 'x' } }, submission);
  await expect(sending).rejects.toMatchObject({ status });
});

it('may be tried again when nothing listens', async () => {
  const { port } = await serve();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  await expect(submit({ host: '127.0.0.1', port }, submission)).rejects.toMatchObject({ status: 75 });
});

it('passes a dialogue on', async () => {
  const { port, lines } = await serve();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const passing = passDialogue({ host: '127.0.0.1', port }, input, output);
  input.write('MAIL FROM:<a@x.example>\r\n');
  input.write('QUIT\r\n');
  await passing;
  output.end();
  expect(await text(output)).toBe('220 ready\r\n250 ok\r\n221 bye\r\n');
  expect(lines).toContain('MAIL FROM:<a@x.example>');
});
