import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';

import { ReadingKey } from './reading-key.ts';
import { createSealTarget, Sealer } from './sealer.ts';
import { sealHeaderBytes } from './sealed-format.ts';
import { deriveContentKey, hkdf, toKeyPair, toSeed } from './sealed-keys.ts';
import type { SealPurpose } from './seal.ts';
import { createToken } from './token.ts';

const plain = Buffer.from('your code is 123456');

function newSession() {
  const { token } = createToken();
  const target = createSealTarget(token);
  return { token, target, reading: ReadingKey.ofToken(token, target) };
}

interface Vector {
  readonly token: string;
  readonly seed: string;
  readonly publicKey: string;
  readonly salt: string;
  readonly ephemeralPrivate: string;
  readonly ephemeralPublic: string;
  readonly contentKey: string;
  readonly purpose: SealPurpose;
  readonly sealed: string;
  readonly plain: string;
}

/** The vectors as the documentation prints them. */
function readVectors(): readonly Vector[] {
  const text = readFileSync(new URL('../../../docs/sealed-mail.md', import.meta.url), 'utf8');
  const [, json = ''] = /```json\n([^]*?)```/.exec(text) ?? [];
  return JSON.parse(json) as Vector[];
}

describe('the format of sealed mail', () => {
  const vectors = readVectors();

  it.each(vectors)('derives the documented keys of $token', (vector) => {
    const seed = toSeed(vector.token);
    expect(seed.toString('hex')).toBe(vector.seed);
    const own = toKeyPair(seed);
    expect(own.publicKey.toString('hex')).toBe(vector.publicKey);
    const ephemeral = toKeyPair(Buffer.from(vector.ephemeralPrivate, 'hex'));
    expect(ephemeral.publicKey.toString('hex')).toBe(vector.ephemeralPublic);
    const target = { publicKey: own.publicKey, salt: Buffer.from(vector.salt, 'hex') };
    const parts = { target, ephemeral: ephemeral.publicKey };
    const sealing = deriveContentKey({ ...parts, privateKey: ephemeral.privateKey, isOwner: false });
    const opening = deriveContentKey({ ...parts, privateKey: own.privateKey, isOwner: true });
    expect(sealing.toString('hex')).toBe(vector.contentKey);
    expect(opening.equals(sealing)).toBe(true);
  });

  it.each(vectors)('opens the documented bytes of $purpose', ({ token, publicKey, salt, ...vector }) => {
    const target = { publicKey: Buffer.from(publicKey, 'hex'), salt: Buffer.from(salt, 'hex') };
    const opened = ReadingKey.ofToken(token, target).open(vector.purpose, Buffer.from(vector.sealed, 'hex'));
    expect(opened.toString()).toBe(vector.plain);
  });

  it('has vectors of more than one purpose', () => {
    expect(new Set(vectors.map(({ purpose }) => purpose)).size).toBeGreaterThan(1);
  });

  it('derives keys as HKDF and X25519 of the platform do', () => {
    for (let i = 0; i < 50; i++) {
      const [secret, salt, info] = [randomBytes(32), randomBytes(i), randomBytes(100)];
      expect(hkdf(secret, salt, info).equals(Buffer.from(hkdfSync('sha256', secret, salt, info, 32)))).toBe(
        true,
      );
      const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), secret]);
      const same = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      const { privateKey, publicKey } = toKeyPair(secret);
      expect(createPublicKey(same).export({ format: 'jwk' }).x).toBe(publicKey.toString('base64url'));
      const other = createPublicKey(toKeyPair(randomBytes(32)).privateKey);
      const shared = diffieHellman({ privateKey, publicKey: other });
      expect(shared.equals(diffieHellman({ privateKey: same, publicKey: other }))).toBe(true);
    }
  });

  it('derives the reading key apart from the hash that is stored', () => {
    const { token, target } = newSession();
    expect(target.publicKey).toHaveLength(32);
    expect(toSeed(token).equals(toSeed(`${token} `))).toBe(false);
  });
});

describe('Sealer', () => {
  it('seals what only the session opens, only for its purpose', () => {
    const sealer = new Sealer();
    const { target, reading } = newSession();
    const sealed = sealer.seal(target, 'meta', plain);
    expect(sealed).toHaveLength(sealHeaderBytes + 28 + plain.length);
    expect(reading.open('meta', sealed).equals(plain)).toBe(true);
    expect(() => reading.open('raw', sealed)).toThrow();
    expect(() => newSession().reading.open('meta', sealed)).toThrow();
  });

  it('needs the token, the salt and the public key: none of them alone is enough', () => {
    const sealer = new Sealer();
    const { token, target } = newSession();
    const other = newSession();
    const sealed = sealer.seal(target, 'meta', plain);
    expect(ReadingKey.ofToken(token, target).open('meta', sealed).equals(plain)).toBe(true);
    for (const wrong of [
      ReadingKey.ofToken(other.token, target),
      ReadingKey.ofToken(token, { ...target, salt: other.target.salt }),
      ReadingKey.ofToken(token, { ...target, publicKey: other.target.publicKey }),
    ]) {
      expect(() => wrong.open('meta', sealed)).toThrow();
    }
  });

  it('refuses a change of any bit and every other length', () => {
    const { target, reading } = newSession();
    const sealed = new Sealer().seal(target, 'meta', Buffer.from('x'));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      // X25519 ignores the highest bit of a public key, but the content key is bound to all of them.
      expect(() => reading.open('meta', altered)).toThrow();
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => reading.open('meta', sealed.subarray(0, length))).toThrow();
    }
    expect(() => reading.open('meta', Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow();
  });

  it('writes the header once for all chunks of a message, and can be asked again', () => {
    const sealer = new Sealer();
    const { target, reading } = newSession();
    const chunks = [Buffer.alloc(1000, 1), Buffer.alloc(1000, 2), Buffer.alloc(10, 3)];
    for (let again = 0; again < 2; again++) {
      const pieces = chunks.map((chunk) => [chunk.subarray(0, 3), chunk.subarray(3)]);
      const [first, ...others] = sealer.sealChunks(target, pieces);
      expect([first, ...others].map((one) => one?.length)).toEqual([1000 + 28 + 33, 1028, 38]);
      const header = first!.subarray(0, sealHeaderBytes);
      expect(reading.open('raw', first!).equals(chunks[0]!)).toBe(true);
      expect(others.map((one) => reading.openPart('raw', header, one))).toEqual(chunks.slice(1));
    }
  });

  it('finishes a message whose epoch ends half-way, and zeroes no key that is in use', () => {
    const sealer = new Sealer();
    const { target, reading } = newSession();
    const sealing = sealer.sealChunks(target, [[plain], [plain]]);
    const first = sealing.next().value as Buffer;
    sealer.forget();
    const second = sealing.next().value as Buffer;
    expect(reading.open('raw', first).equals(plain)).toBe(true);
    expect(reading.openPart('raw', first, second).equals(plain)).toBe(true);
  });

  it('changes its ephemeral key with the epoch, also while nothing is sealed, and opens what every epoch sealed', () => {
    vi.useFakeTimers();
    try {
      const sealer = new Sealer({ epochMs: 1000 });
      const { target, reading } = newSession();
      const sealed = [];
      for (let epoch = 0; epoch < 5; epoch++) {
        sealed.push(sealer.seal(target, 'meta', plain), sealer.seal(target, 'glance', plain));
        vi.advanceTimersByTime(1000);
      }
      const headers = new Set(sealed.map((one) => one.toString('latin1', 0, sealHeaderBytes)));
      expect(headers.size).toBe(5);
      sealed.forEach((one, at) => {
        expect(reading.open(at % 2 === 0 ? 'meta' : 'glance', one).equals(plain)).toBe(true);
      });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('opens what two nodes sealed at the same time', () => {
    const { target, reading } = newSession();
    const sealed = [new Sealer(), new Sealer()].map((node) => node.seal(target, 'meta', plain));
    expect(sealed[0]!.subarray(0, 33).equals(sealed[1]!.subarray(0, 33))).toBe(false);
    for (const one of sealed) expect(reading.open('meta', one).equals(plain)).toBe(true);
  });

  it('holds a bounded number of keys, and still seals for all', () => {
    const sealer = new Sealer({ keysMax: 2 });
    const sessions = Array.from({ length: 5 }, newSession);
    for (let round = 0; round < 2; round++) {
      for (const { target, reading } of sessions) {
        expect(reading.open('meta', sealer.seal(target, 'meta', plain)).equals(plain)).toBe(true);
      }
    }
  });
});

describe('ReadingKey', () => {
  const use = 'share 1';
  const secret = randomBytes(32);

  it('opens the same after being wrapped and unwrapped, again and again', () => {
    const { target, reading } = newSession();
    const sealed = new Sealer().seal(target, 'meta', plain);
    const again = ReadingKey.unwrap(reading.wrap({ secret, use }), { secret, use }, target);
    expect(again.open('meta', sealed).equals(plain)).toBe(true);
    const third = ReadingKey.unwrap(again.wrap({ secret, use }), { secret, use }, target);
    expect(third.open('meta', sealed).equals(plain)).toBe(true);
  });

  it('is not unwrapped with another secret or for another use', () => {
    const { target, reading } = newSession();
    const wrapped = reading.wrap({ secret, use });
    expect(() => ReadingKey.unwrap(wrapped, { secret: randomBytes(32), use }, target)).toThrow();
    expect(() => ReadingKey.unwrap(wrapped, { secret, use: 'share 2' }, target)).toThrow();
  });

  it('opens nothing of another session after being unwrapped for it', () => {
    const [one, other] = [newSession(), newSession()];
    const sealed = new Sealer().seal(other.target, 'meta', plain);
    const wrong = ReadingKey.unwrap(one.reading.wrap({ secret, use }), { secret, use }, other.target);
    expect(() => wrong.open('meta', sealed)).toThrow();
  });

  it('shows nothing of itself when printed', () => {
    const { token, reading } = newSession();
    expect(JSON.stringify(reading)).toBe('{}');
    expect(inspect(reading, { depth: 9, showHidden: true })).not.toContain(token);
  });
});
