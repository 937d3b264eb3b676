// Reads application/x-www-form-urlencoded as it arrives.

import { malformed } from '../intake.ts';
import { fieldsMax, type FindField, type FormReader } from './form-reader.ts';
import { GatheredText } from './gathered-text.ts';
import type { TextTaker } from './json-reader.ts';

const nameMaxBytes = 256;
const [percent, plus, ampersand, equals, space] = [0x25, 0x2b, 0x26, 0x3d, 0x20];

export class UrlencodedReader implements FormReader {
  readonly #find: FindField;
  #isName = true;
  #name: number[] = [];
  #taker: TextTaker | undefined;
  #fields = 0;
  readonly #gathered = new GatheredText((piece) => this.#taker?.take(piece));
  /** The digits of an escape that has begun. */
  #escape: string | undefined;

  constructor(find: FindField) {
    this.#find = find;
  }

  push(input: Buffer): void {
    for (const byte of input) {
      if (this.#escape !== undefined) this.#readEscape(byte);
      else if (byte === percent) this.#escape = '';
      else if (byte === plus) this.#add(space);
      else if (byte === ampersand) this.#endField();
      else if (byte === equals && this.#isName) this.#endName();
      else this.#add(byte);
    }
  }

  end(): void {
    if (this.#escape !== undefined) throw malformed('The form broke off.');
    this.#endField();
  }

  #readEscape(byte: number): void {
    this.#escape = (this.#escape ?? '') + String.fromCharCode(byte);
    if (this.#escape.length < 2) return;
    if (!/^[0-9A-Fa-f]{2}$/.test(this.#escape)) throw malformed('The form has an escape that is none.');
    this.#add(parseInt(this.#escape, 16));
    this.#escape = undefined;
  }

  #add(byte: number): void {
    if (this.#isName) {
      if (this.#name.length >= nameMaxBytes) throw malformed('The form has a name that is too long.');
      this.#name.push(byte);
      return;
    }
    if (this.#taker) this.#gathered.addByte(byte);
  }

  #endName(): void {
    this.#fields += 1;
    if (this.#fields > fieldsMax) throw malformed('The form has too many fields.');
    this.#taker = this.#find(Buffer.from(this.#name).toString());
    this.#name = [];
    this.#isName = false;
  }

  #endField(): void {
    if (this.#isName) {
      if (this.#name.length === 0) return;
      this.#endName();
    }
    this.#gathered.flush();
    this.#taker?.end();
    this.#taker = undefined;
    this.#isName = true;
  }
}
