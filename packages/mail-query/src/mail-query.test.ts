import { expect, it } from 'vitest';

import { dropUnfinished, isMailQuery, type MailQuery, parseMailQuery } from './mail-query.ts';

const nothing: MailQuery = { words: [], from: [], to: [], subject: [], has: [], is: [] };

it.each<[string, Partial<MailQuery>]>([
  ['', {}],
  [' \n ', {}],
  ['order 4711', { words: ['order', '4711'] }],
  ['"order 4711" today', { words: ['order 4711', 'today'] }],
  ['“order 4711', { words: ['order 4711'] }],
  ['""', {}],
  ['from:ann@shop.example', { from: ['ann@shop.example'] }],
  ['From: "Ann Lee" from:shop', { from: ['Ann Lee', 'shop'] }],
  ['subject:receipt to:+shop@ paid', { subject: ['receipt'], to: ['+shop@'], words: ['paid'] }],
  ['has:code HAS:Attachments is:Unread', { has: ['code', 'attachment'], is: ['unread'] }],
  ['is:read is:unread', { is: ['read', 'unread'] }],
  ['件名 from：楽天', { words: ['件名'], from: ['楽天'] }],
  [
    'platform:x mailto:a@b.example https://a.example/?to:b',
    {
      words: ['platform:x', 'mailto:a@b.example', 'https://a.example/?to:b'],
    },
  ],
  ['it\'s o"clock', { words: ["it's", 'o"clock'] }],
])('reads %j', (text, query) => {
  expect(parseMailQuery(text)).toEqual({ ...nothing, ...query });
});

it.each(['has:cod', 'is:starred', 'from:', 'from:""', 'has:', 'is: "  "'])(
  'takes %j for words: a slip finds nothing rather than everything',
  (text) => {
    const { words, ...others } = parseMailQuery(text);
    expect(words.join(' ')).not.toBe('');
    expect(Object.values(others).flat()).toEqual([]);
  },
);

it('knows a text without any condition', () => {
  expect(['', '  ', '""', '“ ”'].map((text) => isMailQuery(parseMailQuery(text)))).toEqual(
    Array(4).fill(false),
  );
  expect(['x', 'is:read', 'from:'].map((text) => isMailQuery(parseMailQuery(text)))).toEqual(
    Array(3).fill(true),
  );
});

it.each([
  ['order from:', 'order'],
  ['order has:c', 'order'],
  ['is:unrea', ''],
  ['is:unread', 'is:unread'],
  ['has:code', 'has:code'],
  ['from:a', 'from:a'],
  ['from: ', ''],
  ['platform:', 'platform:'],
])('leaves %j as %j while it is being typed', (text, left) => {
  expect(dropUnfinished(text)).toBe(left);
});

it('reads a long text in one pass', () => {
  const words = parseMailQuery('from:'.repeat(50_000)).from;
  expect(words.join('').length).toBeLessThan(250_000);
  expect(parseMailQuery('" '.repeat(50_000)).words).toEqual([]);
});
