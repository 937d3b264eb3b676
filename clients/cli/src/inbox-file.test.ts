import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { type InboxFile, type KnownInbox, openInboxFile } from './inbox-file.ts';

async function openFolder(): Promise<{
  readonly file: InboxFile;
  readonly name: string;
  readonly home: string;
}> {
  const home = await mkdtemp(path.join(tmpdir(), 'mayfly-state-'));
  onTestFinished(() => rm(home, { recursive: true }));
  return {
    home,
    file: openInboxFile({ XDG_STATE_HOME: home }),
    name: path.join(home, 'mayfly/inboxes.json'),
  };
}

function inbox(number: number): KnownInbox {
  const at = '2026-01-31T12:00:00.000Z';
  return {
    url: 'http://127.0.0.1:8080',
    email: `fox${number}@mayfly.test`,
    token: `token-${number}`,
    expires_at: at,
    created_at: at,
  };
}

const modeOf = async (name: string): Promise<number> => (await stat(name)).mode & 0o777;

describe('the file of inboxes', () => {
  it('is for its owner alone, whatever the umask is', async () => {
    const { file, name, home } = await openFolder();
    expect(await file.list()).toEqual([]);
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await file.change(() => [inbox(1)]);
    expect(await modeOf(name)).toBe(0o600);
    expect(await modeOf(path.dirname(name))).toBe(0o700);
    expect(await file.list()).toEqual([inbox(1)]);
    expect(await readdir(path.join(home, 'mayfly'))).toEqual(['inboxes.json']);
  });

  it('loses nothing of what is kept at once', async () => {
    const { home, file } = await openFolder();
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    const keepers = numbers.map(async (number) => {
      await openInboxFile({ XDG_STATE_HOME: home }).change((all) => [...all, inbox(number)]);
    });
    await Promise.all(keepers);
    expect((await file.list()).map(({ email }) => email).sort()).toEqual(
      numbers.map((number) => inbox(number).email).sort(),
    );
  });

  it('is refused once others may have read it, without a word of it', async () => {
    const { file, name } = await openFolder();
    await file.change(() => [inbox(1)]);
    await chmod(name, 0o644);
    await expect(file.list()).rejects.toThrow(/other users may have read it/);
    await expect(file.change((all) => all)).rejects.toThrow(/chmod 600/);
    await chmod(name, 0o600);
    expect(await file.list()).toHaveLength(1);
  });

  it('is refused where it is a link, or something else, and then stays as it is', async () => {
    const { file, name } = await openFolder();
    await file.change((all) => all);
    for (const text of ['{', '[]', '{"inboxes":[{"email":"secret"}]}']) {
      await writeFile(name, text);
      await expect(file.change(() => [])).rejects.toThrow(/was not written by mayfly/);
      expect(await readFile(name, 'utf8')).toBe(text);
    }
    await rm(name);
    await symlink('/dev/zero', name);
    await expect(file.list()).rejects.toThrow(/is not the file of inboxes/);
  });

  it('is written although a process died while it held the lock', async () => {
    const { file, name } = await openFolder();
    await file.change((all) => all);
    await writeFile(`${name}.lock`, '');
    await utimes(`${name}.lock`, 0, 0);
    await Promise.all([1, 2, 3].map((number) => file.change((all) => [...all, inbox(number)])));
    expect(await file.list()).toHaveLength(3);
  });

  it('keeps the newest thousand', async () => {
    const { file } = await openFolder();
    await file.change(() => Array.from({ length: 1005 }, (_, number) => inbox(number)));
    const kept = await file.list();
    expect([kept.length, kept[0]?.email]).toEqual([1000, 'fox5@mayfly.test']);
  });

  it('is under the home folder where no other place is named, or one that is relative', () => {
    for (const environment of [{}, { XDG_STATE_HOME: '' }, { XDG_STATE_HOME: 'here' }]) {
      expect(openInboxFile({ HOME: '/home/ann', ...environment }).folder).toBe(
        '/home/ann/.local/state/mayfly',
      );
    }
  });

  it('says in a line why it cannot be written', async () => {
    const { home } = await openFolder();
    await writeFile(path.join(home, 'mayfly'), '');
    const broken = openInboxFile({ XDG_STATE_HOME: home });
    await expect(broken.change((all) => all)).rejects.toThrow(/The inboxes cannot be kept in .*inboxes.json/);
  });
});
