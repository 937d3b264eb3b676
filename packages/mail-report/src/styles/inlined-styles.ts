// The `style` attribute that each element would have if style sheets were written into attributes, as Mailpit's HTML
// check does before it looks for properties.
import type { HtmlDocument, HtmlElement } from '../document/html-document.ts';
import { ExcessiveHtmlError } from '../document/html-document.ts';
import type { Match } from './match.ts';
import { readSelector } from './selector.ts';
import { type Declaration, readDeclarations, readStyleSheet } from './style-sheet.ts';

export interface InlinedStyle {
  readonly element: HtmlElement;
  readonly style: string;
  /** Attributes that sizes in pixels become. */
  readonly sizes: readonly ('width' | 'height')[];
}

export interface InlinedStyles {
  /** Those of all elements with a style, in the order of the source. */
  readonly styles: readonly InlinedStyle[];
  /** Whether style sheets were left out because they would take too long. */
  readonly isPartial: boolean;
}

interface SortedRule {
  readonly match: Match;
  readonly declarations: readonly Declaration[];
  /** Compared from the first on. */
  readonly rank: readonly number[];
}

/** Comparisons of an element with a part of a selector; mail in use takes some ten thousand. */
const effortMax = 2_000_000;
const rulesMax = 5_000;
const sheetMaxChars = 512 * 1024;
/** These depend on a reader or are not known, and stay in style sheets. */
const unmerged =
  /::?(?:visited|active|hover|focus|link|root|in-range|invalid|valid|after|before|selection|target|first-(?:line|letter))|^@|:(?:checked|disabled|enabled|lang)|\*/i;

export function inlineStyles(document: HtmlDocument): InlinedStyles {
  try {
    return { styles: applyRules(document, readRules(document)), isPartial: false };
  } catch (error) {
    if (!(error instanceof ExcessiveHtmlError)) throw error;
    return { styles: applyRules(document, []), isPartial: true };
  }
}

function readRules({ elements }: HtmlDocument): SortedRule[] {
  let effort = effortMax;
  const spend = (cost: number): void => {
    effort -= cost;
    if (effort < 0) throw new ExcessiveHtmlError();
  };
  let chars = 0;
  const rules: SortedRule[] = [];
  const sheets = elements.filter(
    ({ name, attributes }) =>
      name === 'style' &&
      attributes.get('data-premailer') !== 'ignore' &&
      (attributes.get('media') ?? 'all') === 'all',
  );
  for (const [sheet, { text }] of sheets.entries()) {
    chars += text.length;
    if (chars > sheetMaxChars) throw new ExcessiveHtmlError();
    for (const { selector: list, declarations } of readStyleSheet(text)) {
      for (const selector of list.split(',')) {
        if (unmerged.test(selector)) continue;
        const match = readSelector(selector, spend);
        for (const isImportant of [false, true]) {
          const chosen = declarations.filter((one) => one.isImportant === isImportant);
          if (chosen.length === 0) continue;
          if (rules.length >= rulesMax) throw new ExcessiveHtmlError();
          if (match !== undefined) {
            rules.push({ match, declarations: chosen, rank: rankOf(selector, isImportant, sheet) });
          }
        }
      }
    }
  }
  // A stable sort: rules of one rank stay in their order.
  return rules.sort((one, other) => compare(one.rank, other.rank));
}

function rankOf(selector: string, isImportant: boolean, sheet: number): number[] {
  const count = (expression: RegExp): number => selector.match(expression)?.length ?? 0;
  return [isImportant ? 1 : 0, count(/#/g), count(/\./g), count(/\[/g), count(/(?:^|[ \t\r\n\f])\w/g), sheet];
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [at, rank] of one.entries()) if (rank !== other[at]) return rank - (other[at] ?? 0);
  return 0;
}

function applyRules({ elements }: HtmlDocument, rules: readonly SortedRule[]): InlinedStyle[] {
  const styles: InlinedStyle[] = [];
  for (const element of elements) {
    const own = element.attributes.get('style');
    const applied = rules.filter(({ match }) => match(element));
    if (applied.length === 0) {
      if (own !== undefined) styles.push({ element, style: own, sizes: [] });
      continue;
    }
    styles.push({ element, ...merge(applied, own ?? '') });
  }
  return styles;
}

function merge(applied: readonly SortedRule[], own: string): Omit<InlinedStyle, 'element'> {
  // A property stands where it was declared last.
  const merged = new Map<string, string>();
  const set = (property: string, value: string): void => {
    merged.delete(property);
    merged.set(property, value);
  };
  for (const { declarations } of applied) {
    for (const { property, value, isImportant } of declarations) {
      set(property, isImportant ? `${value} !important` : value);
    }
  }
  for (const { property, value } of own === '' ? [] : readDeclarations(own)) set(property, value);
  const sizes = (['width', 'height'] as const).filter((name) => {
    const value = merged.get(name)?.replace(' !important', '');
    return value === '0' || value?.endsWith('px') === true;
  });
  const style = [...merged].map(([property, value]) => `${property}:${value}`).join(';');
  return { style: style === '' ? own : style, sizes };
}
