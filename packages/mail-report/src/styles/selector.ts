// Selectors of style sheets, read and matched as by Mailpit's HTML check: those that it does not know match nothing.
import type { HtmlElement } from '../document/html-document.ts';
import { type AttributeTest, readAttributeTest } from './attribute-test.ts';
import type { Match, Spend } from './match.ts';
import { readPseudoClass } from './pseudo-class.ts';
import { SelectorText } from './selector-text.ts';

interface Compound {
  readonly tests: readonly Match[];
  /** The combinator before it; undefined for the first. */
  readonly combinator: string | undefined;
}

/** Groups within groups, as in `:not(:not(a))`. */
const depthMax = 100;

/** Returns undefined for a selector that is invalid or not known. */
export function readSelector(text: string, spend: Spend): Match | undefined {
  const reader = new SelectorReader(new SelectorText(text), spend);
  return reader.read();
}

class SelectorReader {
  readonly #source: SelectorText;
  readonly #spend: Spend;

  constructor(source: SelectorText, spend: Spend) {
    this.#source = source;
    this.#spend = spend;
  }

  read(): Match | undefined {
    const match = this.#readGroup(0);
    return this.#source.isAtEnd ? match : undefined;
  }

  #readGroup(depth: number): Match | undefined {
    if (depth > depthMax) return undefined;
    const members: Match[] = [];
    do {
      const member = this.#readComplex(depth);
      if (member === undefined) return undefined;
      members.push(member);
    } while (this.#source.take(','));
    const [only] = members;
    return members.length === 1 ? only : (element) => members.some((match) => match(element));
  }

  #readComplex(depth: number): Match | undefined {
    this.#source.skipSpace();
    const compounds: Compound[] = [];
    for (let combinator: string | undefined; ;) {
      const tests = this.#readCompound(depth);
      if (tests === undefined) return undefined;
      compounds.push({ tests, combinator });
      const hasSpace = this.#source.skipSpace();
      const next = this.#source.peek();
      if (next === '+' || next === '>' || next === '~') {
        this.#source.take(next);
        this.#source.skipSpace();
        combinator = next;
      } else if (!hasSpace || next === '' || next === ',' || next === ')') {
        return toMatch(compounds, this.#spend);
      } else combinator = ' ';
    }
  }

  #readCompound(depth: number): Match[] | undefined {
    const tests: Match[] = [];
    const first = this.#source.peek();
    if (first === '') return undefined;
    if (first === '*') this.#source.take('*');
    else if (!'#.[:'.includes(first)) {
      const name = this.#source.readIdentifier()?.toLowerCase();
      if (name === undefined) return undefined;
      tests.push((element) => element.name === name);
    }
    for (;;) {
      const test = this.#readSimple(depth);
      if (test === 'none') return tests;
      if (test === undefined) return undefined;
      tests.push(test);
    }
  }

  #readSimple(depth: number): Match | 'none' | undefined {
    if (this.#source.take('#')) {
      const id = this.#source.readName();
      return id === undefined ? undefined : (element) => element.attributes.get('id') === id;
    }
    if (this.#source.take('.')) {
      const name = this.#source.readIdentifier();
      return name === undefined ? undefined : (element) => hasWord(element.attributes.get('class'), name);
    }
    if (this.#source.take('[')) {
      const test = readAttributeTest(this.#source);
      return test && ((element) => passes(element, test));
    }
    if (!this.#source.take(':')) return 'none';
    return readPseudoClass(this.#source, { readGroup: () => this.#readGroup(depth + 1), spend: this.#spend });
  }
}

function passes(element: HtmlElement, { name, test, ofAbsent }: AttributeTest): boolean {
  const value = element.attributes.get(name);
  return value === undefined ? ofAbsent : test(value);
}

function hasWord(list: string | undefined, word: string): boolean {
  if (list === undefined || !list.includes(word)) return false;
  return list === word || list.split(/[ \t\r\n\f]/).includes(word);
}

function toMatch(compounds: readonly Compound[], spend: Spend): Match {
  const isMatch = (element: HtmlElement, at: number): boolean => {
    spend(1);
    const compound = compounds[at];
    if (compound === undefined || !compound.tests.every((test) => test(element))) return false;
    switch (compound.combinator) {
      case undefined:
        return true;
      case '>':
        return element.parent !== undefined && isMatch(element.parent, at - 1);
      case '+': {
        const before = element.parent?.children[element.index - 1];
        return before !== undefined && isMatch(before, at - 1);
      }
      case '~':
        spend(element.index);
        return element.parent?.children.slice(0, element.index).some((one) => isMatch(one, at - 1)) === true;
      default: {
        for (let up = element.parent; up !== undefined; up = up.parent) if (isMatch(up, at - 1)) return true;
        return false;
      }
    }
  };
  return (element) => isMatch(element, compounds.length - 1);
}
