// Takes a Content-Type or Content-Disposition field apart: the value, then names and texts, as byte strings. Used by
// parameters, which decodes them. One pass. What real senders leave out or add is put up with: semicolons that are
// missing or commas in their place, quotes that never close, brackets around the type.
import { readComment, readQuoted } from './address-words.ts';
import { trimAscii } from '../text/trim-ascii.ts';

export interface ParameterToken {
  readonly name: string;
  readonly text: string;
}

export interface ParameterTokens {
  /** `type/subtype`, or the one word that stands there; '' for none. */
  readonly value: string;
  readonly tokens: ParameterToken[];
}

const junk = /[\s,;<>"']*/y;
const mediaType = /[\w!#$&^.+-]{1,127}\s*\/\s*[\w!#$&^.+*-]{1,127}/y;
const word = /[\w!#$&^.+*-]+/y;
const parameterName = /([^\s=:;,"'(<>]+)\s*=/y;
/** After these the `=` may be a colon, and before them the semicolon may be missing. */
const knownName =
  /(charset|boundary|format|delsp|name|filename|type|start|report-type|protocol|micalg|method|reply-type)(\*\d{0,3}\*?)?\s*[=:]/iy;
const gap = /[\s,]+/y;
const nameless = /[^;,\s"'(<>]*/y;

/** Names and texts of `field`, the first `limit` of them. */
export function splitParameters(field: string, limit: number): ParameterTokens {
  return new Splitter(field).run(limit);
}

class Splitter {
  readonly #field: string;
  #at = 0;

  constructor(field: string) {
    this.#field = field;
  }

  run(limit: number): ParameterTokens {
    const value = this.#readValue();
    const tokens: ParameterToken[] = [];
    while (tokens.length < limit) {
      this.#skipJunk();
      if (this.#at >= this.#field.length) break;
      const name = this.#readName();
      if (name === undefined) this.#take(nameless);
      else tokens.push({ name, text: trimAscii(this.#readText(name)) });
    }
    return { value, tokens };
  }

  #readValue(): string {
    this.#skipJunk();
    const type = this.#take(mediaType).replace(/\s+/g, '');
    if (type !== '' || this.#isKnownName(this.#at)) return type;
    return this.#take(word);
  }

  #skipJunk(): void {
    for (;;) {
      this.#take(junk);
      if (this.#field.charAt(this.#at) !== '(') return;
      this.#at = readComment(this.#field, this.#at).end;
    }
  }

  #readName(): string | undefined {
    const pattern = this.#isKnownName(this.#at) ? knownName : parameterName;
    const text = this.#take(pattern);
    return text === '' ? undefined : text.slice(0, -1).trimEnd();
  }

  /** Up to the next `;`, or to the name that follows where that is missing. */
  #readText(name: string): string {
    const field = this.#field;
    const isFilename = /^(?:file)?name\b/i.test(name);
    let text = '';
    let afterQuote = false;
    while (this.#at < field.length) {
      const char = field.charAt(this.#at);
      if (char === ';') break;
      const space = this.#match(gap, this.#at);
      if (space > this.#at) {
        // Only where the name is surely over: names of files hold commas and spaces.
        if ((afterQuote || !isFilename || char === ',') && this.#isKnownName(space)) break;
        text += field.slice(this.#at, space);
        this.#at = space;
      } else if (char === '"') {
        text += this.#readQuoted(isFilename);
        afterQuote = true;
      } else if (char === '(' && (afterQuote || !isFilename)) {
        // Unquoted names of files do hold parentheses, `x (1).pdf`, though the grammar makes them comments.
        this.#at = readComment(field, this.#at).end;
      } else {
        text += char;
        this.#at++;
      }
    }
    return text;
  }

  /** A quote that never closes takes the rest of a name, and of anything else what comes before the next `;`. */
  #readQuoted(isFilename: boolean): string {
    const field = this.#field;
    const start = this.#at;
    const { text, end } = readQuoted(field, start);
    this.#at = end;
    const isClosed = end - start > 1 && field.charAt(end - 1) === '"';
    if (isClosed || isFilename) return text;
    const semicolon = field.indexOf(';', start);
    this.#at = semicolon < 0 ? field.length : semicolon;
    return field.slice(start + 1, this.#at);
  }

  #isKnownName(at: number): boolean {
    return this.#match(knownName, at) > at;
  }

  #take(pattern: RegExp): string {
    const start = this.#at;
    this.#at = this.#match(pattern, start);
    return this.#field.slice(start, this.#at);
  }

  /** Where the match at `at` ends; `at` when there is none. */
  #match(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#field) ? pattern.lastIndex : at;
  }
}
