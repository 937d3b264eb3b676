import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { openSealed, sealBytes, type SealPurpose } from './seal.ts';

const key = randomBytes(32);
const plain = Buffer.from('your code is 123456');

describe('sealBytes', () => {
  it.each([0, 1, 15, 16, 17, 4096, 256 * 1024])('opens again to the same %d bytes', (length) => {
    const bytes = Buffer.alloc(length, 7);
    const sealed = sealBytes(key, 'raw', bytes);
    expect(sealed).toHaveLength(length + 28);
    expect(openSealed(key, 'raw', sealed).equals(bytes)).toBe(true);
  });

  it('leaves the bytes it is given as they are, and shows nothing of them', () => {
    const bytes = Buffer.from(plain);
    const sealed = sealBytes(key, 'meta', bytes);
    expect(bytes.equals(plain)).toBe(true);
    expect(sealed.includes(plain.subarray(0, 4))).toBe(false);
  });

  it('opens views into larger memory, as stores hand them out', () => {
    const sealed = sealBytes(key, 'raw', plain);
    const within = new Uint8Array(sealed.length + 20);
    within.set(sealed, 10);
    expect(openSealed(key, 'raw', within.subarray(10, 10 + sealed.length)).equals(plain)).toBe(true);
  });

  it('never repeats a nonce in 100,000 seals, under one key or many', () => {
    const nonces = new Set<string>();
    const otherKey = randomBytes(32);
    for (let i = 0; i < 100_000; i++) {
      nonces.add(
        sealBytes(i % 2 === 0 ? key : otherKey, 'meta', plain.subarray(0, 1)).toString('latin1', 0, 12),
      );
    }
    expect(nonces.size).toBe(100_000);
  });
});

describe('openSealed', () => {
  const sealed = sealBytes(key, 'meta', plain);

  it('refuses every other key and every other purpose', () => {
    expect(() => openSealed(randomBytes(32), 'meta', sealed)).toThrow();
    for (const purpose of ['glance', 'raw'] satisfies SealPurpose[]) {
      expect(() => openSealed(key, purpose, sealed)).toThrow();
    }
  });

  it('refuses a change of any single bit', () => {
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => openSealed(key, 'meta', altered)).toThrow();
    }
  });

  it('refuses what is cut short at any byte, and what has more', () => {
    for (let length = 0; length < sealed.length; length++) {
      expect(() => openSealed(key, 'meta', sealed.subarray(0, length))).toThrow();
    }
    expect(() => openSealed(key, 'meta', Buffer.concat([sealed, Buffer.from([0])]))).toThrow();
  });
});
