// A cursor over the text of a selector, for the parts that read names, strings and numbers.

const space = /[ \t\r\n\f]+/y;
const identifier = /-*(?:[a-z_\u0080-\uffff]|\\[^\r\n\f])(?:[a-z0-9_\u0080-\uffff-]|\\[^\r\n\f])*/iy;
const name = /(?:[a-z0-9_\u0080-\uffff-]|\\[^\r\n\f])+/iy;
const quoted = /"(?:[^"\\\r\n\f]|\\[^])*"|'(?:[^'\\\r\n\f]|\\[^])*'/y;
const escape = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\r\n\f])|([^]))/gi;

export class SelectorText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character; '' at the end. */
  peek(): string {
    return this.#text[this.#at] ?? '';
  }

  take(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Returns whether there was any. */
  skipSpace(): boolean {
    return this.match(space) !== undefined;
  }

  match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  readIdentifier(): string | undefined {
    return unescape(this.match(identifier));
  }

  readName(): string | undefined {
    return unescape(this.match(name));
  }

  readString(): string | undefined {
    return unescape(this.match(quoted)?.slice(1, -1));
  }

  /** Takes the parenthesis, with white space around it. */
  takeClosing(): boolean {
    this.skipSpace();
    return this.take(')');
  }
}

function unescape(text: string | undefined): string | undefined {
  if (text?.includes('\\') !== true) return text;
  return text.replaceAll(escape, (_whole, hex?: string, line?: string, char?: string) => {
    if (hex !== undefined) {
      const code = Number.parseInt(hex, 16);
      return code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code);
    }
    return line === undefined ? (char ?? '') : '';
  });
}
