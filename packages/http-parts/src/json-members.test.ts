import { expect, it } from 'vitest';

import { parseJsonMembers } from './json-members.ts';

it('gives the members of an object in order', () => {
  expect(parseJsonMembers(' { "a" : 1 , "b":"x,}:\\"y", "c":[{"d":2},3], "e":{} } ')).toEqual([
    ['a', 1],
    ['b', 'x,}:"y'],
    ['c', [{ d: 2 }, 3]],
    ['e', {}],
  ]);
  expect(parseJsonMembers('{}')).toEqual([]);
});

it('gives repeated names, escaped ones too, which JSON.parse would drop', () => {
  expect(parseJsonMembers('{"id":1,"x":[1,{"id":3}],"\\u0069d":2,"y":"}"}')).toEqual([
    ['id', 1],
    ['x', [1, { id: 3 }]],
    ['id', 2],
    ['y', '}'],
  ]);
});

it('gives __proto__ as a member like any other', () => {
  expect(parseJsonMembers('{"__proto__":{"id":1},"constructor":2}')).toEqual([
    ['__proto__', { id: 1 }],
    ['constructor', 2],
  ]);
});

it.each([
  '',
  ' ',
  '[]',
  '1',
  'null',
  '"a"',
  'true',
  '{',
  '{"a":1}x',
  "{'a':1}",
  '{"a":1,}',
  '{"a":NaN}',
  'a=b',
])('refuses %j', (text) => {
  expect(() => parseJsonMembers(text)).toThrow(expect.objectContaining({ code: 'malformed_body' }));
});

it('survives 100,000 levels', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(parseJsonMembers(`{"a":${deep},"id":1}`).at(-1)).toEqual(['id', 1]);
  expect(parseJsonMembers(`{"id":1,"id":2,"a":${'{"b":'.repeat(1000)}1${'}'.repeat(1000)}}`)).toHaveLength(3);
});
