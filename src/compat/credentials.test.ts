import { describe, expect, it } from 'vitest';

import { readCredentials } from './credentials.ts';

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('readCredentials', () => {
  it.each([
    ['Bearer mf_one', 'mf_one'],
    ['bearer   mf_one ', 'mf_one'],
    [basic('anybody:mf_one'), 'mf_one'],
    [basic(':mf_one'), 'mf_one'],
    [basic('mf_one:'), 'mf_one'],
    [basic('mf_one'), 'mf_one'],
    [basic('user:with:colons'), 'with:colons'],
    [`BASIC ${Buffer.from('x:mf_one').toString('base64')}`, 'mf_one'],
  ])('reads %s', (field, token) => {
    expect(readCredentials(field)).toBe(token);
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic', 'Basic !', basic(':'), 'Digest x'])(
    'finds none in %s',
    (field) => {
      expect(readCredentials(field)).toBeUndefined();
    },
  );
});
