import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { createToken, hashToken, toSessionKey } from './token.ts';

describe('createToken', () => {
  it('is mf_ and 256 bits in base64url, and comes with its hash', () => {
    const { token, hash } = createToken();
    expect(hash).toEqual(hashToken(token));
    expect(token).toMatch(/^mf_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(token.slice(3), 'base64url')).toHaveLength(32);
  });

  it('never repeats, and uses every character', () => {
    const tokens = Array.from({ length: 20_000 }, () => createToken().token);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(new Set(tokens.map((token) => token.slice(3)).join('')).size).toBe(64);
  });
});

describe('hashToken', () => {
  it('is the SHA-256 of the whole token, and the session key its first 128 bits', () => {
    const { token } = createToken();
    const hash = hashToken(token)!;
    expect(hash.equals(createHash('sha256').update(token).digest())).toBe(true);
    expect(Buffer.from(toSessionKey(hash)).equals(hash.subarray(0, 16))).toBe(true);
  });

  it('tells tokens apart that differ only in bits that base64 leaves unused', () => {
    const [one, two] = ['A', 'B'].map((last) => hashToken(`mf_${'A'.repeat(42)}${last}`)!);
    expect(one!.equals(two!)).toBe(false);
  });

  it.each([
    '',
    'mf_',
    `mf_${'A'.repeat(42)}`,
    `mf_${'A'.repeat(44)}`,
    `MF_${'A'.repeat(43)}`,
    `mf-${'A'.repeat(43)}`,
    `mf_${'A'.repeat(42)}=`,
    `mf_${'A'.repeat(42)}+`,
    `mf_${'A'.repeat(43)}\n`,
    ` mf_${'A'.repeat(43)}`,
    `mf_${'Ä'.repeat(43)}`,
    `mf_${'A'.repeat(1_000_000)}`,
  ])('knows that %.60j is no token of ours', (text) => {
    expect(hashToken(text)).toBeUndefined();
  });
});
