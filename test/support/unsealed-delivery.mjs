// In the place of secrets/seal-delivery.mjs where a test wants to find what it stored.

/**
 * @param {{ readonly meta: Uint8Array, readonly raw: Uint8Array }} plain
 * @param {number} chunkBytes
 */
export function sealDelivery({ meta, raw }, chunkBytes) {
  const chunks = [raw.subarray(0, chunkBytes)];
  for (let at = chunkBytes; at < raw.length; at += chunkBytes) chunks.push(raw.subarray(at, at + chunkBytes));
  return { meta, chunks };
}
