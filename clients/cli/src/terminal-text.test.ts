import { describe, expect, it } from 'vitest';

import { cutToWidth, toBlock, toJson, toLine } from './terminal-text.ts';

/** Characters that can deceive a terminal or a reader. */
const hostile = [
  ['an escape sequence', '\x1b[2J\x1b[31mred'],
  ['a hyperlink', '\x1b]8;;https://evil.example\x07click\x1b]8;;\x07'],
  ['a title', '\x1b]0;owned\x1b\\'],
  ['a C1 control', '\x9b31m\x9d0;x\x9c'],
  ['backspaces', 'safe\b\b\b\bevil'],
  ['a carriage return', 'code 111111\rcode 222222'],
  ['order turned round', 'exe.\u202egpj\u2066\u2069\u200f'],
  ['a line of its own', 'a\u2028b\u2029c\x85d'],
  ['no width', 'a\u200b\u2060\ufeffb'],
  ['tags', 'a\u{e0041}\u{e007f}'],
  ['half a character', 'a\ud800'],
  ['NUL and DEL', 'a\0b\x7fc'],
] as const;
const unfit =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

describe('text of senders', () => {
  it.each(hostile)('has lost %s', (_what, text) => {
    expect(toLine(text)).not.toMatch(unfit);
    expect(toBlock(text).replaceAll('\n', '')).not.toMatch(unfit);
    const json = toJson({ subject: text });
    expect(json).not.toMatch(unfit);
    expect((JSON.parse(json) as { subject: string }).subject).toBe(text);
  });

  it('is otherwise as it was', () => {
    const text = 'Grüße, 漢字, שלום, सं, 👨\u200d👩\u200d👧, می\u200cخواهم';
    expect(toLine(text)).toBe(text);
    expect(toBlock(`${text}\r\n\tnext`)).toBe(`${text}\n    next`);
    expect(toJson({ senderName: text })).toBe(`{"sender_name":${JSON.stringify(text)}}`);
  });

  it('is one line where one is wanted', () => {
    expect(toLine('a\r\nb\tc')).toBe('a b c');
  });
});

it('cuts by columns', () => {
  expect(cutToWidth('abcdef', 3)).toBe('abc');
  expect(cutToWidth('漢字漢字', 5)).toBe('漢字');
  expect(cutToWidth('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301e\u0301');
});

it('names fields as the interface does', () => {
  const value = { expiresAt: new Date('2026-01-31T12:00:00.123Z'), list: [{ htmlUrl: null }] };
  expect(toJson(value)).toBe('{"expires_at":"2026-01-31T12:00:00Z","list":[{"html_url":null}]}');
});
