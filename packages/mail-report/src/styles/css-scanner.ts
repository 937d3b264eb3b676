// Splits CSS into tokens, as the scanner does that Mailpit's HTML check is built on (CSS 2.1 §4.1.1), so that both read
// the same declarations. Linear: no token is scanned twice.

export type CssTokenKind =
  | 'ident'
  | 'keyword'
  | 'string'
  | 'hash'
  | 'number'
  | 'function'
  | 'url'
  | 'space'
  | 'comment'
  | 'comparison'
  | 'char'
  /** `^=` and `$=`, which only selectors have. */
  | 'edge'
  | 'mark'
  | 'end';

export interface CssToken {
  readonly kind: CssTokenKind;
  readonly text: string;
}

const end: CssToken = { kind: 'end', text: '' };
const space = /[ \t\n]+/y;
const numeric = /(?:[0-9]*\.[0-9]+|[0-9]+)/y;
const range = /U\+[0-9A-F?]{1,6}(?:-[0-9A-F]{1,6})?/y;
const simple = new Set(':,;%&+=>()[]{}');
const comparisons: Readonly<Record<string, { readonly text: string; readonly kind: CssTokenKind }>> = {
  '~': { text: '~=', kind: 'comparison' },
  '|': { text: '|=', kind: 'comparison' },
  '*': { text: '*=', kind: 'comparison' },
  '^': { text: '^=', kind: 'edge' },
  $: { text: '$=', kind: 'edge' },
  '<': { text: '<!--', kind: 'mark' },
};

export class CssScanner {
  readonly #css: string;
  #at = 0;

  constructor(css: string) {
    this.#css = css.replaceAll(/\r\n?|\f/g, '\n').replaceAll('\0', '\ufffd');
  }

  /** Returns `end` for ever at the end, and where a string or a comment is not closed. */
  next(): CssToken {
    const css = this.#css;
    const at = this.#at;
    const first = css[at];
    if (first === undefined) return end;
    if (first === ' ' || first === '\t' || first === '\n') {
      return this.#take('space', matchEnd(space, css, at));
    }
    if (simple.has(first)) return this.#take('char', at + 1);
    if (first === '"' || first === "'") return this.#closed('string', stringEnd(css, at));
    if (first === '/' && css[at + 1] === '*') {
      const close = css.indexOf('*/', at + 2);
      return this.#closed('comment', close < 0 ? -1 : close + 2);
    }
    const compared = comparisons[first];
    if (compared !== undefined) {
      return css.startsWith(compared.text, at)
        ? this.#take(compared.kind, at + compared.text.length)
        : this.#take('char', at + 1);
    }
    return this.#nextWord(first, at);
  }

  #nextWord(first: string, at: number): CssToken {
    const css = this.#css;
    if (first === '#') {
      const close = nameEnd(css, at + 1);
      return close > at + 1 ? this.#take('hash', close) : this.#take('char', at + 1);
    }
    if (first === '@') {
      const close = identEnd(css, at + 1);
      return close > 0 ? this.#take('keyword', close) : this.#take('char', at + 1);
    }
    if (first === 'u') {
      const close = urlEnd(css, at);
      if (close > 0) return this.#take('url', close);
    }
    const close = identEnd(css, at);
    if (close > 0 && css[close] === '(') return this.#take('function', close + 1);
    if (first === 'U') {
      const rangeClose = matchEnd(range, css, at);
      if (rangeClose > 0) return this.#take('number', rangeClose);
    }
    if (close > 0) return this.#take('ident', close);
    const digits = matchEnd(numeric, css, at);
    if (digits > 0) {
      const unit = identEnd(css, digits);
      if (unit > 0) return this.#take('number', unit);
      return this.#take('number', css[digits] === '%' ? digits + 1 : digits);
    }
    if (css.startsWith('-->', at)) return this.#take('mark', at + 3);
    return this.#take('char', at + ((css.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
  }

  #take(kind: CssTokenKind, to: number): CssToken {
    const text = this.#css.slice(this.#at, to);
    this.#at = to;
    return { kind, text };
  }

  #closed(kind: CssTokenKind, to: number): CssToken {
    if (to >= 0) return this.#take(kind, to);
    this.#at = this.#css.length;
    return end;
  }
}

/** Returns -1 when it does not match there. */
function matchEnd(expression: RegExp, css: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(css) ? expression.lastIndex : -1;
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** Returns the end of the escape whose backslash is at `at`, or -1. */
function escapeEnd(css: string, at: number): number {
  let to = at + 1;
  while (to < css.length && to < at + 7 && isHex(css.charCodeAt(to))) to += 1;
  if (to > at + 1) return /[ \t\n]/.test(css[to] ?? '') ? to + 1 : to;
  const code = css.charCodeAt(to);
  return code >= 0x20 && code !== 0x7f ? to + 1 : -1;
}

/** The end of the characters of a name, perhaps none. */
function nameEnd(css: string, at: number): number {
  let to = at;
  for (;;) {
    const code = css.charCodeAt(to);
    if (isNameStart(code) || code === 45 || (code >= 48 && code <= 57)) to += 1;
    else if (code === 92) {
      const close = escapeEnd(css, to);
      if (close < 0) return to;
      to = close;
    } else return to;
  }
}

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 0x80;
}

/** Returns -1 when there is no identifier. */
function identEnd(css: string, at: number): number {
  const start = css[at] === '-' ? at + 1 : at;
  const code = css.charCodeAt(start);
  if (isNameStart(code)) return nameEnd(css, start + 1);
  if (code !== 92) return -1;
  const close = escapeEnd(css, start);
  return close < 0 ? -1 : nameEnd(css, close);
}

/** Returns -1 when the string is not closed, or has characters that a string cannot have. */
function stringEnd(css: string, at: number): number {
  const quote = css[at];
  for (let to = at + 1; to < css.length;) {
    const char = css[to];
    if (char === quote) return to + 1;
    if (char === '\\') {
      if (css[to + 1] === '\n') to += 2;
      else {
        const close = escapeEnd(css, to);
        if (close < 0) return -1;
        to = close;
      }
    } else if (char !== undefined && char < ' ') return -1;
    else to += 1;
  }
  return -1;
}

/** The scanner knows `url(` in lower case alone. Returns -1 when it is a function like any other. */
function urlEnd(css: string, at: number): number {
  if (!css.startsWith('url(', at)) return -1;
  let to = skipSpace(css, at + 4);
  if (css[to] === '"' || css[to] === "'") {
    const close = stringEnd(css, to);
    if (close < 0) return -1;
    to = skipSpace(css, close);
    return css[to] === ')' ? to + 1 : -1;
  }
  for (;;) {
    const char = css[to];
    if (char === ')') return to + 1;
    if (char === undefined || char === '"' || char === "'" || char < ' ') return -1;
    if (char === ' ' || char === '\t' || char === '\n') {
      const after = skipSpace(css, to);
      return css[after] === ')' ? after + 1 : -1;
    }
    if (char === '\\') {
      const close = escapeEnd(css, to);
      if (close < 0) return -1;
      to = close;
    } else to += 1;
  }
}

function skipSpace(css: string, at: number): number {
  let to = at;
  while (css[to] === ' ' || css[to] === '\t' || css[to] === '\n') to += 1;
  return to;
}
