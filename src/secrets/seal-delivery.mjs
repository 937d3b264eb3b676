// Seals what is stored of a message, in the thread that writes it: handed to the store by its address. Gives what
// service/sealed-raw.ts gives, of a message that lies in one piece.

import { sealBytes } from './seal.mjs';

/**
 * @typedef {object} PlainDelivery
 * @property {Uint8Array} dataKey
 * @property {Uint8Array} meta
 * @property {Uint8Array} raw
 */

/**
 * @param {PlainDelivery} delivery
 * @param {number} chunkBytes of `raw` in a chunk, at most
 * @returns {{ meta: Uint8Array, chunks: Uint8Array[] }} at least one chunk
 */
export function sealDelivery({ dataKey, meta, raw }, chunkBytes) {
  const chunks = [];
  let at = 0;
  do {
    chunks.push(sealBytes(dataKey, 'raw', raw.subarray(at, at + chunkBytes)));
    at += chunkBytes;
  } while (at < raw.length);
  return { meta: sealBytes(dataKey, 'meta', meta), chunks };
}
