// Text that only this service can have written, for one use and until an instant. It is not secret: its holder can
// read it, so it must not carry what the holder may not know.

import { createHmac, timingSafeEqual } from 'node:crypto';

const lengthMax = 1024;

interface Signed<C> {
  readonly c: C;
  /** ms since 1970. */
  readonly e: number;
}

/** @param use tells texts of one use from those of another */
export function signText(secret: Uint8Array, use: string, content: object, endsAt: number): string {
  const signed: Signed<object> = { c: content, e: endsAt };
  const body = Buffer.from(JSON.stringify(signed)).toString('base64url');
  return `${body}.${macOf(secret, use, body).toString('base64url')}`;
}

/** Returns the content of an untrusted text; undefined for one that was not signed for the use, or has ended. */
export function openText<C extends object>(
  { secret, use, now }: { readonly secret: Uint8Array; readonly use: string; readonly now: number },
  text: string,
): (C & { readonly endsAt: number }) | undefined {
  const match = text.length <= lengthMax && /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(text);
  if (!match) return undefined;
  const [, body = '', mac = ''] = match;
  const wanted = Buffer.from(macOf(secret, use, body).toString('base64url'));
  if (!timingSafeEqual(wanted, Buffer.from(mac))) return undefined;
  const { c, e } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Signed<C>;
  return e > now ? { ...c, endsAt: e } : undefined;
}

function macOf(secret: Uint8Array, use: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`${use}\n${body}`).digest();
}
