// Computes CSS lengths with arithmetic: calc(), min(), max() and clamp(), as far as the units are known. Time is linear
// in the text, and nesting is bounded.
import { type LengthBasis, parseLength } from './css-length.ts';

interface Value {
  readonly amount: number;
  readonly isLength: boolean;
}

const token =
  /\s*(?:(-?[a-z][a-z-]*)\(|([()*/,]|[+-](?![\d.]))|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3}(?![a-z]))?(?:[a-z]+|%)?)|([+-]))/gy;
const depthMax = 16;

/** Returns pixels; undefined for what it does not understand. */
export function computeLength(text: string, basis: LengthBasis): number | undefined {
  const trimmed = text.trim();
  if (!/^(?:calc|min|max|clamp|-webkit-calc)\(/.test(trimmed)) return parseLength(trimmed, basis);
  const tokens = toTokens(trimmed);
  if (tokens === undefined) return undefined;
  const reader = new Reader(tokens, basis);
  const value = reader.readFactor(0);
  return value !== undefined && reader.isAtEnd && (value.isLength || value.amount === 0)
    ? value.amount
    : undefined;
}

function toTokens(text: string): string[] | undefined {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const { lastIndex } = token;
    const match = token.exec(text);
    if (match === null) return /^\s*$/.test(text.slice(lastIndex)) ? tokens : undefined;
    const [, name, sign, number, lone] = match;
    tokens.push(name === undefined ? (sign ?? number ?? lone ?? '') : `${name}(`);
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #basis: LengthBasis;
  #at = 0;

  constructor(tokens: readonly string[], basis: LengthBasis) {
    this.#tokens = tokens;
    this.#basis = basis;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  readFactor(depth: number): Value | undefined {
    const next = this.#tokens[this.#at];
    if (next === undefined || depth > depthMax) return undefined;
    this.#at += 1;
    if (next === '(' || next.endsWith('(')) return this.#readFunction(next.slice(0, -1), depth + 1);
    const number = /^[+-]?[\d.]+(?:e[+-]?\d+)?$/.test(next) ? Number(next) : undefined;
    if (number !== undefined) return { amount: number, isLength: false };
    const amount = parseLength(next, this.#basis);
    return amount === undefined ? undefined : { amount, isLength: true };
  }

  #readFunction(name: string, depth: number): Value | undefined {
    const values: Value[] = [];
    do {
      const value = this.#readSum(depth);
      if (value === undefined) return undefined;
      values.push(value);
    } while (this.#take(','));
    if (!this.#take(')')) return undefined;
    const amounts = values.map(({ amount }) => amount);
    const isLength = values.some((value) => value.isLength);
    const [first = 0, middle, last] = amounts;
    switch (name) {
      case '':
      case 'calc':
      case '-webkit-calc':
        return amounts.length === 1 ? { amount: first, isLength } : undefined;
      case 'min':
        return { amount: Math.min(...amounts), isLength };
      case 'max':
        return { amount: Math.max(...amounts), isLength };
      case 'clamp':
        if (middle === undefined || last === undefined) return undefined;
        return { amount: Math.max(first, Math.min(middle, last)), isLength };
      default:
        return undefined;
    }
  }

  #readSum(depth: number): Value | undefined {
    let sum = this.#readProduct(depth);
    while (sum !== undefined) {
      const sign = this.#take('+') ? 1 : this.#take('-') ? -1 : 0;
      if (sign === 0) return sum;
      const next = this.#readProduct(depth);
      if (next === undefined) return undefined;
      sum = { amount: sum.amount + sign * next.amount, isLength: sum.isLength || next.isLength };
    }
    return undefined;
  }

  #readProduct(depth: number): Value | undefined {
    let product = this.readFactor(depth);
    while (product !== undefined) {
      const isTimes = this.#take('*');
      if (!isTimes && !this.#take('/')) return product;
      const next = this.readFactor(depth);
      if (next === undefined || (!isTimes && next.amount === 0)) return undefined;
      const amount = isTimes ? product.amount * next.amount : product.amount / next.amount;
      product = { amount, isLength: product.isLength || next.isLength };
    }
    return undefined;
  }

  #take(wanted: string): boolean {
    if (this.#tokens[this.#at] !== wanted) return false;
    this.#at += 1;
    return true;
  }
}
