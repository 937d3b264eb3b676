// Splits a Content-Type or Content-Disposition field into the value and the names and texts of its parameters, as byte
// strings, for parameters.ts to decode. One pass. Tolerates what real senders do: missing semicolons, commas in their
// place, quotes that never close, brackets around the type.
import { readComment, readQuoted } from './address-words.ts';
import { trimAscii } from '../text/clean-text.ts';

export interface ParameterToken {
  readonly name: string;
  readonly text: string;
}

export interface ParameterTokens {
  /** `type/subtype`, or whatever single word is there; '' for none. */
  readonly value: string;
  readonly tokens: ParameterToken[];
}

const junk = /[\s,;<>"']*/y;
const mediaType = /[\w!#$&^.+-]{1,127}\s*\/\s*[\w!#$&^.+*-]{1,127}/y;
const word = /[\w!#$&^.+*-]+/y;
const parameterName = /([^\s=:;,"'(<>]+)\s*=/y;
/** After these names a colon may replace the `=`, and the semicolon before them may be missing. */
const knownName =
  /(charset|boundary|format|delsp|name|filename|type|start|report-type|protocol|micalg|method|reply-type)(\*\d{0,3}\*?)?\s*[=:]/iy;
const gap = /[\s,]+/y;
const nameless = /[^;,\s"'(<>]*/y;

/** Returns the value and the first `limit` parameters of `field`. */
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

  /** Reads up to the next `;`, or to the next known name where that is missing. */
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
        // Only where the name has surely ended: file names contain commas and spaces.
        if ((afterQuote || !isFilename || char === ',') && this.#isKnownName(space)) break;
        text += field.slice(this.#at, space);
        this.#at = space;
      } else if (char === '"') {
        text += this.#readQuoted(isFilename);
        afterQuote = true;
      } else if (char === '(' && (afterQuote || !isFilename)) {
        // Unquoted file names contain parentheses, `x (1).pdf`, although the grammar makes them comments.
        this.#at = readComment(field, this.#at).end;
      } else {
        text += char;
        this.#at++;
      }
    }
    return text;
  }

  /**
   * Reads a quoted string. An unclosed quote takes the rest of a file name; in other parameters, everything before the
   * next `;`.
   */
  #readQuoted(isFilename: boolean): string {
    const field = this.#field;
    const start = this.#at;
    const { text, end, isOpen } = readQuoted(field, start);
    this.#at = end;
    // Senders write paths, `C:\Temp\a.pdf`, and Shift JIS without escaping: a backslash escapes only specials.
    if (isFilename) {
      return field
        .slice(start + 1, isOpen === true ? end : end - 1)
        .replace(/\\([\s"\\()<>@,;:/[\]?=])/g, '$1');
    }
    if (isOpen !== true) return text;
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

  /** Returns the end of the match at `at`, or `at` if there is none. */
  #match(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#field) ? pattern.lastIndex : at;
  }
}
