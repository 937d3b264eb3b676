import { describe, expect, it } from 'vitest';

import { MalformedBodyError } from './body.ts';
import { requireModestForm, requireModestJson } from './body-limits.ts';

function check(text: string, requireModest: (bytes: Uint8Array) => void): string {
  try {
    requireModest(Buffer.from(text));
    return 'modest';
  } catch (error) {
    return error instanceof MalformedBodyError ? error.code : String(error);
  }
}
const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"a${i}":1`).join(',')}}`;

describe('requireModestJson', () => {
  it.each([
    ['as many names as allowed', members(1000), 'modest'],
    ['one more', members(1001), 'malformed_body'],
    ['names in many objects', `[${'{"a":1},'.repeat(1001)}{}]`, 'malformed_body'],
    ['10,000 ids', `{"IDs":[${'"1",'.repeat(9999)}"1"]}`, 'modest'],
    ['too many elements', `[${'1,'.repeat(20_001)}1]`, 'malformed_body'],
    ['32 levels', '['.repeat(32) + ']'.repeat(32), 'modest'],
    ['33 levels', '[{"a":'.repeat(17), 'malformed_body'],
    ['structure within a string', `{"a":"${'{[:,'.repeat(30_000)}"}`, 'modest'],
    ['an escaped quote', `{"a":"\\"${',{:'.repeat(30_000)}"}`, 'modest'],
    ['an escaped backslash before the end', `{"a":"\\\\"${',"a":1'.repeat(1001)}`, 'malformed_body'],
    ['a string without an end', `"${','.repeat(30_000)}`, 'modest'],
    ['nothing', '', 'modest'],
  ])('takes %s for what it is', (_, text, expected) => {
    expect(check(text, requireModestJson)).toBe(expected);
  });
});

it('accepts a form with as many fields as a list of ids has, and not with many times that', () => {
  const form = (count: number): string => check(Array(count).fill('ids=%31').join('&'), requireModestForm);
  expect([form(10_000), form(20_002)]).toEqual(['modest', 'malformed_body']);
});
