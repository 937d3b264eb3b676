// The counterparts of Web Push for tests: a push service on loopback that records what it receives, and a browser's
// keys, which decrypt it by RFC 8291 and check the sender's signature by RFC 8292, in independent code.

import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { serveForTest } from './local-server.ts';

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PushService {
  readonly origin: string;
  readonly received: ReceivedPush[];
  /** The response to each further request. */
  answer: { status: number; retryAfter?: string };
}

export async function startPushService(): Promise<PushService> {
  const port = await serveForTest((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      service.received.push({ path, headers, body: Buffer.concat(pieces) });
      const { status, retryAfter } = service.answer;
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
    });
  });
  const service: PushService = {
    origin: `http://127.0.0.1:${port}`,
    received: [],
    answer: { status: 201 },
  };
  return service;
}

export interface PushBrowser {
  /** Returns what `PushManager.subscribe()` would give for the endpoint. */
  subscription(endpoint: string): { endpoint: string; p256dh: string; auth: string };
  /** Returns the text of a push message. @throws Error when it is not for this browser */
  decrypt(body: Buffer): string;
}

export function createPushBrowser(): PushBrowser {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: (endpoint) => ({
      endpoint,
      p256dh: keys.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
    }),
    decrypt: (body) => {
      const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)];
      const about = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
      const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, about, 32));
      const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
      const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-16));
      const padded = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
      return padded.subarray(0, padded.lastIndexOf(2)).toString();
    },
  };
}

/** Returns the claims of a request's Authorization field. @throws Error unless the public key signed them */
export function readVapid(field: string, publicKey: string): { aud: string; exp: number; sub: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(field) ?? [];
  if (key !== publicKey) throw new Error('Another key signed.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const [header = '', claims = '', signature = ''] = token.split('.');
  const verifier = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const;
  const isGood = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    verifier,
    Buffer.from(signature, 'base64url'),
  );
  if (!isGood) throw new Error('The signature is wrong.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number; sub: string };
}
