// The tables of keywords of all languages, made when the service is bundled and read from a file beside the bundle:
// making them takes a thread that reads mail a third of a second, reading them some milliseconds. bundle.mjs puts this
// file in the place of mail-reader's extract/keyword-tables, whose function it has too.
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

/** The file, beside each bundle that needs it. */
export const packedName = 'keywords.bin';

const kinds = { Uint8Array, Uint16Array, Int32Array };
/** Every array begins at a multiple of it, so that it can be used where it lies. */
const alignment = 4;
/** Bytes that tell how long the description is. */
const prefixBytes = 4;

/** @typedef {Record<string, Record<string, unknown>>} Tables */
/** @typedef {{ kind: keyof typeof kinds, start: number, length: number }} Place */

/**
 * A description as JSON, then the arrays one after the other, little-endian.
 * @param {object} tables each an object of typed arrays and plain data
 * @returns {Buffer}
 */
export function packKeywords(tables) {
  /** @type {Buffer[]} */
  const pieces = [];
  let end = 0;
  const description = JSON.stringify(tables, (_, value) => {
    if (!ArrayBuffer.isView(value)) return value;
    const array = /** @type {Uint8Array | Uint16Array | Int32Array} */ (value);
    const bytes = toLittleEndian(
      Buffer.from(Buffer.from(array.buffer, array.byteOffset, array.byteLength)),
      array,
    );
    const place = { kind: array.constructor.name, start: end, length: array.length };
    pieces.push(bytes, Buffer.alloc(toAligned(bytes.length) - bytes.length));
    end += toAligned(bytes.length);
    return { place };
  });
  const text = Buffer.from(description);
  const head = Buffer.alloc(toAligned(prefixBytes + text.length), ' ');
  head.writeUInt32LE(head.length - prefixBytes);
  text.copy(head, prefixBytes);
  return Buffer.concat([head, ...pieces]);
}

/**
 * @param {Buffer} packed
 * @returns {Tables}
 */
function unpackKeywords(packed) {
  // An ArrayBuffer of its own: arrays are views of it.
  const bytes = new Uint8Array(packed);
  const arraysAt = prefixBytes + packed.readUInt32LE();
  return JSON.parse(packed.toString('utf8', prefixBytes, arraysAt), (_, value) => {
    if (typeof value !== 'object' || value === null || !('place' in value)) return value;
    const { kind, start, length } = /** @type {Place} */ (value.place);
    const array = new kinds[kind](bytes.buffer, arraysAt + start, length);
    toLittleEndian(Buffer.from(array.buffer, array.byteOffset, array.byteLength), array);
    return array;
  });
}

/** In the place of mail-reader's, which has no parameter. */
export function loadKeywordTables(file = new URL(packedName, import.meta.url)) {
  return unpackKeywords(readFileSync(file));
}

/**
 * From the machine's own order or to it, in place.
 * @param {Buffer} bytes
 * @param {{ BYTES_PER_ELEMENT: number }} array
 */
function toLittleEndian(bytes, array) {
  const width = array.BYTES_PER_ELEMENT;
  if (endianness() === 'LE' || width === 1) return bytes;
  return width === 2 ? bytes.swap16() : bytes.swap32();
}

/** @param {number} length */
function toAligned(length) {
  return Math.ceil(length / alignment) * alignment;
}
