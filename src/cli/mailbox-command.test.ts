import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { openMaildir } from '#maildir/maildir';
import { openMaildirLetters } from '#maildir/maildir-letters';
import { runMailbox } from './mailbox-command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-mailbox-'));
  return () => rm(folder, { recursive: true });
});

async function deliver(text: string): Promise<void> {
  const raw = Buffer.from(text);
  const maildir = openMaildir({
    folder: join(folder, 'operator'),
    toWriteError: (error) => error,
    messagesMax: 10,
    bytesMax: 1e6,
  });
  expect(await maildir.deliver({ sizeBytes: raw.length, pieces: [raw] })).not.toBe('full');
}

/** Ids as `list` prints them. */
async function ids(): Promise<string[]> {
  return (await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'list' }))
    .slice(1)
    .map((line) => line.split(' ')[0] ?? '');
}

it('says so when there is no mail, and no mailbox', async () => {
  expect(await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'list' })).toEqual([
    'No mail to postmaster or abuse.',
  ]);
});

it('lists, shows by the beginning of an id, marks as read and removes', async () => {
  await deliver('From: Abuse <a@b.test>\r\nSubject: =?utf-8?q?Spam_=C3=BCber_you?=\r\n\r\nHello.\r\n');
  const [heading, line] = await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'list' });
  expect(heading).toMatch(/^ID +RECEIVED +BYTES +FROM +SUBJECT$/);
  expect(line).toMatch(/^[0-9a-f]{12} +new +\d{4}-\d\d-\d\d \d\d:\d\d +\d+ +a@b\.test +Spam über you$/);
  const [id = ''] = await ids();
  expect(
    await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'show', id: id.slice(0, 5) }),
  ).toEqual(['From: Abuse <a@b.test>', 'Subject: =?utf-8?q?Spam_=C3=BCber_you?=', '', 'Hello.']);
  expect(
    (await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'list' }))[1],
  ).not.toContain(' new ');
  expect(await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'remove', id })).toEqual([
    `Message ${id} is removed.`,
  ]);
  expect(await ids()).toEqual([]);
});

describe('a hostile letter', () => {
  it('cannot write to the terminal', async () => {
    await deliver('From: a@b.test\r\nSubject: \x1b]0;owned\x07\x9b2J\r\n\r\n\x1b[2Jbody\rover\x00\r\n');
    const [id = ''] = await ids();
    const listed = await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'list' });
    const shown = await runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'show', id });
    expect([...listed, ...shown].join('\n')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(shown.at(-1)).toBe('?[2Jbody?over?');
  });
});

it('an id that fits none, or several, is refused', async () => {
  await expect(
    runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'show', id: 'abc' }),
  ).rejects.toThrow('No message begins with abc.');
  await deliver('Subject: 1\r\n\r\n');
  await deliver('Subject: 2\r\n\r\n');
  await expect(
    runMailbox(openMaildirLetters(join(folder, 'operator')), { action: 'remove', id: '' }),
  ).rejects.toThrow('More than one message');
});
