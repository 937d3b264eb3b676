// format=flowed (RFC 3676).
import { describe, expect, it } from 'vitest';
import { joinFlowed } from './flowed-text.ts';

describe('joinFlowed', () => {
  it.each([
    ['soft \nbreak\nhard', 'soft break\nhard'],
    ['> quoted \n> text\nreply', '> quoted text\nreply'],
    ['>> deeper \n> not joined', '>> deeper \n> not joined'],
    [' stuffed\n From here', 'stuffed\nFrom here'],
    ['text \n-- \nsignature', 'text \n-- \nsignature'],
    ['ends soft ', 'ends soft '],
    ['', ''],
  ])('joins %j', (text, joined) => {
    expect(joinFlowed(text, false)).toBe(joined);
  });

  it('drops the marking space with delsp', () => {
    expect(joinFlowed('日本 \n語', true)).toBe('日本語');
  });
});
