import { expect, it } from 'vitest';

import { parseSendmailArguments } from './sendmail-arguments.ts';

const plain = {
  mode: 'submit',
  sender: undefined,
  fullName: undefined,
  readsHeader: false,
  endsAtDot: true,
  recipients: [],
  server: undefined,
};

it.each([
  ['PHP', '-t -i', { readsHeader: true, endsAtDot: false }],
  [
    'PHP with a sender',
    '-t -i -fapp@x.example',
    { readsHeader: true, endsAtDot: false, sender: 'app@x.example' },
  ],
  [
    'cron',
    '-FCronDaemon -i -B8BITMIME -oem root',
    { fullName: 'CronDaemon', endsAtDot: false, recipients: ['root'] },
  ],
  [
    'nodemailer',
    '-i -f app@x.example a@y.example b@y.example',
    { endsAtDot: false, sender: 'app@x.example', recipients: ['a@y.example', 'b@y.example'] },
  ],
  [
    'git send-email',
    '-i -f app@x.example -- -odd@y.example',
    { endsAtDot: false, sender: 'app@x.example', recipients: ['-odd@y.example'] },
  ],
  [
    'mutt',
    '-oem -oi -f app@x.example -- a@y.example',
    { endsAtDot: false, sender: 'app@x.example', recipients: ['a@y.example'] },
  ],
  [
    'options in one word',
    '-tif app@x.example',
    { readsHeader: true, endsAtDot: false, sender: 'app@x.example' },
  ],
  ['a bounce', '-t -f <>', { readsHeader: true, sender: '' }],
  [
    'a sender by -r',
    '-r app@x.example a@y.example',
    { sender: 'app@x.example', recipients: ['a@y.example'] },
  ],
  ['options after recipients', 'a@y.example -oi', { endsAtDot: false, recipients: ['a@y.example'] }],
  [
    'delivery reports',
    '-N success -R hdrs -V id -O DeliveryMode=b -h 3 -p http:x a@y.example',
    { recipients: ['a@y.example'] },
  ],
  ['Symfony', '-bs', { mode: 'dialogue' }],
  ['mailq', '-bp', { mode: 'nothing' }],
  ['newaliases', '-bi', { mode: 'nothing' }],
  ['a run of the queue', '-q', { mode: 'nothing' }],
  ['the server of Mailpit', '-S 127.0.0.1:2525 -t', { server: '127.0.0.1:2525', readsHeader: true }],
])('parses what %s passes', (_name, line, expected) => {
  expect(parseSendmailArguments(line.split(' '))).toEqual({ ...plain, ...expected });
});

it('takes an empty sender as a word of its own', () => {
  expect(parseSendmailArguments(['-f', '', '-t']).sender).toBe('');
});

it.each(['-y', '-f', '-bd', '-ty', '--help'])('refuses %s as wrong usage', (word) => {
  expect(() => parseSendmailArguments([word])).toThrow(expect.objectContaining({ status: 64 }));
});
