// Seals what is stored of a message, in the thread that writes it: handed to the store by its address. Gives what
// service/sealed-raw.ts gives, of a message that lies in one piece.

import { sealInto, sealOverheadBytes } from './seal.mjs';

/**
 * @typedef {object} PlainDelivery
 * @property {Uint8Array} dataKey
 * @property {Uint8Array} meta
 * @property {Uint8Array} raw
 */

// Most messages are sealed into the same memory, one after another: to be rid of memory of their own would cost a
// sixth of sealing them.
const usualBytes = 16 * 1024;
const memoryOfRaw = Buffer.allocUnsafeSlow(usualBytes + sealOverheadBytes);
const memoryOfMeta = Buffer.allocUnsafeSlow(usualBytes + sealOverheadBytes);

/**
 * @param {PlainDelivery} delivery
 * @param {number} chunkBytes of `raw` in a chunk, at most
 * @returns {{ meta: Uint8Array, chunks: Uint8Array[] }} at least one chunk; good until the next call
 */
export function sealDelivery({ dataKey, meta, raw }, chunkBytes) {
  const isUsual = raw.length <= Math.min(usualBytes, chunkBytes);
  const memory = isUsual ? memoryOfRaw : undefined;
  const chunks = [];
  let at = 0;
  do {
    const plain = raw.subarray(at, at + chunkBytes);
    chunks.push(sealInto(memory, { dataKey, purpose: 'raw', plain }));
    at += chunkBytes;
  } while (at < raw.length);
  const metaMemory = meta.length <= usualBytes ? memoryOfMeta : undefined;
  return { meta: sealInto(metaMemory, { dataKey, purpose: 'meta', plain: meta }), chunks };
}
