// The key by which a service carries out a call once, and ids that are the same whenever it comes. Pure.

import { createHash } from 'node:crypto';

import type { OnceKey } from '../compose.ts';

/** Returns undefined without a key. @param body as it was sent */
export function toOnceKey(key: string | undefined, body: Uint8Array): OnceKey | undefined {
  if (key === undefined || key === '') return undefined;
  return { key, payload: createHash('sha256').update(body).digest('base64url') };
}

/** Returns a UUID for the message at this place of the call in this inbox. */
export function onceId({ key, payload }: OnceKey, inbox: string, place: number): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([inbox, key, payload, place]))
    .digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
