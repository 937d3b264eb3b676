import { parseMailboxes } from '@mayfly/mail-reader/header';
import { expect, it } from 'vitest';

import { parseSendmailArguments } from './sendmail-arguments.ts';
import { type Submission, toSubmission } from './sendmail-message.ts';

function submit(line: string, input: string | Buffer): Submission & { readonly text: string } {
  const submission = toSubmission({
    input: Buffer.from(input as string),
    call: parseSendmailArguments(line === '' ? [] : line.split(' ')),
    user: 'www',
    domain: 'localhost',
    now: new Date('2026-03-01T09:05:03Z'),
    parseAddresses: (list) => parseMailboxes(list, 100).map(({ name, email }) => email || name),
  });
  return { ...submission, text: submission.message.toString() };
}

const header = 'From: App <app@x.example>\nDate: Sun, 1 Mar 2026 09:00:00 +0000\nMessage-ID: <1@x.example>\n';

it('takes recipients from the header and removes Bcc, folded or not', () => {
  const sent = submit(
    '-t -i',
    `${header}To: "Ann, B." <ann@y.example>,\n bob@y.example\nBCC:\n hidden@y.example\ncc: team: t@y.example;\nSubject: x\n\n.\nbody\n`,
  );
  expect(sent.recipients).toEqual(['ann@y.example', 'bob@y.example', 'hidden@y.example', 't@y.example']);
  expect(sent.text).not.toMatch(/hidden|bcc/i);
  expect(sent.text).toMatch(/\r\nSubject: x\r\n\r\n\.\r\nbody\r\n$/);
  expect(sent.text).not.toMatch(/[^\r]\n/);
});

it('removes Bcc without -t too, and sends to the arguments alone', () => {
  const sent = submit('-i a@y.example,b@y.example', `${header}To: c@y.example\nBcc: d@y.example\n\nx`);
  expect(sent.recipients).toEqual(['a@y.example', 'b@y.example']);
  expect(sent.text).not.toContain('d@y.example');
});

it('sends to arguments and header together, to each once', () => {
  const sent = submit('-t a@y.example', `${header}To: a@y.example, b@y.example\n\nx`);
  expect(sent.recipients).toEqual(['a@y.example', 'b@y.example']);
});

it('sends a resent message to those it is resent to', () => {
  const sent = submit('-t', `${header}Resent-To: new@y.example\nTo: old@y.example\n\nx`);
  expect(sent.recipients).toEqual(['new@y.example']);
});

it('ends at a line with only a dot, unless -i', () => {
  const input = `${header}To: a@y.example\n\none\n.\ntwo\n`;
  expect(submit('-t', input).text).toMatch(/one\r\n$/);
  expect(submit('-t -oi', input).text).toMatch(/one\r\n\.\r\ntwo\r\n$/);
});

it('adds From, Date and Message-ID where they are missing', () => {
  const { text, sender, recipients } = submit('-F Jürg -f app@x.example root', 'Subject: x\n\nbody\n');
  expect(sender).toBe('app@x.example');
  expect(recipients).toEqual(['root@localhost']);
  expect(text).toContain(`From: =?UTF-8?B?${Buffer.from('Jürg').toString('base64')}?= <app@x.example>\r\n`);
  expect(text).toContain('Date: Sun, 01 Mar 2026 09:05:03 +0000\r\n');
  expect(text).toMatch(/\r\nMessage-ID: <[0-9a-f-]+@localhost>\r\n\r\nbody\r\n$/);
});

it('sends as the user by default, and as nothing for <>', () => {
  expect(submit('a@y.example', 'x').sender).toBe('www@localhost');
  const bounce = submit('-f <> a@y.example', 'x');
  expect(bounce.sender).toBe('');
  expect(bounce.text).toContain('From: www@localhost\r\n');
});

it('gives names without a domain one in the header, as cron and at write them', () => {
  const { text, recipients } = submit(
    '-t',
    'From: root (Cron Daemon)\nTo: ops,\n www-data\nCc: a@y.example, bob (Bob)\nReply-To: "x, y" <a@y.example>, root\nSubject: root\n\nTo: root\n',
  );
  expect(text).toMatch(
    /^From: root@localhost \(Cron Daemon\)\r\nTo: ops@localhost,\r\n www-data@localhost\r\nCc: a@y\.example, bob@localhost \(Bob\)\r\nReply-To: "x, y" <a@y\.example>, root\r\nSubject: root\r\n/,
  );
  expect(text).toMatch(/\r\n\r\nTo: root\r\n$/);
  expect(recipients).toEqual(['ops@localhost', 'www-data@localhost', 'a@y.example', 'bob@localhost']);
});

it('puts an empty line before a body that follows no header', () => {
  expect(submit('a@y.example', 'Hello there\nand more: x\n').text).toMatch(
    /\r\n\r\nHello there\r\nand more: x\r\n$/,
  );
});

it('leaves the separator line of an mbox file out', () => {
  expect(submit('a@y.example', `From app Sun Mar  1\n${header}\nx\n`).text).toMatch(/^From: App/);
});

it('keeps every byte of a body that is no UTF-8', () => {
  const input = Buffer.concat([Buffer.from(`${header}\n`), Buffer.from([0xff, 0x80, 0x0a])]);
  expect(submit('a@y.example', input).message.subarray(-4)).toEqual(Buffer.from([0xff, 0x80, 0x0d, 0x0a]));
});

it.each([
  ['', 'x', 64],
  ['-t', `${header}Subject: x\n\nTo: a@y.example\n`, 64],
])('refuses %j without recipients as wrong usage', (line, input, status) => {
  expect(() => submit(line, input)).toThrow(expect.objectContaining({ status }));
});
