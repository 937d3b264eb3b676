// Reads multipart/form-data (RFC 7578) as it arrives. Holds back only what may be the beginning of a boundary.

import { malformed } from '../intake.ts';
import { fieldsMax, type FindField, type FormReader } from './form-reader.ts';
import type { TextTaker } from './json-reader.ts';

const headersMaxBytes = 8 * 1024;
const headersEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

type State = 'preamble' | 'after boundary' | 'headers' | 'content' | 'done';

export class MultipartReader implements FormReader {
  readonly #find: FindField;
  readonly #delimiter: Buffer;
  #state: State = 'preamble';
  /** The first boundary may stand at the very beginning, without a line end before it. */
  #held: Buffer = lineEnd;
  #taker: TextTaker | undefined;
  #parts = 0;

  constructor(boundary: string, find: FindField) {
    this.#find = find;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  push(input: Buffer): void {
    if (this.#state === 'done') return;
    let data = this.#held.length > 0 ? Buffer.concat([this.#held, input]) : input;
    for (;;) {
      const rest = this.#step(data);
      if (rest === undefined) break;
      data = rest;
    }
  }

  end(): void {
    if (this.#state !== 'done') throw malformed('The form broke off.');
  }

  /** Takes what it can; returns what is left, or undefined when more must come. */
  #step(data: Buffer): Buffer | undefined {
    switch (this.#state) {
      case 'preamble':
      case 'content':
        return this.#readContent(data);
      case 'after boundary':
        return this.#readBoundaryEnd(data);
      case 'headers':
        return this.#readHeaders(data);
      case 'done':
        this.#held = Buffer.alloc(0);
        return undefined;
    }
  }

  #hold(data: Buffer): undefined {
    this.#held = data;
    return undefined;
  }

  #readContent(data: Buffer): Buffer | undefined {
    const at = data.indexOf(this.#delimiter);
    if (at === -1) {
      const free = Math.max(0, data.length - this.#delimiter.length + 1);
      this.#emit(data.subarray(0, free));
      return this.#hold(data.subarray(free));
    }
    this.#emit(data.subarray(0, at));
    if (this.#state === 'content') this.#taker?.end();
    this.#taker = undefined;
    this.#state = 'after boundary';
    return data.subarray(at + this.#delimiter.length);
  }

  #emit(piece: Buffer): void {
    if (piece.length > 0 && this.#state === 'content') this.#taker?.take(piece);
  }

  #readBoundaryEnd(data: Buffer): Buffer | undefined {
    if (data.length < 2) return this.#hold(data);
    if (data[0] === 0x2d && data[1] === 0x2d) {
      this.#state = 'done';
      return data.subarray(2);
    }
    const at = data.indexOf(lineEnd);
    const padding = data.subarray(0, at === -1 ? data.length : at);
    // White space may follow a boundary (RFC 2046 §5.1.1).
    if (padding.length > 1000 || /[^ \t\r]/.test(padding.toString('latin1'))) {
      throw malformed('The form has a boundary that is none.');
    }
    if (at === -1) return this.#hold(data);
    this.#state = 'headers';
    // With the line end, so that a part without header fields ends like one with.
    return data.subarray(at);
  }

  #readHeaders(data: Buffer): Buffer | undefined {
    const at = data.indexOf(headersEnd);
    if (at > headersMaxBytes || (at === -1 && data.length > headersMaxBytes)) {
      throw malformed('The form has a part with too long a header.');
    }
    if (at === -1) return this.#hold(data);
    this.#parts += 1;
    if (this.#parts > fieldsMax) throw malformed('The form has too many fields.');
    this.#taker = this.#find(nameOf(data.toString('utf8', 0, at)));
    this.#state = 'content';
    // An empty content is followed by the boundary's own line end.
    return data.subarray(at + headersEnd.length);
  }
}

/** One parameter after another, so that none is looked for in the value of another. */
const parameter = /[ \t]*;[ \t]*([a-z*]{1,20})=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/giy;

/** Returns the name of a part; '' when it has none, which no field is called. */
function nameOf(headers: string): string {
  const disposition = /\r\ncontent-disposition:[ \t]*form-data([^\r]*)/i.exec(headers)?.[1] ?? '';
  for (const [, key = '', quoted, plain = ''] of disposition.matchAll(parameter)) {
    if (key.toLowerCase() === 'name') return quoted?.replace(/\\(.)/g, '$1') ?? plain;
  }
  return '';
}
