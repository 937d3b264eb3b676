// Reads JSON as it arrives, without ever holding more than a name: the caller says, for each text by its path, where its
// bytes go. What a provider sends is one large text among many small members.

import { malformed } from '../intake.ts';
import { JsonString } from './json-string.ts';

/** Receives the decoded bytes of one text, in UTF-8; `end` is called after its last. */
export interface TextTaker {
  take(piece: Buffer): void;
  end(): void;
}

/**
 * Returns where the text goes at this path, such as `receipt.recipients[]`; undefined to skip it. May throw what `push`
 * is to throw.
 */
export type FindTaker = (path: string) => TextTaker | undefined;

type State = 'value' | 'first element' | 'first name' | 'name' | 'colon' | 'after' | 'text' | 'literal';

interface Level {
  readonly isArray: boolean;
  readonly path: string;
}

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

const depthMax = 32;
const nameMaxBytes = 256;
const literalMaxChars = 64;
/** Names, values and separators: many times what a provider sends. */
const tokensMax = 200_000;
const literal = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

export class JsonReader {
  readonly #find: FindTaker;
  readonly #leaveAt: (path: string) => void;
  readonly #levels: Level[] = [];
  #state: State = 'value';
  #text: JsonString | undefined;
  #onTextEnd: () => void = () => undefined;
  #literal = '';
  #path = '';
  #tokens = 0;
  #isDone = false;

  /** @param leave called with the path of each object and list that ends */
  constructor(find: FindTaker, leave: (path: string) => void = () => undefined) {
    this.#find = find;
    this.#leaveAt = leave;
  }

  /** @throws InboundRefusal */
  push(input: Buffer): void {
    for (let at = 0; at < input.length;) {
      if (this.#state === 'text') at = this.#pushText(input, at);
      else if (this.#state === 'literal') at = this.#pushLiteral(input, at);
      else {
        this.#pushToken(input[at] ?? 0);
        at += 1;
      }
    }
  }

  /** @throws InboundRefusal when the JSON is not complete */
  end(): void {
    if (this.#state === 'literal') this.#endLiteral();
    if (!this.#isDone) throw malformed('The JSON broke off.');
  }

  #pushText(input: Buffer, at: number): number {
    const end = this.#text?.push(input, at) ?? -1;
    if (end === -1) return input.length;
    this.#text = undefined;
    this.#onTextEnd();
    return end;
  }

  #pushLiteral(input: Buffer, at: number): number {
    let end = at;
    while (end < input.length && !isDelimiter(input[end] ?? 0)) end += 1;
    this.#literal += input.toString('latin1', at, Math.min(end, at + literalMaxChars + 1));
    if (this.#literal.length > literalMaxChars) throw malformed('The JSON has a value that is none.');
    if (end < input.length) this.#endLiteral();
    return end;
  }

  #endLiteral(): void {
    if (!literal.test(this.#literal)) throw malformed('The JSON has a value that is none.');
    this.#literal = '';
    this.#endValue();
  }

  #pushToken(byte: number): void {
    if (isSpace(byte)) return;
    this.#tokens += 1;
    if (this.#tokens > tokensMax) throw malformed('The JSON has too many members.');
    if (this.#isDone) throw malformed('The JSON goes on after its end.');
    switch (this.#state) {
      case 'first element':
        if (byte === closeBracket) this.#leave();
        else this.#startValue(byte);
        return;
      case 'value':
        this.#startValue(byte);
        return;
      case 'first name':
        if (byte === closeBrace) this.#leave();
        else this.#startName(byte);
        return;
      case 'name':
        this.#startName(byte);
        return;
      case 'colon':
        if (byte !== colon) throw malformed('The JSON lacks a colon.');
        this.#state = 'value';
        return;
      default:
        this.#afterValue(byte);
    }
  }

  #startValue(byte: number): void {
    if (byte === quote) this.#startText();
    else if (byte === openBrace || byte === openBracket) this.#enter(byte === openBracket);
    else {
      this.#literal = String.fromCharCode(byte);
      this.#state = 'literal';
    }
  }

  #startText(): void {
    const taker = this.#find(this.#path);
    this.#text = new JsonString(
      taker &&
        ((piece) => {
          taker.take(piece);
        }),
    );
    this.#onTextEnd = () => {
      taker?.end();
      this.#endValue();
    };
    this.#state = 'text';
  }

  #startName(byte: number): void {
    if (byte !== quote) throw malformed('The JSON lacks a name.');
    const pieces: Buffer[] = [];
    let bytes = 0;
    this.#text = new JsonString((piece) => {
      bytes += piece.length;
      if (bytes > nameMaxBytes) throw malformed('The JSON has a name that is too long.');
      pieces.push(piece);
    });
    this.#onTextEnd = () => {
      const parent = this.#levels.at(-1)?.path ?? '';
      const name = Buffer.concat(pieces).toString();
      this.#path = parent === '' ? name : `${parent}.${name}`;
      this.#state = 'colon';
    };
    this.#state = 'text';
  }

  #enter(isArray: boolean): void {
    if (this.#levels.length >= depthMax) throw malformed('The JSON is too deep.');
    const path = isArray ? `${this.#path}[]` : this.#path;
    this.#levels.push({ isArray, path });
    this.#path = path;
    this.#state = isArray ? 'first element' : 'first name';
  }

  #leave(): void {
    const level = this.#levels.pop();
    if (level) this.#leaveAt(level.path);
    this.#endValue();
  }

  #endValue(): void {
    this.#isDone = this.#levels.length === 0;
    this.#state = 'after';
  }

  #afterValue(byte: number): void {
    const level = this.#levels.at(-1);
    if (byte === comma) {
      this.#path = level?.path ?? '';
      this.#state = level?.isArray === true ? 'value' : 'name';
    } else if (byte === (level?.isArray === true ? closeBracket : closeBrace)) this.#leave();
    else throw malformed('The JSON lacks a comma.');
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return isSpace(byte) || byte === comma || byte === closeBrace || byte === closeBracket;
}

/** Keeps one short text; refuses a second one at the same place. */
export class ShortText implements TextTaker {
  readonly #bytesMax: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #value: string | undefined;

  constructor(bytesMax = 2048) {
    this.#bytesMax = bytesMax;
  }

  get value(): string | undefined {
    return this.#value;
  }

  take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#value !== undefined || this.#bytes > this.#bytesMax) {
      throw malformed('A member is there twice, or too long.');
    }
    this.#pieces.push(piece);
  }

  end(): void {
    if (this.#value !== undefined) throw malformed('A member is there twice, or too long.');
    this.#value = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
  }
}

/** Keeps one text, unless it is long. */
export class ShortOrNone implements TextTaker {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** Undefined when the text is long, or there was none. */
  get value(): string | undefined {
    return this.#bytes > 2048 || this.#pieces.length === 0
      ? undefined
      : Buffer.concat(this.#pieces).toString();
  }

  take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > 2048) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  end(): void {
    // The reader asks for the value when the whole object is there.
  }
}

/** Keeps the short texts of a list. */
export class ShortTexts implements TextTaker {
  readonly #max: number;
  readonly #values: string[] = [];
  #current = new ShortText();

  constructor(max: number) {
    this.#max = max;
  }

  get values(): readonly string[] {
    return this.#values;
  }

  take(piece: Buffer): void {
    this.#current.take(piece);
  }

  end(): void {
    this.#current.end();
    if (this.#values.length >= this.#max) throw malformed('A list is too long.');
    this.#values.push(this.#current.value ?? '');
    this.#current = new ShortText();
  }
}
