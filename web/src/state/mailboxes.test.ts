import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import {
  addMailbox,
  forgetMailboxes,
  mailboxes,
  removeMailbox,
  saveMailboxes,
  syncMailboxes,
} from './mailboxes.ts';
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

it('keeps what was just added when another window writes a list without it', () => {
  addMailbox(session);
  const other = { ...session, token: 'mf_9876543210abcdefghij', email: 'b@mayfly.test' };
  stored.set(sessionsKey, JSON.stringify({ version: 1, current: other.token, sessions: [other] }));
  syncMailboxes();
  expect(mailboxes.value.map(({ email }) => email)).toEqual(['b@mayfly.test', 'a@mayfly.test']);
  expect(stored.get(sessionsKey)).toContain(session.token);
});

it('takes over what another window removed some time ago', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    addMailbox(session);
    vi.advanceTimersByTime(10_000);
    stored.set(sessionsKey, JSON.stringify({ version: 1, current: null, sessions: [] }));
    syncMailboxes();
    expect(mailboxes.value).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
