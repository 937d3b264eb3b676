import { expect, it } from 'vitest';

import { serve } from '../test/scripted-server.ts';
import { submit } from './submit.ts';

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
  const { port, close } = await serve();
  await close();
  await expect(submit({ host: '127.0.0.1', port }, submission)).rejects.toMatchObject({ status: 75 });
});
