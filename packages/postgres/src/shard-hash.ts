// Computes the hash by which Citus places a row with a key of bytes: PostgreSQL's for bytea (hash_bytes in hashfn.c, Bob Jenkins'
// lookup3). Each shard covers a range of it.

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** Signed, as in pg_dist_shard. Reads words as little-endian, like the machines that Citus runs on. */
export function hashBytes(bytes: Uint8Array): number {
  const seed = (0x9e3779b9 + bytes.length + 3_923_095) | 0;
  let [a, b, c] = [seed, seed, seed];
  let at = 0;
  for (; bytes.length - at >= 12; at += 12) {
    a = (a + readWord(bytes, at)) | 0;
    b = (b + readWord(bytes, at + 4)) | 0;
    c = (c + readWord(bytes, at + 8)) | 0;
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  a = (a + readWord(bytes, at)) | 0;
  b = (b + readWord(bytes, at + 4)) | 0;
  // The lowest byte of the last word is reserved for the length.
  c = (c + (readWord(bytes, at + 8) << 8)) | 0;
  return mixLast(a, b, c);
}

function mixLast(first: number, second: number, third: number): number {
  let [a, b, c] = [first, second, third];
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  c = (c ^ b) - rotate(b, 24);
  return c | 0;
}

/** Bytes beyond the end count as zero. */
function readWord(bytes: Uint8Array, at: number): number {
  const byte = (place: number): number => bytes[at + place] ?? 0;
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
}
