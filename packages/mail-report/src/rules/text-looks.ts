// How the text of each element looks: its colour on its background, whether it is seen at all, and how large it is. As
// much of the cascade as style sheets and attributes say without conditions.

import type { HtmlElement } from '../document/html-document.ts';
import { readDeclarations } from '../styles/style-sheet.ts';
import { blend, type Color, parseColor } from './colors.ts';
import type { HtmlSubject } from './subject-of-rules.ts';

export interface TextLook {
  readonly color: Color;
  /** Whether the sender chose it. */
  readonly isColored: boolean;
  /** Undefined where a picture or something not understood lies behind. */
  readonly background: Color | undefined;
  readonly hasBackground: boolean;
  readonly isHidden: boolean;
  /** In CSS pixels. */
  readonly fontSize: number;
  readonly isBold: boolean;
}

const initial: TextLook = {
  color: { r: 0, g: 0, b: 0, a: 1 },
  isColored: false,
  background: { r: 255, g: 255, b: 255, a: 1 },
  hasBackground: false,
  isHidden: false,
  fontSize: 16,
  isBold: false,
};

const read = new Set(
  (
    'color background background-color background-image display visibility opacity font-size max-height font-weight ' +
    'font mso-hide height overflow'
  ).split(' '),
);
const bold = new Set(['b', 'strong', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const headingSizes: Readonly<Record<string, number>> = { h1: 32, h2: 24, h3: 19 };

type Style = ReadonlyMap<string, string>;

/** Returns the look of each element, by its `order`. */
export function readTextLooks({ document, features }: HtmlSubject): readonly TextLook[] {
  const styles = new Map(features.inlined.styles.map(({ element, style }) => [element, style]));
  const known = new Map<string, Style>();
  const looks: TextLook[] = [];
  for (const element of document.elements) {
    const text = styles.get(element) ?? '';
    let style = known.get(text);
    if (style === undefined) known.set(text, (style = readStyle(text)));
    const outer = element.parent === undefined ? initial : (looks[element.parent.order] ?? initial);
    looks.push(toLook(element, style, outer));
  }
  return looks;
}

function readStyle(text: string): Style {
  const style = new Map<string, string>();
  if (text === '') return style;
  for (const { property, value } of readDeclarations(text)) {
    const name = property.toLowerCase();
    if (read.has(name)) {
      style.set(
        name,
        value
          .replace(/!important$/i, '')
          .trim()
          .toLowerCase(),
      );
    }
  }
  return style;
}

function toLook(element: HtmlElement, style: Style, outer: TextLook): TextLook {
  const { name, attributes } = element;
  if (style.size === 0 && attributes.size === 0 && !bold.has(name) && name !== 'a') return outer;
  const colorText =
    style.get('color') ?? (name === 'font' ? attributes.get('color') : undefined) ?? bodyText(element);
  const color = colorText === undefined ? undefined : parseColor(colorText);
  const background = toBackground(element, style, outer);
  return {
    color: color ?? (name === 'a' && colorText === undefined ? linkColor(element, outer) : outer.color),
    isColored: color !== undefined || outer.isColored,
    background: background === 'none' ? outer.background : background,
    hasBackground: background !== 'none' || outer.hasBackground,
    isHidden: outer.isHidden || isHidden(element, style),
    fontSize: toFontSize(element, style, outer.fontSize),
    isBold: toBold(style.get('font-weight'), bold.has(name) || outer.isBold),
  };
}

function bodyText({ name, attributes }: HtmlElement): string | undefined {
  return name === 'body' ? attributes.get('text') : undefined;
}

/** Mail programs choose the colour of a link that has none. */
function linkColor({ attributes }: HtmlElement, outer: TextLook): Color {
  return attributes.has('href') ? { r: 0, g: 0, b: 238, a: 1 } : outer.color;
}

function toBackground(
  { attributes }: HtmlElement,
  style: Style,
  outer: TextLook,
): Color | undefined | 'none' {
  const image = style.get('background-image') ?? style.get('background') ?? '';
  if (/url\(|gradient\(/.test(image) || attributes.has('background')) return undefined;
  const text =
    style.get('background-color') ?? firstColor(style.get('background')) ?? attributes.get('bgcolor');
  if (text === undefined || text === 'none') return 'none';
  const color = parseColor(text);
  if (color === undefined) return undefined;
  if (color.a === 0) return 'none';
  if (color.a === 1) return color;
  return outer.background && blend(color, outer.background);
}

function firstColor(background: string | undefined): string | undefined {
  if (background === undefined) return undefined;
  if (parseColor(background) !== undefined) return background;
  return background
    .match(/(?:#|rgba?\()[^\s)]{1,40}\)?|[a-z]+/g)
    ?.find((word) => parseColor(word) !== undefined);
}

function isHidden({ attributes, name }: HtmlElement, style: Style): boolean {
  if (attributes.has('hidden') || name === 'title' || name === 'style' || name === 'script') return true;
  return (
    style.get('display') === 'none' ||
    style.get('visibility') === 'hidden' ||
    style.get('mso-hide') === 'all' ||
    /^0(?:\.0+)?$/.test(style.get('opacity') ?? '') ||
    /^0(?:px|em|pt|%)?$/.test(style.get('font-size') ?? '') ||
    (/^0(?:px)?$/.test(style.get('max-height') ?? '') && /^hidden/.test(style.get('overflow') ?? ''))
  );
}

function toFontSize({ name }: HtmlElement, style: Style, outer: number): number {
  const text =
    style.get('font-size') ?? /(?:^|\s)([\d.]{1,6}(?:px|pt|em))/.exec(style.get('font') ?? '')?.[1];
  const [, amount, unit] = /^([\d.]{1,6})(px|pt|em|rem|%)$/.exec(text ?? '') ?? [];
  if (amount === undefined) return headingSizes[name] ?? outer;
  const size = Number(amount);
  switch (unit) {
    case 'pt':
      return (size * 4) / 3;
    case 'em':
      return size * outer;
    case 'rem':
      return size * 16;
    case '%':
      return (size * outer) / 100;
    default:
      return size;
  }
}

function toBold(weight: string | undefined, fallback: boolean): boolean {
  if (weight === undefined) return fallback;
  return weight.startsWith('bold') || Number(weight) >= 600;
}
