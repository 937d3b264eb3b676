// Mail of honest and dishonest senders, signed by mailauth's signer, and the zone that authenticates it.

import { createHash, generateKeyPairSync, type KeyObject, sign as cryptoSign } from 'node:crypto';

import { sealMessage } from 'mailauth/lib/arc/index.js';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';

export interface SigningKey {
  readonly privateKey: string;
  /** The text of the key's DNS record. */
  readonly record: string;
}

function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function createRsaKey(bits = 2048): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey: toPem(privateKey), record: `v=DKIM1; k=rsa; p=${der.toString('base64')}` };
}

export function createEd25519Key(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const raw = der.subarray(der.length - 32).toString('base64');
  return { privateKey: toPem(privateKey), record: `v=DKIM1; k=ed25519; p=${raw}` };
}

/** A message with CRLF line ends. */
export function mailFrom(from: string, body = 'Hello,\r\n\r\nyour code is 123456.\r\n'): string {
  return `From: ${from}\r\nTo: you@mayfly.test\r\nSubject: Your code\r\nDate: Sat, 21 Nov 2026 08:00:00 +0000\r\nMessage-ID: <${Math.random()}@client.test>\r\n\r\n${body}`;
}

export interface Signature {
  readonly domain: string;
  readonly selector: string;
  readonly key: SigningKey;
  readonly canonicalization?: string;
  readonly algorithm?: string;
  readonly expires?: Date;
  /** Bytes of the body covered by the signature. */
  readonly maxBodyLength?: number;
  /** Names of the signed fields, separated by colons. */
  readonly headerList?: string;
}

/** Returns the message with a signature in front. */
export async function sign(raw: string, signature: Signature): Promise<string> {
  const { domain, selector, key, algorithm = 'rsa-sha256', maxBodyLength, headerList, expires } = signature;
  const signed = await dkimSign(Buffer.from(raw), {
    canonicalization: signature.canonicalization ?? 'relaxed/relaxed',
    algorithm,
    signTime: new Date(Date.now() - 3600_000),
    ...(expires ? { expires } : {}),
    ...(headerList === undefined ? {} : { headerList }),
    signatureData: [
      {
        signingDomain: domain,
        selector,
        privateKey: key.privateKey,
        algorithm,
        ...(maxBodyLength === undefined ? {} : { maxBodyLength }),
      },
    ],
  } as unknown as Parameters<typeof dkimSign>[1]);
  if (signed.errors.length > 0) throw new Error('The message could not be signed.', { cause: signed.errors });
  return signed.signatures + raw;
}

/** Returns the message with the first link of an ARC chain in front. */
export async function seal(raw: string, { domain, selector, key }: Signature): Promise<string> {
  const fields = await sealMessage(Buffer.from(raw), {
    signingDomain: domain,
    selector,
    privateKey: key.privateKey,
    authResults: `${domain}; spf=pass smtp.mailfrom=client.test`,
    cv: 'none',
  } as Parameters<typeof sealMessage>[1]);
  return fields.toString() + raw;
}

/**
 * Makes signatures that mailauth's signer would refuse: names occur in `headerList` more often than in the message, so
 * that no field can be added (RFC 6376 §5.4.2). For bodies without white space at line ends, and RSA keys.
 */
export function signAbsent(raw: string, signature: Signature & { readonly headerList: string }): string {
  const { domain, selector, key, headerList } = signature;
  const [header = '', body = ''] = raw.split(/(?<=\r\n)\r\n(.*)/s);
  const fields = header.match(/[^\r\n]+(?:\r\n[ \t][^\r\n]*)*/g) ?? [];
  const relaxed = (field: string): string =>
    field.replace(/^([^:]*):\s*/, (_, name: string) => `${name.toLowerCase()}:`).replace(/\s+/g, ' ');
  const signed = headerList.split(':').flatMap((name) => {
    const at = fields.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at < 0 ? [] : fields.splice(at, 1).map(relaxed);
  });
  const hash = createHash('sha256').update(body).digest('base64');
  const unsigned = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector}; h=${headerList}; bh=${hash}; b=`;
  const text = [...signed, relaxed(unsigned).trimEnd()].join('\r\n');
  return `${unsigned}${cryptoSign('sha256', Buffer.from(text), key.privateKey).toString('base64')}\r\n${raw}`;
}
