// An authenticator in software, with the part of the browser that speaks to it: makes credentials without attestation and
// signs in with them. What it says can be bent, for tests of refusals.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Options {
  readonly challenge: string;
}

interface RegistrationOptions extends Options {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface SignInOptions extends Options {
  readonly rpId: string;
}

/** All that differs from an honest authenticator in an honest browser. */
export interface Bent {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly format?: string;
  readonly statement?: readonly (readonly [string, Cbor])[];
  /** Signs with another key. */
  readonly signsWrongly?: boolean;
}

type Cbor = number | string | Uint8Array | readonly Cbor[] | CborMap;
type CborMap = ReadonlyMap<number | string, Cbor>;

export interface SoftwarePasskey {
  /** Its answer to `begin-passkey`, as JSON. */
  readonly registration: string;
  /** Its answer to `begin-passkey-sign-in`, as JSON. */
  signIn(options: object, bent?: Bent): string;
}

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

/** @param origin of the page, as the browser knows it */
export function createPasskey(given: object, origin: string, bent: Bent = {}): SoftwarePasskey {
  const options = given as RegistrationOptions;
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(20);
  let counter = bent.counter ?? 1;
  const data = Buffer.concat([
    head(bent.rpId ?? options.rp.id, attested | flagsOf(bent), counter),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    encode(coseOf(keys.publicKey)),
  ]);
  const attestation = new Map<string, Cbor>([
    ['fmt', bent.format ?? 'none'],
    ['attStmt', new Map(bent.statement ?? [])],
    ['authData', data],
  ]);
  const registration = answer(id, {
    clientDataJSON: clientData('webauthn.create', options, origin, bent),
    attestationObject: encode(attestation),
  });
  return {
    registration: JSON.stringify({ ...registration, response: { ...registration.response, transports } }),
    signIn(asked, bending = {}) {
      const { rpId, ...rest } = asked as SignInOptions;
      counter = bending.counter ?? counter + 1;
      const authenticatorData = head(bending.rpId ?? rpId, flagsOf(bending), counter);
      const clientDataJSON = clientData('webauthn.get', rest, origin, bending);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
      const key =
        bending.signsWrongly === true
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
          : keys.privateKey;
      const userHandle = Buffer.from(bending.userHandle ?? options.user.id, 'base64url');
      const signature = sign('sha256', signed, key);
      return JSON.stringify(answer(id, { clientDataJSON, authenticatorData, signature, userHandle }));
    },
  };
}

const transports = ['internal', 'somewhere'];

function answer(id: Buffer, fields: Readonly<Record<string, Buffer>>) {
  const texts = Object.entries(fields).map(([name, bytes]) => [name, bytes.toString('base64url')] as const);
  const text = id.toString('base64url');
  return {
    id: text,
    rawId: text,
    type: 'public-key',
    response: Object.fromEntries(texts),
    clientExtensionResults: {},
  };
}

function clientData(type: string, { challenge }: Options, origin: string, bent: Bent): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: bent.type ?? type,
      challenge: bent.challenge ?? challenge,
      origin: bent.origin ?? origin,
      crossOrigin: bent.crossOrigin ?? false,
    }),
  );
}

function flagsOf({ isPresent = true, isVerified = true }: Bent): number {
  return (isPresent ? present : 0) | (isVerified ? verified : 0);
}

function head(rpId: string, flags: number, counter: number): Buffer {
  const end = Buffer.alloc(5);
  end[0] = flags;
  end.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), end]);
}

/** ES256 (RFC 9053 §2.1, RFC 9052 §7). */
function coseOf(key: KeyObject): CborMap {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
}

/** RFC 8949, as far as it is needed. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? start(1, -1 - value) : start(0, value);
  if (typeof value === 'string') return withStart(3, Buffer.from(value));
  if (value instanceof Uint8Array) return withStart(2, value);
  if (value instanceof Map) {
    const entries = [...(value as CborMap)].flatMap(([name, one]) => [encode(name), encode(one)]);
    return Buffer.concat([start(5, value.size), ...entries]);
  }
  const items = value as readonly Cbor[];
  return Buffer.concat([start(4, items.length), ...items.map(encode)]);
}

function withStart(major: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([start(major, bytes.length), bytes]);
}

function start(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
