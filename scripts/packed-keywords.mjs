// Packs the keyword tables of all languages when the service is bundled, and reads them from a file beside the bundle:
// building them takes a thread a third of a second, reading them some milliseconds. bundle.mjs substitutes this file
// for mail-reader's extract/keyword-tables, whose function it also exports.
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

/** Name of the file, beside each bundle that needs it. */
export const packedName = 'keywords.bin';

const kinds = { Uint8Array, Uint16Array, Int32Array };
/** Arrays begin at multiples of this, so that they can be used in place. */
const alignment = 4;
/** Length of the number before the description. */
const prefixBytes = 4;

/** @typedef {Record<string, Record<string, unknown>>} Tables */
/** @typedef {{ kind: keyof typeof kinds, start: number, length: number }} Place */

/**
 * Writes a description as JSON, then the arrays one after the other, little-endian.
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
  // Copied to an ArrayBuffer of their own, which the arrays are views of.
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

/** Replaces mail-reader's function, which has no parameter. */
export function loadKeywordTables(file = new URL(packedName, import.meta.url)) {
  return unpackKeywords(readFileSync(file));
}

/**
 * Converts between little-endian and the machine's own order, in place.
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
