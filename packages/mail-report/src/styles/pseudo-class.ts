// Pseudo-classes that depend on the tree alone. Mailpit's HTML check leaves those aside that depend on a reader, such as
// `:hover`, before it looks for elements.
import type { HtmlElement } from '../document/html-document.ts';
import type { Match, Spend } from './match.ts';
import type { SelectorText } from './selector-text.ts';

interface Place {
  readonly fromEnd: boolean;
  readonly ofType: boolean;
}

/** By name, without an argument. */
const simple: Readonly<Record<string, Match>> = {
  'first-child': (element) => countAt(element, { fromEnd: false, ofType: false }) === 1,
  'last-child': (element) => countAt(element, { fromEnd: true, ofType: false }) === 1,
  'first-of-type': (element) => countAt(element, { fromEnd: false, ofType: true }) === 1,
  'last-of-type': (element) => countAt(element, { fromEnd: true, ofType: true }) === 1,
  'only-child': (element) => siblingsOf(element, false).length === 1,
  'only-of-type': (element) => siblingsOf(element, true).length === 1,
  empty: ({ children, text }) => children.length === 0 && text.trim() === '',
  root: ({ parent }) => parent === undefined,
  input: ({ name }) => ['input', 'select', 'textarea', 'button'].includes(name),
  link: ({ name, attributes }) => ['a', 'area', 'link'].includes(name) && attributes.has('href'),
  visited: () => false,
  hover: () => false,
  active: () => false,
  focus: () => false,
  target: () => false,
};

const nth = /([+-]?\d*)n[ \t\r\n\f]*(?:([+-])[ \t\r\n\f]*(\d+))?|([+-]?\d+)|(odd|even)/iy;

interface Reading {
  /** Reads the selectors in parentheses. */
  readonly readGroup: () => Match | undefined;
  readonly spend: Spend;
}

/** Reads on from behind the colon. */
export function readPseudoClass(source: SelectorText, { readGroup, spend }: Reading): Match | undefined {
  const name = source.readIdentifier()?.toLowerCase() ?? '';
  const test = Object.hasOwn(simple, name) ? simple[name] : undefined;
  if (test !== undefined) {
    return (element) => {
      spend(name.endsWith('-of-type') ? (element.parent?.children.length ?? 0) : 1);
      return test(element);
    };
  }
  if (!source.take('(')) return undefined;
  source.skipSpace();
  if (name === 'not' || name === 'has' || name === 'haschild') {
    const inner = readGroup();
    if (inner === undefined || !source.takeClosing()) return undefined;
    if (name === 'not') return (element) => !inner(element);
    return ({ children }) => holds(children, inner, name === 'has');
  }
  const kind = /^nth-(last-)?(child|of-type)$/.exec(name);
  if (kind === null) return undefined;
  const formula = readFormula(source);
  if (formula === undefined || !source.takeClosing()) return undefined;
  const place = { fromEnd: kind[1] !== undefined, ofType: kind[2] === 'of-type' };
  const [step, start] = formula;
  return (element) => {
    spend(place.ofType ? (element.parent?.children.length ?? 0) : 1);
    const count = countAt(element, place) - start;
    return step === 0 ? count === 0 : count % step === 0 && count / step >= 0;
  };
}

function readFormula(source: SelectorText): readonly [step: number, start: number] | undefined {
  const text = source.match(nth);
  if (text === undefined) return undefined;
  const word = text.toLowerCase();
  if (word === 'odd') return [2, 1];
  if (word === 'even') return [2, 0];
  nth.lastIndex = 0;
  const [, step, sign = '+', start = '0', only] = nth.exec(text) ?? [];
  if (only !== undefined) return [0, Number(only)];
  const factor = step === undefined || step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step);
  return [factor, Number(`${sign}${start}`)];
}

function holds(children: readonly HtmlElement[], inner: Match, isDeep: boolean): boolean {
  const waiting = [...children];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (inner(next)) return true;
    if (isDeep) for (const child of next.children) waiting.push(child);
  }
  return false;
}

function siblingsOf({ parent, name }: HtmlElement, ofType: boolean): readonly HtmlElement[] {
  const all = parent?.children ?? [];
  return ofType ? all.filter((one) => one.name === name) : all;
}

/** The element's place among its siblings, from 1. */
function countAt(element: HtmlElement, { fromEnd, ofType }: Place): number {
  const all = element.parent?.children;
  if (all === undefined) return 1;
  if (!ofType) return fromEnd ? all.length - element.index : element.index + 1;
  const siblings = siblingsOf(element, true);
  const at = siblings.indexOf(element);
  return fromEnd ? siblings.length - at : at + 1;
}
