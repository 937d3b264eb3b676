import { describe, expect, it } from 'vitest';
import { parseMailboxName } from './mailbox-name.ts';

describe('parseMailboxName', () => {
  it.each([
    ['fox', 'fox', 'fox@abcdefgh.mayfly.test', true],
    ['FOX', 'fox', 'Fox@abcdefgh.mayfly.test', true],
    ['fox', 'fox', 'fox+shop@abcdefgh.mayfly.test', true],
    ['fox+shop', 'fox', 'fox@abcdefgh.mayfly.test', true],
    ['fox', 'fox', 'foxes@abcdefgh.mayfly.test', false],
    ['fox@a.example', 'fox@a.example', 'fox@a.example', true],
    ['Fox+x@A.example', 'fox@a.example', 'fox+y@a.example', true],
    ['fox@a.example', 'fox@a.example', 'fox@b.example', false],
    ["o'neil/x", "o'neil/x", "o'neil/x@a.example", true],
  ])('reads %j as %j, which holds %j: %j', (given, name, recipient, expected) => {
    const mailbox = parseMailboxName(given);
    expect(mailbox.name).toBe(name);
    expect(mailbox.holds(recipient)).toBe(expected);
  });

  it.each(['', '+x', '@a.example', 'a b', 'a\u0000b', 'ä', 'x'.repeat(321)])('refuses %j', (given) => {
    expect(() => parseMailboxName(given)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', parameter: 'name' }),
    );
  });
});
