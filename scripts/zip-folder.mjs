// Writes a folder as a zip archive, always the same for the same files: for the stores of browser extensions, which take
// nothing else.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';

/** 1 January 1980, the first date that the format knows. */
const date = 0x21;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** @param {Uint8Array} bytes */
export function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {number} bytes written
 */
export function zipFolder(folder, file) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let at = 0;
  for (const name of names) {
    const bytes = readFileSync(path.join(folder, name));
    const [packed = Buffer.of()] = [3, 4, 5, 6, 7, 8, 9]
      .map((memLevel) => deflateRawSync(bytes, { level: 9, memLevel }))
      .sort((one, other) => one.length - other.length);
    const encoded = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt16LE(date, 8);
    fields.writeUInt32LE(checksum(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(encoded.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const entry = [Buffer.from('PK\x03\x04', 'latin1'), fields, encoded, packed];
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, place, encoded);
    parts.push(...entry);
    at += entry.reduce((sum, part) => sum + part.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  const archive = Buffer.concat([...parts, listed, end]);
  writeFileSync(file, archive);
  return archive.length;
}
