import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { serve } from '../test/scripted-server.ts';
import { passDialogue } from './dialogue.ts';

const login = { user: 'w', password: 'x' };

/** Passes all of the input, in pieces; returns what the program would read. */
async function pass(port: number, ...pieces: readonly string[]): Promise<string> {
  const output = new PassThrough();
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece, 'latin1')));
  await passDialogue({ host: '127.0.0.1', port, login }, input, output).finally(() => output.end());
  return text(output);
}

const commands = ['EHLO me', 'MAIL FROM:<a@x.example>', 'RCPT TO:<b@x.example>', 'DATA'];
const message = ['Subject: x', '', 'one', '..two', '.', 'QUIT', ''];
const replies =
  '220 ready\r\n250-hello\r\n250-SIZE 1000\r\n250 8BITMIME\r\n250 ok\r\n250 ok\r\n354 go on\r\n';

it('passes a dialogue on, command by command', async () => {
  const { port, lines } = await serve();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const passing = passDialogue({ host: '127.0.0.1', port }, input, output);
  input.write('MAIL FROM:<a@x.example>\r\n');
  input.write('QUIT\r\n');
  await passing;
  output.end();
  // Its writer may leave it open until the program ends.
  expect(input.destroyed).toBe(true);
  expect(await text(output)).toBe('220 ready\r\n250 ok\r\n221 bye\r\n');
  expect(lines).toContain('MAIL FROM:<a@x.example>');
});

it.each([
  ['CR LF', '\r\n'],
  ['LF', '\n'],
])('takes a whole dialogue from a pipe at once, its lines ended by %s', async (_name, end) => {
  const { port, lines } = await serve({ AUTH: '235 welcome' });
  expect(await pass(port, [...commands, ...message].join(end))).toBe(`${replies}250 kept\r\n221 bye\r\n`);
  expect(lines.slice(2)).toEqual([...commands, ...message.slice(0, -1)]);
});

it('passes bytes, long lines and torn line ends on as they are', async () => {
  const { port, lines } = await serve({ AUTH: '235 welcome' });
  const long = `${'\xe9x'.repeat(40_000)}`;
  await pass(
    port,
    `${commands.join('\r\n')}\r`,
    `\n${long.slice(0, 70_001)}`,
    `${long.slice(70_001)}\r`,
    '\n.\r\nQUIT\r\n',
  );
  expect(lines.slice(-3)).toEqual([long, '.', 'QUIT']);
});

it('keeps a line end whole where a long line is passed on in parts', async () => {
  const { port, lines } = await serve({ AUTH: '235 welcome' });
  const long = 'x'.repeat(64 * 1024 - 1);
  await pass(port, `${commands.join('\n')}\n${long}\r\n.\r\nQUIT\r\n`);
  expect(lines.slice(-3)).toEqual([long, '.', 'QUIT']);
});

it('tells the program of a refusal, and goes on', async () => {
  const { port } = await serve({ AUTH: '235 welcome', RCPT: '550 5.1.1 no such user' });
  expect(await pass(port, 'RCPT TO:<b@x.example>\nRSET\nQUIT\n')).toBe(
    '220 ready\r\n550 5.1.1 no such user\r\n250 ok\r\n221 bye\r\n',
  );
});

const refusing = { AUTH: '235 welcome', RCPT: '550 5.1.1 no such user', DATA: '503 5.5.1 no' };
const hidden = ['MAIL FROM:<a@x.example>', 'RCPT TO:<victim@x.example>', 'DATA', 'Injected', '.'];

it.each([
  ['at once', 1],
  ['in pieces', 100],
])('takes no line of a message for a command where DATA was refused, written %s', async (_name, size) => {
  const { port, lines } = await serve(refusing);
  const given = ['RCPT TO:<b@x.example>', 'DATA', 'Subject: x', '', ...hidden, 'NOOP', 'QUIT', ''].join('\n');
  const pieces = size === 1 ? [given] : (given.match(/[^]{1,24}/g) ?? []);
  expect(await pass(port, ...pieces)).toBe(
    '220 ready\r\n550 5.1.1 no such user\r\n503 5.5.1 no\r\n250 ok\r\n221 bye\r\n',
  );
  expect(lines.slice(2)).toEqual(['RCPT TO:<b@x.example>', 'DATA', 'NOOP', 'QUIT']);
});

it('goes on with the next command of a program that waited for the refusal of DATA', async () => {
  const { port, lines } = await serve(refusing);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const passing = passDialogue({ host: '127.0.0.1', port }, input, output);
  let replied = '';
  output.on('data', (bytes: Buffer) => {
    replied += bytes.toString('latin1');
    if (replied.endsWith('no\r\n')) input.write('NOOP\r\nQUIT\r\n');
  });
  input.write('DATA\r\n');
  await passing;
  expect(lines.slice(1)).toEqual(['DATA', 'NOOP', 'QUIT']);
});

it('ends the dialogue of a program that leaves without QUIT', async () => {
  const { port, lines } = await serve({ AUTH: '235 welcome' });
  expect(await pass(port, 'NOOP\nNOOP')).toBe('220 ready\r\n250 ok\r\n250 ok\r\n221 bye\r\n');
  expect(lines.at(-1)).toBe('QUIT');
});

it('passes the bytes of BDAT on unchanged', async () => {
  const { port, lines } = await serve({ AUTH: '235 welcome' });
  await pass(port, 'BDAT 9 LAST\nab\n', '.\ncdef\r\nQUIT\n');
  expect(lines.slice(2)).toEqual(['BDAT 9 LAST', 'ab\n.\ncdef', 'QUIT']);
});

it.each([
  ['a message without its end', `${commands.join('\n')}\nSubject: x\n\nhalf`, 65],
  ['a BDAT without all of its bytes', 'BDAT 9 LAST\nab', 65],
  ['an endless command', `NOOP ${'x'.repeat(70_000)}`, 64],
])('sends no part of %s, and says so by its status', async (_name, input, status) => {
  const { port, lines } = await serve({ AUTH: '235 welcome' });
  await expect(pass(port, input)).rejects.toMatchObject({ status });
  expect(lines).not.toContain('.');
});

it('says by its status that the server goes down', async () => {
  const { port } = await serve({ greeting: '421 4.3.2 later' });
  await expect(pass(port, 'QUIT\n')).rejects.toMatchObject({ status: 75 });
});
