import { describe, expect, it } from 'vitest';

import { parseSearch, type SearchTest } from './parse-search.ts';

function tests(query: string, timeZone?: string): SearchTest[] {
  return parseSearch(query, timeZone).map(({ test }) => test);
}

describe('parseSearch', () => {
  it.each<[query: string, expected: SearchTest[]]>([
    ['', []],
    ['   ', []],
    ['- ! -- "" ""', []],
    [
      'one two',
      [
        { kind: 'word', text: 'one' },
        { kind: 'word', text: 'two' },
      ],
    ],
    [
      '"one two" three',
      [
        { kind: 'word', text: 'one two' },
        { kind: 'word', text: 'three' },
      ],
    ],
    ['"no end here', [{ kind: 'word', text: 'no end here' }]],
    ['subject:"a b"', [{ kind: 'field', field: 'subject', text: 'a b' }]],
    ['"subject:a b"', [{ kind: 'field', field: 'subject', text: 'a b' }]],
    ['FROM:Me@Example.org', [{ kind: 'field', field: 'from', text: 'Me@Example.org' }]],
    [
      'reply-to:x message-id:<y>',
      [
        { kind: 'field', field: 'reply-to', text: 'x' },
        { kind: 'field', field: 'message-id', text: '<y>' },
      ],
    ],
    ['to: from:', []],
    [
      'is:read IS:UNREAD has:attachments',
      [
        { kind: 'mark', mark: 'read' },
        { kind: 'mark', mark: 'unread' },
        { kind: 'mark', mark: 'attachment' },
      ],
    ],
    ['is:great', [{ kind: 'word', text: 'is:great' }]],
    ['http://example.org', [{ kind: 'word', text: 'http://example.org' }]],
    [
      'larger:2kb smaller:1.5M larger:10',
      [
        { kind: 'larger', bytes: 2048 },
        { kind: 'smaller', bytes: 1_572_864 },
        { kind: 'larger', bytes: 10 },
      ],
    ],
    ['larger:big', [{ kind: 'word', text: 'larger:big' }]],
    ['größe', [{ kind: 'word', text: 'größe' }]],
  ])('reads %j', (query, expected) => {
    expect(tests(query)).toEqual(expected);
  });

  it('takes a minus or an exclamation mark before a term for its opposite', () => {
    expect(parseSearch('-one !is:read -"two three" - !').map(({ isNegated }) => isNegated)).toEqual([
      true,
      true,
      true,
    ]);
    expect(parseSearch('one-two').map(({ isNegated }) => isNegated)).toEqual([false]);
  });

  it.each<[query: string, timeZone: string, at: string]>([
    ['after:2026-11-22', '', '2026-11-22T00:00:00Z'],
    ['after:2026/11/22', '', '2026-11-22T00:00:00Z'],
    ['after:"2026-11-22 15:04"', '', '2026-11-22T15:04:00Z'],
    ['before:2026-11-22T15:04:05Z', 'America/Chicago', '2026-11-22T15:04:05Z'],
    ['before:2026-11-22T15:04:05+02:00', '', '2026-11-22T13:04:05Z'],
    ['after:2026-11-22', 'Pacific/Auckland', '2026-11-21T11:00:00Z'],
    ['after:2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00Z'],
    ['after:"2026-03-29 03:30"', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['after:1700000000', '', '2023-11-14T22:13:20Z'],
  ])('reads the date of %s in %j', (query, timeZone, at) => {
    expect(tests(query, timeZone)).toEqual([
      { kind: query.startsWith('after') ? 'after' : 'before', at: Date.parse(at) },
    ]);
  });

  it.each(['after:yesterday', 'before:2026-02-30', 'after:2026-13-01', 'after:"2026-01-01 25:00"'])(
    'refuses the date of %s',
    (query) => {
      expect(() => parseSearch(query)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
    },
  );

  it('refuses an unknown zone, and too much', () => {
    const wrong = expect.objectContaining({ code: 'invalid_parameter' });
    expect(() => parseSearch('after:2026-01-01', 'Mars/Base')).toThrow(wrong);
    expect(() => parseSearch('x'.repeat(2001))).toThrow(wrong);
    expect(() => parseSearch(Array.from({ length: 51 }, () => 'x').join(' '))).toThrow(wrong);
  });
});
