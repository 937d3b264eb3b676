import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { addMailbox, forgetMailboxes, removeMailbox, saveMailboxes } from './mailboxes.ts';
import { sessionsKey } from './addresses/stored-sessions.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  stored.clear();
  forgetMailboxes();
});

const session = {
  token: 'mft_0123456789abcdefghij',
  email: 'a@mayfly.test',
  endsAt: Date.now() + 60_000,
  isShared: false,
};

it('keeps what was added, and notes that the last one is gone', () => {
  addMailbox(session);
  expect(stored.get(sessionsKey)).toContain(session.token);
  removeMailbox(session.token);
  expect(stored.get(sessionsKey)).not.toContain(session.token);
});

it('writes nothing after everything was forgotten', () => {
  addMailbox(session);
  forgetMailboxes();
  stored.clear();
  saveMailboxes();
  expect([...stored]).toEqual([]);
});
