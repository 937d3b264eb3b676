import { describe, expect, it } from 'vitest';

import { formatStoredSessions, parseLabel, parseStoredSessions, parseToken } from './stored-sessions.ts';

const token = `mf_${'a'.repeat(43)}`;
const other = `mf_${'b'.repeat(43)}`;
const session = { token, email: 'quiet-fox@mayfly.test', endsAt: 1_800_000_000_000, isShared: false };
const none = { current: null, sessions: [] };

describe('stored sessions', () => {
  it('come back as they were kept', () => {
    const kept = { current: other, sessions: [session, { ...session, token: other }] };
    expect(parseStoredSessions(formatStoredSessions(kept))).toEqual(kept);
  });

  it.each([null, '', 'nonsense', 'null', '[]', '{"version":2,"sessions":[]}', '{"version":1,"sessions":5}'])(
    'are none in %j',
    (text) => {
      expect(parseStoredSessions(text)).toEqual(none);
    },
  );

  it('leave out what is no session, and repeats', () => {
    const sessions = [
      null,
      'x',
      { ...session, token: 'javascript:alert(1)' },
      { ...session, email: 'nobody' },
      { ...session, email: `${'x'.repeat(400)}@a` },
      { ...session, endsAt: 'soon' },
      session,
      session,
    ];
    const text = JSON.stringify({ version: 1, current: other, sessions });
    expect(parseStoredSessions(text)).toEqual({ current: token, sessions: [session] });
  });

  it('stay marked as shared, and those of a share always are', () => {
    const share = `mfs_${'c'.repeat(54)}`;
    const kept = { current: token, sessions: [{ ...session, isShared: true }] };
    expect(parseStoredSessions(formatStoredSessions(kept))).toEqual(kept);
    const text = JSON.stringify({ version: 1, sessions: [{ ...session, token: share }] });
    expect(parseStoredSessions(text).sessions).toEqual([{ ...session, token: share, isShared: true }]);
  });

  it('keep where a developer’s mail goes, and no nonsense in its place', () => {
    const kept = { current: token, sessions: [{ ...session, smtp: '127.0.0.1:1025' }] };
    expect(parseStoredSessions(formatStoredSessions(kept))).toEqual(kept);
    const text = JSON.stringify({ version: 1, sessions: [{ ...session, smtp: '<b>' }] });
    expect(parseStoredSessions(text).sessions).toEqual([session]);
  });

  it('keep a label, made fit to be shown', () => {
    const kept = { current: token, sessions: [{ ...session, label: 'Shop' }] };
    expect(parseStoredSessions(formatStoredSessions(kept))).toEqual(kept);
    const text = JSON.stringify({ version: 1, sessions: [{ ...session, label: { a: 1 } }] });
    expect(parseStoredSessions(text).sessions).toEqual([session]);
  });

  it('hold nothing but token, address and end', () => {
    const more = { ...session, subject: 'secret' };
    expect(formatStoredSessions({ current: token, sessions: [more] })).not.toContain('secret');
  });
});

it('knows a token by its form', () => {
  expect(parseToken(token)).toBe(token);
  for (const value of ['mf_short', `${token}"`, 'x', 5, null, undefined, `mf_${'a'.repeat(200)}`]) {
    expect(parseToken(value)).toBeUndefined();
  }
});

it('makes one short line of a label, which turns no text around it', () => {
  expect(parseLabel('  Shop\n\u2028 two\u0000 \u202eabc ')).toBe('Shop two abc');
  expect(parseLabel('\u{1f98a}'.repeat(50))).toBe('\u{1f98a}'.repeat(40));
  for (const value of [null, 5, {}, '', ' \u2066 ']) expect(parseLabel(value)).toBe('');
});

it('comes back with the name that push messages have for it, and no nonsense in its place', () => {
  const push = 'q3Zk0m1xTn2bVd7sYw8LhA';
  const kept = { current: token, sessions: [{ ...session, push }] };
  expect(parseStoredSessions(formatStoredSessions(kept))).toEqual(kept);
  const text = JSON.stringify({ version: 1, sessions: [{ ...session, push: '"><b>' }] });
  expect(parseStoredSessions(text).sessions).toEqual([session]);
});
