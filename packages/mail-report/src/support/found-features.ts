// Finds which features of HTML and CSS a document uses, and how often, by the tests of feature-tests.ts.
import type { HtmlDocument, HtmlElement } from '../document/html-document.ts';
import { type InlinedStyles, inlineStyles } from '../styles/inlined-styles.ts';
import type { Match } from '../styles/match.ts';
import { readSelector } from '../styles/selector.ts';
import {
  attributeTests,
  bodyFeature,
  closedBody,
  declared,
  elementTests,
  pictureTests,
  propertyTests,
  sheetTests,
  styleTests,
  unitTests,
} from './feature-tests.ts';

/** Where a feature was found first. */
export type FirstUse =
  | { readonly kind: 'element'; readonly element: HtmlElement; readonly attribute?: string }
  /** An offset in the text of a style sheet. */
  | { readonly kind: 'sheet'; readonly element: HtmlElement; readonly offset: number };

export interface FoundFeature {
  readonly count: number;
  readonly first: FirstUse | undefined;
}

export interface FoundFeatures {
  readonly features: ReadonlyMap<string, FoundFeature>;
  /** Scripts that are not only data. */
  readonly scripts: FoundFeature;
  readonly inlined: InlinedStyles;
}

const elementMatches = Object.entries(elementTests).map(([slug, selector]) => ({
  slug,
  match: toMatch(selector),
}));
const scriptMatch = toMatch('script:not([type="application/ld+json"]):not([type="application/json"])');

/** These selectors are short and our own. */
function toMatch(selector: string): Match {
  const match = readSelector(selector, () => undefined);
  if (match === undefined) throw new Error(`${selector} is not a selector`);
  return match;
}

class Counter {
  readonly #found = new Map<string, { count: number; first: FirstUse | undefined }>();

  add(slug: string, count: number, first: FirstUse | undefined): void {
    if (count === 0) return;
    const known = this.#found.get(slug);
    if (known === undefined) this.#found.set(slug, { count, first });
    else known.count += count;
  }

  get features(): ReadonlyMap<string, FoundFeature> {
    return this.#found;
  }
}

export function findFeatures(document: HtmlDocument): FoundFeatures {
  const counter = new Counter();
  const scripts = document.elements.filter(scriptMatch);
  countElements(document, counter);
  const inlined = inlineStyles(document);
  countStyles(document, inlined, counter);
  countSheets(document, counter);
  return {
    features: counter.features,
    scripts: { count: scripts.length, first: toFirst(scripts[0]) },
    inlined,
  };
}

function toFirst(element: HtmlElement | undefined): FirstUse | undefined {
  return element && { kind: 'element', element };
}

function countElements({ html, elements }: HtmlDocument, counter: Counter): void {
  if (closedBody.test(html)) {
    counter.add(bodyFeature, 1, toFirst(elements.find(({ name }) => name === 'body')));
  }
  for (const { slug, match } of elementMatches) {
    const matching = elements.filter(match);
    counter.add(slug, matching.length, toFirst(matching[0]));
  }
  for (const element of elements) {
    const source = element.name === 'img' ? element.attributes.get('src') : undefined;
    if (source === undefined) continue;
    for (const [slug, test] of Object.entries(pictureTests)) {
      if (test.test(source)) counter.add(slug, 1, { kind: 'element', element, attribute: 'src' });
    }
  }
}

/** By the text of a style; many elements have the same. */
interface StyleUse {
  readonly slugs: ReadonlySet<string>;
  readonly units: readonly (readonly [slug: string, count: number])[];
}

function countStyles({ elements }: HtmlDocument, { styles }: InlinedStyles, counter: Counter): void {
  const known = new Map<string, StyleUse>();
  const sized = { width: false, height: false };
  for (const { element, style, sizes } of styles) {
    let use = known.get(style);
    if (use === undefined) known.set(style, (use = readStyle(style)));
    for (const size of sizes) sized[size] = true;
    const first: FirstUse = { kind: 'element', element, attribute: 'style' };
    for (const slug of use.slugs) counter.add(slug, 1, first);
    for (const [slug, count] of use.units) counter.add(slug, count, first);
  }
  for (const [slug, attribute] of Object.entries(attributeTests)) {
    const holder = elements.find(({ attributes }) => attributes.has(attribute));
    const isSized = (attribute === 'width' || attribute === 'height') && sized[attribute];
    if (holder === undefined && !isSized) continue;
    counter.add(slug, 1, holder && { kind: 'element', element: holder, attribute });
  }
}

function readStyle(style: string): StyleUse {
  const slugs = new Set<string>();
  for (const [, name = ''] of style.matchAll(declared)) {
    const slug = propertyTests.get(name.toLowerCase());
    if (slug !== undefined) slugs.add(slug);
  }
  for (const [slug, test] of Object.entries(styleTests)) if (test.test(style)) slugs.add(slug);
  const units = Object.entries(unitTests).flatMap(([slug, test]) => {
    const count = style.match(test)?.length ?? 0;
    return count === 0 ? [] : [[slug, count] as const];
  });
  return { slugs, units };
}

function countSheets({ elements }: HtmlDocument, counter: Counter): void {
  const sheets = elements.filter(({ name }) => name === 'style');
  const css = sheets.map(({ text }) => text).join('');
  if (css === '') return;
  for (const [slug, test] of Object.entries(sheetTests)) {
    const matches = css.match(test);
    if (matches !== null) counter.add(slug, matches.length, placeInSheets(sheets, css.search(test)));
  }
}

/** `at` is an offset in the sheets joined. */
function placeInSheets(sheets: readonly HtmlElement[], at: number): FirstUse | undefined {
  let offset = at;
  for (const element of sheets) {
    if (offset < element.text.length) return { kind: 'sheet', element, offset };
    offset -= element.text.length;
  }
  return undefined;
}
