// Reads CSS selectors once and compares them with elements, for style-rules. A state that a message does not have when
// opened, such as :hover, never matches; an unknown pseudo-class counts as matching, so that rules that hide by it
// apply.
import * as cssTree from 'css-tree';

import { PlainElement } from '../sanitise/plain-dom/plain-element.ts';
import type { PlainNode } from '../sanitise/plain-dom/plain-node.ts';

type Test = (element: PlainElement, takeStep: () => void) => boolean;

/** The conditions for one element, and its relation to the one before. */
export interface Part {
  readonly tests: readonly Test[];
  /** Combinator between the previous part and this one; undefined for the first. */
  readonly combinator: string | undefined;
}

interface ReadSelector {
  readonly parts: readonly Part[];
  readonly specificity: number;
  /** Which of the element's pseudo-elements it selects; undefined for the element itself. */
  readonly pseudoElement: string | undefined;
  /** Whether it has a condition that this reader does not know, and takes to be met. */
  readonly isDoubtful: boolean;
  /** The key under which style-rules finds it. */
  readonly key: string;
}

const never: ReadonlySet<string> = new Set(
  (
    'hover active focus focus-visible focus-within visited target checked disabled enabled indeterminate invalid valid ' +
    'required optional read-only read-write placeholder-shown default in-range out-of-range fullscreen modal popover-open'
  ).split(' '),
);

/** Returns undefined for a selector that matches no element, such as a state that nothing is in. */
export function readSelector(selector: cssTree.Selector): ReadSelector | undefined {
  const parts: { tests: Test[]; combinator: string | undefined }[] = [{ tests: [], combinator: undefined }];
  let specificity = 0;
  let key = '*';
  let isDead = false;
  let isDoubtful = false;
  let pseudoElement: string | undefined;
  selector.children.forEach((node) => {
    const pseudo = readPseudoElement(node);
    if (pseudo !== undefined) {
      pseudoElement = pseudo;
      return;
    }
    if (node.type === 'Combinator') {
      parts.push({ tests: [], combinator: node.name.trim() });
      key = '*';
      return;
    }
    const read = readSimple(node);
    if (read === undefined) {
      isDead = true;
      return;
    }
    parts.at(-1)?.tests.push(read.test);
    isDoubtful ||= read.isDoubtful === true;
    specificity += read.weight;
    if (read.key !== undefined && (key === '*' || !/^[.#]/.test(key))) ({ key } = read);
  });
  return isDead ? undefined : { parts, specificity, key, pseudoElement, isDoubtful };
}

/** The oldest may be written with one colon. */
function readPseudoElement(node: cssTree.CssNode): string | undefined {
  if (node.type === 'PseudoElementSelector') return node.name.toLowerCase();
  if (node.type !== 'PseudoClassSelector') return undefined;
  const name = node.name.toLowerCase();
  return /^(?:before|after|first-line|first-letter)$/.test(name) ? name : undefined;
}

/** @throws what `takeStep` throws */
export function matchSelector(element: PlainElement, parts: readonly Part[], takeStep: () => void): boolean {
  return matchFrom(element, parts, { at: parts.length - 1, takeStep });
}

interface Place {
  readonly at: number;
  readonly takeStep: () => void;
}

function matchFrom(element: PlainElement, parts: readonly Part[], { at, takeStep }: Place): boolean {
  takeStep();
  const part = parts[at];
  if (part === undefined || !part.tests.every((test) => test(element, takeStep))) return false;
  if (at === 0) return true;
  const next = { at: at - 1, takeStep };
  const step = part.combinator === '+' || part.combinator === '~' ? previousElement : parentElement;
  const isAdjacent = part.combinator === '>' || part.combinator === '+';
  for (let other = step(element); other !== undefined; other = isAdjacent ? undefined : step(other)) {
    if (matchFrom(other, parts, next)) return true;
  }
  return false;
}

interface Simple {
  readonly test: Test;
  readonly weight: number;
  readonly key?: string;
  readonly isDoubtful?: boolean;
}

const weights = { id: 1e6, class: 1e3, type: 1 };

function readSimple(node: cssTree.CssNode): Simple | undefined {
  switch (node.type) {
    case 'TypeSelector': {
      const name = decode(node.name).toLowerCase().replace(/^.*\|/, '');
      if (name === '*') return { test: () => true, weight: 0 };
      return { test: (element) => element.name === name, weight: weights.type, key: name };
    }
    case 'ClassSelector': {
      const name = decode(node.name);
      return { test: (element) => classesOf(element).includes(name), weight: weights.class, key: `.${name}` };
    }
    case 'IdSelector': {
      const id = decode(node.name);
      return { test: (element) => element.getAttribute('id') === id, weight: weights.id, key: `#${id}` };
    }
    case 'AttributeSelector':
      return { test: readAttributeTest(node), weight: weights.class };
    case 'PseudoClassSelector':
      return readPseudoClass(node);
    default:
      return undefined;
  }
}

function readAttributeTest({ name, matcher, value, flags }: cssTree.AttributeSelector): Test {
  const attribute = decode(name.name).toLowerCase();
  const fold = (text: string): string => (flags?.toLowerCase() === 'i' ? text.toLowerCase() : text);
  const wanted = fold(value === null ? '' : value.type === 'String' ? value.value : decode(value.name));
  return (element) => {
    const raw = element.getAttribute(attribute);
    if (raw === null) return false;
    const found = fold(raw);
    switch (matcher) {
      case null:
        return true;
      case '=':
        return found === wanted;
      case '~=':
        return found.split(/\s+/).includes(wanted);
      case '|=':
        return found === wanted || found.startsWith(`${wanted}-`);
      case '^=':
        return wanted !== '' && found.startsWith(wanted);
      case '$=':
        return wanted !== '' && found.endsWith(wanted);
      case '*=':
        return wanted !== '' && found.includes(wanted);
      default:
        return false;
    }
  };
}

function readPseudoClass(node: cssTree.PseudoClassSelector): Simple | undefined {
  const name = node.name.toLowerCase();
  const weight = weights.class;
  if (never.has(name)) return undefined;
  const child = node.children?.first;
  if (name === 'matches' || name === 'any' || name === '-webkit-any' || name === '-moz-any') {
    return { test: () => true, weight, isDoubtful: true };
  }
  if (name === 'not' || name === 'is' || name === 'where') {
    const lists = child?.type === 'SelectorList' ? child.children.toArray() : [];
    const choices = lists.flatMap((each) => (each.type === 'Selector' ? (readSelector(each) ?? []) : []));
    const isUnknown =
      choices.some((choice) => choice.isDoubtful) || (name !== 'not' && choices.length < lists.length);
    const matchesOne: Test = (element, takeStep) =>
      choices.some(({ parts }) => matchSelector(element, parts, takeStep));
    const own = name === 'where' ? 0 : Math.max(0, ...choices.map(({ specificity }) => specificity));
    if (isUnknown) return { test: () => true, weight: own, isDoubtful: true };
    return {
      test: name === 'not' ? (element, takeStep) => !matchesOne(element, takeStep) : matchesOne,
      weight: own,
    };
  }
  const isLink: Test = (element) => element.name === 'a' && element.hasAttribute('href');
  const tests: Readonly<Record<string, Test>> = {
    root: (element) => element.name === 'html',
    link: isLink,
    'any-link': isLink,
    empty: (element) => element.first === null,
    'first-child': (element) => previousElement(element) === undefined,
    'last-child': (element) => nextElement(element) === undefined,
    'only-child': (element) => previousElement(element) === undefined && nextElement(element) === undefined,
  };
  const test = tests[name];
  return test === undefined ? { test: () => true, weight, isDoubtful: true } : { test, weight };
}

function classesOf(element: PlainElement): string[] {
  return (element.getAttribute('class') ?? '').split(/\s+/);
}

function decode(name: string): string {
  return name.includes('\\') ? cssTree.ident.decode(name) : name;
}

function parentElement({ parent }: PlainNode): PlainElement | undefined {
  return parent instanceof PlainElement ? parent : undefined;
}

function previousElement(node: PlainNode): PlainElement | undefined {
  let at = node.previous;
  while (at !== null && !(at instanceof PlainElement)) at = at.previous;
  return at ?? undefined;
}

function nextElement(node: PlainNode): PlainElement | undefined {
  let at = node.next;
  while (at !== null && !(at instanceof PlainElement)) at = at.next;
  return at ?? undefined;
}
