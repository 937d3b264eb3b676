// Reads iconv-lite's tables directly from its files: the tables it builds for a charset take up to 90 ms, and headers
// are decoded on the main thread. A row of at most 256 characters is expanded when its first character is needed.
import { createRequire } from 'node:module';

/** Characters from a hexadecimal code on; a number stands for that many more after the last one. */
type Chunk = readonly [string, ...(string | number)[]];

const require = createRequire(import.meta.url);
const unassigned = '\ufffd';

/** A table for bytes from 0x80, or for all 256, by iconv-lite's name of the charset. */
export function decodeSingleBytes(bytes: Buffer, name: string): string {
  const chars = findSingleBytes(name);
  const first = 256 - chars.length;
  let out = '';
  for (const byte of bytes) out += byte < first ? String.fromCharCode(byte) : chars.charAt(byte - first);
  return out;
}

const singleBytes = new Map<string, string>();

function findSingleBytes(name: string): string {
  const known = singleBytes.get(name);
  if (known !== undefined) return known;
  const generated = require('iconv-lite/encodings/sbcs-data-generated.js') as Record<string, unknown>;
  const found = generated[name] ?? (require('iconv-lite/encodings/sbcs-data.js') as typeof generated)[name];
  const { chars } = found as { readonly chars: string };
  singleBytes.set(name, chars);
  return chars;
}

/** Characters of one or two bytes. */
export class PairTable {
  readonly #files: readonly string[];
  readonly #rows = new Map<number, ReadonlyMap<number, string>>();
  #chunks: Map<number, Chunk[]> | undefined;

  /** @param files names of tables without `.json`; later ones override earlier ones */
  constructor(...files: readonly string[]) {
    this.#files = files;
  }

  decode(bytes: Buffer): string {
    let out = '';
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const single = this.#row(0).get(byte);
      const pair = single === undefined ? this.#row(byte).get(bytes[at + 1] ?? -1) : undefined;
      if (pair !== undefined) at++;
      out += single ?? pair ?? unassigned;
    }
    return out;
  }

  #row(lead: number): ReadonlyMap<number, string> {
    const known = this.#rows.get(lead);
    if (known !== undefined) return known;
    const row = new Map<number, string>();
    for (const chunk of this.#readChunks().get(lead) ?? []) fillRow(row, chunk);
    this.#rows.set(lead, row);
    return row;
  }

  #readChunks(): ReadonlyMap<number, readonly Chunk[]> {
    if (this.#chunks !== undefined) return this.#chunks;
    const chunks = new Map<number, Chunk[]>();
    for (const file of this.#files) {
      for (const chunk of require(`iconv-lite/encodings/tables/${file}.json`) as Chunk[]) {
        const lead = parseInt(chunk[0], 16) >> 8;
        const row = chunks.get(lead);
        if (row === undefined) chunks.set(lead, [chunk]);
        else row.push(chunk);
      }
    }
    return (this.#chunks = chunks);
  }
}

function fillRow(row: Map<number, string>, [start, ...parts]: Chunk): void {
  let code = parseInt(start, 16) & 0xff;
  for (const part of parts) {
    if (typeof part === 'string') {
      for (const char of readCharacters(part)) row.set(code++, char);
      continue;
    }
    let last = row.get(code - 1)?.codePointAt(0) ?? 0;
    for (let left = part; left > 0; left--) row.set(code++, String.fromCodePoint(++last));
  }
}

/** U+0FF1 to U+0FFF mean that as many characters as are missing to U+1001 belong to one code. */
function* readCharacters(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const mark = text.charCodeAt(at);
    const isSequence = mark > 0xff0 && mark <= 0xfff;
    if (isSequence) at++;
    const length = isSequence ? 0xfff - mark + 2 : (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    yield text.slice(at, at + length);
    at += length;
  }
}
