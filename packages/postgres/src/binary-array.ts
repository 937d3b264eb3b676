// Encodes arrays in PostgreSQL's binary form (array_recv), which carries raw bytes unchanged: the text form doubles
// each byte, and quadruples it for a bytea inside an array. Pure.

/** OIDs of the element types (pg_type.dat). */
const oids = { bytea: 17, int8: 20, int4: 23 } as const;
const headerBytes = 20;
const nullLength = 0xffffffff;

function createHeader(
  target: Buffer,
  oid: number,
  items: { readonly count: number; readonly hasNull: boolean },
) {
  // An empty array has no dimension.
  target.writeInt32BE(items.count === 0 ? 0 : 1, 0);
  target.writeInt32BE(items.hasNull ? 1 : 0, 4);
  target.writeInt32BE(oid, 8);
  if (items.count === 0) return;
  target.writeInt32BE(items.count, 12);
  target.writeInt32BE(1, 16);
}

/** `bytea[]`. */
export function toByteaArray(items: readonly (Uint8Array | null)[]): Buffer {
  if (items.length === 0) return emptyArray(oids.bytea);
  let size = headerBytes;
  for (const item of items) size += 4 + (item?.length ?? 0);
  const encoded = Buffer.allocUnsafe(size);
  createHeader(encoded, oids.bytea, { count: items.length, hasNull: items.includes(null) });
  let at = headerBytes;
  for (const item of items) {
    at = encoded.writeUInt32BE(item?.length ?? nullLength, at);
    if (!item) continue;
    encoded.set(item, at);
    at += item.length;
  }
  return encoded;
}

/** `integer[]`. */
export function toInt4Array(items: readonly number[]): Buffer {
  if (items.length === 0) return emptyArray(oids.int4);
  const encoded = Buffer.allocUnsafe(headerBytes + items.length * 8);
  createHeader(encoded, oids.int4, { count: items.length, hasNull: false });
  let at = headerBytes;
  for (const item of items) {
    at = encoded.writeUInt32BE(4, at);
    at = encoded.writeInt32BE(item, at);
  }
  return encoded;
}

/** `bigint[]`. */
export function toInt8Array(items: readonly (number | bigint)[]): Buffer {
  if (items.length === 0) return emptyArray(oids.int8);
  const encoded = Buffer.allocUnsafe(headerBytes + items.length * 12);
  createHeader(encoded, oids.int8, { count: items.length, hasNull: false });
  let at = headerBytes;
  for (const item of items) {
    at = encoded.writeUInt32BE(8, at);
    at = encoded.writeBigInt64BE(BigInt(item), at);
  }
  return encoded;
}

function emptyArray(oid: number): Buffer {
  const encoded = Buffer.alloc(12);
  createHeader(encoded, oid, { count: 0, hasNull: false });
  return encoded;
}
