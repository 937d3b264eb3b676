// An attacker with every byte on disk: tries each sequence as a key of what is sealed, and searches for what was in the
// mail. Knows the formats (docs/sealed-mail.md) and all labels. Used by the tests of what the disk reveals.

import { createCipheriv, createHmac, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto';

import { openSealed } from '#sealing/seal';
import { deriveServerKey } from '#sealing/server-key';

const keyBytes = 32;
const blockBytes = 16;
const nonceBytes = 12;
/** Nonce and tag. */
const sealOverheadBytes = nonceBytes + 16;
/** The version and the ephemeral public key. */
const sealHeaderBytes = 1 + 32;
/** The beginnings of what is sealed for a session, and of the tests' mail. */
const beginnings = ['{"senderN', '{"preview', '{"outcome', '{"authent', 'From: Att', 'Received:'].map(
  (text) => Buffer.from(text),
);

/** The first bytes of the beginnings: that of JSON, and those of mail exclusive or with it. */
const firsts = { brace: 0x7b, from: 0x7b ^ 0x46, received: 0x7b ^ 0x52 } as const;

/** As many blocks as stay in the processor's cache while one key after the other is tried on them. */
const groupTargets = 2048;

interface TargetGroup {
  readonly first: number;
  readonly counters: Buffer;
  /** The first byte of each head, exclusive or with `{`. */
  readonly braces: Uint8Array;
}

/** Sealed bytes of sessions. AES-GCM is AES in counter mode: the first block of a plaintext shows whether a key fits. */
export class SealedTargets {
  readonly #groups: readonly TargetGroup[];
  readonly #heads: readonly Buffer[];
  readonly opened = new Set<number>();

  constructor(blobs: readonly Uint8Array[]) {
    const places = placesOf(blobs.map((blob) => Buffer.from(blob)));
    const counters = places.map(({ blob, at }) =>
      Buffer.concat([blob.subarray(at, at + nonceBytes), Buffer.from([0, 0, 0, 2])]),
    );
    this.#heads = places.map(({ blob, at }) =>
      blob.subarray(at + sealOverheadBytes, at + sealOverheadBytes + 9),
    );
    this.#groups = Array.from({ length: Math.ceil(places.length / groupTargets) }, (_, group) => {
      const [first, end] = [group * groupTargets, (group + 1) * groupTargets];
      return {
        first,
        counters: Buffer.concat(counters.slice(first, end)),
        braces: Uint8Array.from(this.#heads.slice(first, end), (head) => (head[0] ?? 0) ^ firsts.brace),
      };
    });
  }

  get count(): number {
    return this.#heads.length;
  }

  tryKeys(keys: readonly Uint8Array[]): void {
    for (const group of this.#groups) for (const key of keys) this.#try(key, group);
  }

  #try(key: Uint8Array, { first, counters, braces }: TargetGroup): void {
    const stream = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(counters);
    // A plain loop: hundreds of thousands of keys are tried on tens of thousands of blocks.
    for (let at = 0; at < braces.length; at++) {
      const byte = (braces[at] ?? 0) ^ (stream[at * blockBytes] ?? 0);
      if (byte !== 0 && byte !== firsts.from && byte !== firsts.received) continue;
      this.#compare(first + at, stream.subarray(at * blockBytes));
    }
  }

  #compare(target: number, stream: Buffer): void {
    const plain = this.#heads[target]?.map((byte, at) => byte ^ (stream[at] ?? 0));
    if (plain && beginnings.some((text) => text.equals(plain))) this.opened.add(target);
  }
}

/** Returns where the nonces may be: behind the header of a first part, which others share, else at either place. */
function placesOf(blobs: readonly Buffer[]): readonly { readonly blob: Buffer; readonly at: number }[] {
  const counts = new Map<string, number>();
  const headerOf = (blob: Buffer): string => blob.toString('latin1', 0, sealHeaderBytes);
  for (const blob of blobs) counts.set(headerOf(blob), (counts.get(headerOf(blob)) ?? 0) + 1);
  return blobs.flatMap((blob) => {
    const places = (counts.get(headerOf(blob)) ?? 0) > 1 ? [sealHeaderBytes] : [0, sealHeaderBytes];
    return places
      .filter((at) => blob.length >= at + sealOverheadBytes + blockBytes)
      .map((at) => ({ blob, at }));
  });
}

/** Yields every 32 bytes at any place that could be a key: those of few different values are passed over. */
export function* windowsOf(bytes: Buffer): Generator<Buffer> {
  const counts = new Uint8Array(256);
  let distinct = 0;
  for (let end = 0; end < bytes.length; end++) {
    const added = bytes[end] ?? 0;
    counts[added] = (counts[added] ?? 0) + 1;
    if (counts[added] === 1) distinct += 1;
    if (end < keyBytes - 1) continue;
    if (distinct >= 14) yield bytes.subarray(end + 1 - keyBytes, end + 1);
    const removed = bytes[end + 1 - keyBytes] ?? 0;
    counts[removed] = (counts[removed] ?? 0) - 1;
    if (counts[removed] === 0) distinct -= 1;
  }
}

/** Yields the keys that follow from a secret by the service's labels. */
export function* derivedKeys(secret: Uint8Array, sessions: readonly Uint8Array[]): Generator<Buffer> {
  for (const label of ['mayfly reading key 1', 'mayfly sealed mail 1', 'mayfly ticket']) {
    yield hkdf(secret, '', label);
    yield createHmac('sha256', secret).update(label).digest();
  }
  for (const use of ['share', 'ticket', '']) {
    yield createHmac('sha256', secret).update(`mayfly wrapped reading key 1 ${use}`).digest();
  }
  for (const session of sessions) {
    for (const use of ['password', 'push', 'webhook', 'webhook content'] as const) {
      yield deriveServerKey(secret, use, session);
    }
    yield hkdf(secret, session, 'mayfly reading key 1');
    yield createHmac('sha256', secret).update(session).digest();
  }
}

/** Returns how many candidates are private halves of the public keys. */
export function countPrivateKeys(
  candidates: Iterable<Uint8Array>,
  publicKeys: readonly Uint8Array[],
): number {
  const known = new Set(publicKeys.map((key) => Buffer.from(key).toString('hex')));
  let count = 0;
  for (const seed of candidates) if (known.has(toPublicKey(seed))) count += 1;
  return count;
}

function toPublicKey(seed: Uint8Array): string {
  const d = Buffer.from(seed).toString('base64url');
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', d, x: '' } });
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
}

function hkdf(secret: Uint8Array, salt: Uint8Array | string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, keyBytes));
}

/** Reports whether a key opens the bytes as what `purpose` says. */
export function doesOpen(
  key: Uint8Array,
  purpose: Parameters<typeof openSealed>[1],
  sealed: Uint8Array,
): boolean {
  try {
    openSealed(key, purpose, sealed);
    return true;
  } catch {
    return false;
  }
}

/** Texts that begin alike are looked for together. */
const stemChars = { M: 6, Q: 5, m: 3 } as const;

/**
 * Returns the texts found in the bytes, as they are, in base64 at any offset, in hex or in UTF-16. Each begins with
 * `Marker`, `mf_` or, for a code, `QZ84-`.
 */
export function findTexts(files: ReadonlyMap<string, Buffer>, texts: readonly string[]): string[] {
  const byStem = new Map<string, string[]>();
  for (const text of texts) {
    const stem = text.slice(0, stemChars[text[0] as keyof typeof stemChars]);
    byStem.set(stem, [...(byStem.get(stem) ?? []), text]);
  }
  const found: string[] = [];
  for (const [stem, alike] of byStem) {
    const stems = spellings(stem);
    for (const [name, content] of files) {
      const ways = new Set(stems.filter(([, bytes]) => content.includes(bytes)).map(([how]) => how));
      if (ways.size === 0) continue;
      for (const text of alike) {
        for (const [how, bytes] of spellings(text)) {
          if (ways.has(how) && content.includes(bytes)) found.push(`${text} (${how}) in ${name}`);
        }
      }
    }
  }
  return found;
}

function spellings(text: string): readonly (readonly [string, Buffer])[] {
  const plain = Buffer.from(text);
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), plain])
      .toString('base64')
      .replace(/=+$/, '');
    // Without the characters that also depend on the neighbours.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1);
  });
  return [
    ['plain', plain],
    ['UTF-16LE', Buffer.from(text, 'utf16le')],
    ['UTF-16BE', Buffer.from(text, 'utf16le').swap16()],
    ['hex', Buffer.from(plain.toString('hex'))],
    ...base64.map((encoded) => ['base64', Buffer.from(encoded)] as const),
  ];
}
