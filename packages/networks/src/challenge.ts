// A proof of work that create-session may require, in ALTCHA's format (SHA-256, version 1 of its payload), so that its
// widget and libraries can solve it. Nothing is stored until it is solved: it is signed, with its expiry in the salt. A
// solution is valid once per node. The salt has a fixed shape and ends with `&`, so that digits cannot move between the
// number and the expiry (CVE-2025-68113).

import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const challengeLifetimeSeconds = 300;

export interface Challenge {
  readonly algorithm: 'SHA-256';
  /** SHA-256 in hex of the salt and the secret number in decimal. */
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

/** `crowded`: too many were solved recently to remember another. */
export type Redemption = 'accepted' | 'malformed' | 'wrong' | 'expired' | 'used' | 'crowded';

export interface Challenges {
  issue(): Challenge;
  /** `payload`: base64 of JSON, untrusted. */
  redeem(payload: string): Redemption;
}

export interface ChallengesOptions {
  /** '' for a random one. */
  readonly secret: string;
  /** The largest number. */
  readonly difficulty: number;
  /** ms since 1970. */
  readonly clock: () => number;
  /** Solutions remembered per lifetime. */
  readonly rememberedMax?: number;
}

const payloadMaxLength = 2048;
const defaultRememberedMax = 100_000;
const saltShape = /^[0-9a-f]{24}\?expires=([1-9]\d{9})&$/;

export function createChallenges(options: ChallengesOptions): Challenges {
  const { difficulty, clock, rememberedMax = defaultRememberedMax } = options;
  const secret = options.secret === '' ? randomBytes(32) : Buffer.from(options.secret);
  const used = new UsedOnce(rememberedMax);
  return {
    issue() {
      const expires = Math.floor(clock() / 1000) + challengeLifetimeSeconds;
      const salt = `${randomBytes(12).toString('hex')}?expires=${expires}&`;
      const challenge = hash(salt, randomInt(difficulty + 1));
      return {
        algorithm: 'SHA-256',
        challenge,
        maxnumber: difficulty,
        salt,
        signature: sign(secret, challenge),
      };
    },
    redeem(payload) {
      const given = parsePayload(payload);
      const expires = Number(saltShape.exec(given?.salt ?? '')?.[1]);
      if (!given || Number.isNaN(expires)) return 'malformed';
      if (given.number > difficulty || hash(given.salt, given.number) !== given.challenge) return 'wrong';
      if (!isEqual(sign(secret, given.challenge), given.signature)) return 'wrong';
      const now = clock();
      if (expires * 1000 <= now) return 'expired';
      return used.add(given.challenge, now);
    },
  };
}

function hash(salt: string, number: number): string {
  return createHash('sha256').update(`${salt}${number}`).digest('hex');
}

function sign(secret: Buffer, challenge: string): string {
  return createHmac('sha256', secret).update(challenge).digest('hex');
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

type Payload = Pick<Challenge, 'challenge' | 'salt' | 'signature'> & { readonly number: number };

function parsePayload(text: string): Payload | undefined {
  if (text.length > payloadMaxLength || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const value = parseJson(Buffer.from(text, 'base64').toString());
  if (typeof value !== 'object' || value === null) return undefined;
  const { algorithm, challenge, number, salt, signature } = value as Record<string, unknown>;
  const isWhole = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0;
  if (algorithm !== 'SHA-256' || !isWhole || typeof salt !== 'string') return undefined;
  const isHex = (one: unknown): one is string => typeof one === 'string' && /^[0-9a-f]{64}$/.test(one);
  return isHex(challenge) && isHex(signature) ? { challenge, number, salt, signature } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Remembers solutions for one to two lifetimes, then drops all at once. */
class UsedOnce {
  readonly #max: number;
  #recent = new Set<string>();
  #older = new Set<string>();
  #turnedAt = -Infinity;

  constructor(max: number) {
    this.#max = max;
  }

  add(challenge: string, now: number): 'accepted' | 'used' | 'crowded' {
    if (now - this.#turnedAt > challengeLifetimeSeconds * 1000) {
      this.#older = this.#recent;
      this.#recent = new Set();
      this.#turnedAt = now;
    }
    // Half of the hash is sufficient.
    const name = challenge.slice(0, 32);
    if (this.#recent.has(name) || this.#older.has(name)) return 'used';
    if (this.#recent.size >= this.#max) return 'crowded';
    this.#recent.add(name);
    return 'accepted';
  }
}
