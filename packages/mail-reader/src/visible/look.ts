// Decides whether the text of an element is visible, by its style and that of its ancestors. Called by visible-html
// for each element, from the outside in. In doubt text counts as visible: behind an image, or below another box.
import {
  blend,
  black,
  type Color,
  findColors,
  isSeenOn,
  parseColor,
  parseOldColor,
  white,
} from './css-color.ts';
import { parseFontShorthand, parseFontSize, parseLength, parseLengths } from './css-length.ts';
import type { Declarations } from './style-rules.ts';
import type { PlainElement } from '../sanitise/plain-dom/plain-element.ts';

export interface Look {
  /** The element and all its descendants are invisible, whatever their own styles. */
  readonly isGone: boolean;
  readonly isInvisible: boolean;
  readonly opacity: number;
  readonly fontPx: number;
  /** Undefined where unknown. */
  readonly color: Color | undefined;
  /** All colours that may be behind the text; undefined where unknown. */
  readonly backgrounds: readonly Color[] | undefined;
  readonly indentPx: number;
  /** Custom properties. */
  readonly variables: Declarations;
}

export const plainLook: Look = {
  isGone: false,
  isInvisible: false,
  opacity: 1,
  fontPx: 16,
  color: black,
  backgrounds: [white],
  indentPx: 0,
  variables: new Map(),
};

const leastOpacity = 0.1;
/** Text up to this size in pixels is unreadable. */
const unreadPx = 3;
/** Text moved this far from its place is not found. */
const farPx = 400;
const farIndentPx = 100;
/** The usual width of a message, for percentages. */
const pagePx = 600;

/** Reports whether text directly in an element of this look is visible. */
export function isTextSeen({ isGone, isInvisible, fontPx, color, backgrounds, indentPx }: Look): boolean {
  if (isGone || isInvisible || fontPx <= unreadPx || Math.abs(indentPx) >= farIndentPx) return false;
  if (color === undefined || backgrounds === undefined) return true;
  return color.a > leastOpacity && backgrounds.some((background) => isSeenOn(color, background));
}

export function lookOf(element: PlainElement, declared: Declarations, parent: Look): Look {
  const variables = collectVariables(declared, parent.variables);
  const style = new Style(declared, variables);
  const fontPx = fontOf(element, style, parent.fontPx);
  const opacity = parent.opacity * opacityOf(style);
  const backgrounds = backgroundsOf(element, style, parent.backgrounds);
  const visibility = style.get('visibility');
  return {
    isGone:
      parent.isGone ||
      opacity < leastOpacity ||
      isNotDrawn(element, style) ||
      isWithoutRoom(style, fontPx) ||
      isElsewhere(style, fontPx),
    isInvisible:
      visibility === undefined || visibility === 'inherit'
        ? parent.isInvisible
        : visibility === 'hidden' || visibility === 'collapse',
    opacity,
    fontPx,
    color: colorOf(element, style, parent),
    backgrounds,
    indentPx: lengthOf(style.get('text-indent'), fontPx) ?? parent.indentPx,
    variables,
  };
}

class Style {
  readonly #declared: Declarations;
  readonly #variables: Declarations;

  constructor(declared: Declarations, variables: Declarations) {
    this.#declared = declared;
    this.#variables = variables;
  }

  /** Resolves variables. */
  get(property: string): string | undefined {
    const value = this.#declared.get(property);
    if (value?.includes('var(') !== true) return value;
    return value.replaceAll(
      /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/g,
      (_, name: string, fallback = '') => this.#variables.get(name)?.trim() ?? String(fallback).trim(),
    );
  }

  /** Returns the first that is set. */
  first(...properties: readonly string[]): string | undefined {
    return properties.map((property) => this.get(property)).find((value) => value !== undefined);
  }
}

const maxVariables = 200;

function collectVariables(declared: Declarations, inherited: Declarations): Declarations {
  const own = [...declared].filter(([property]) => property.startsWith('--'));
  return own.length === 0 ? inherited : new Map([...inherited, ...own].slice(-maxVariables));
}

function isNotDrawn(element: PlainElement, style: Style): boolean {
  const display = style.get('display');
  if (display === 'none' || (display === undefined && element.hasAttribute('hidden'))) return true;
  if (style.get('content-visibility') === 'hidden' || style.get('mso-hide') === 'all') return true;
  const filter = /opacity\(([\d.]+)(%?)\)/.exec(style.get('filter') ?? '');
  if (filter && Number(filter[1]) / (filter[2] === '%' ? 100 : 1) < leastOpacity) return true;
  const isOut = /^(?:absolute|fixed|relative)$/.test(style.get('position') ?? '');
  return (isOut && Number(style.get('z-index')) < 0) || isClipped(style);
}

function isClipped(style: Style): boolean {
  const clip = /^rect\(([^()]*)\)$/.exec(style.get('clip') ?? '')?.[1];
  if (clip !== undefined) {
    const [top = 0, right = 0, bottom = 0, left = 0] = clip.split(/[\s,]+/).map(Number.parseFloat);
    // `auto` is not a number, and compares as wide.
    if (Math.abs(bottom - top) <= 1 || Math.abs(right - left) <= 1) return true;
  }
  const path = style.first('clip-path', '-webkit-clip-path') ?? '';
  if (/^(?:circle|ellipse)\(0/.test(path)) return true;
  const inset = /^inset\(([\d.]+)%/.exec(path)?.[1];
  if (inset !== undefined && Number(inset) >= 45) return true;
  const corners = /^polygon\(([^()]*)\)$/
    .exec(path)?.[1]
    ?.split(',')
    .map((corner) => corner.trim());
  return corners !== undefined && new Set(corners).size < 3;
}

/** Reports whether the box has no size and hides what overflows it. */
function isWithoutRoom(style: Style, fontPx: number): boolean {
  const overflow = style.first('overflow', 'overflow-y', 'overflow-x') ?? 'visible';
  if (overflow === 'visible') return false;
  return ['height', 'max-height', 'width', 'max-width', 'line-height', 'block-size', 'inline-size'].some(
    (property) => {
      const size = lengthOf(style.get(property), fontPx);
      return size !== undefined && size >= 0 && size <= (property === 'line-height' ? 0 : 1);
    },
  );
}

function isElsewhere(style: Style, fontPx: number): boolean {
  const far = (property: string): boolean => {
    const size = lengthOf(style.get(property), fontPx);
    return size !== undefined && size <= -farPx;
  };
  if (['margin-left', 'margin-top', 'margin-right'].some(far)) return true;
  const all = (property: string): number[] =>
    parseLengths(style.get(property) ?? '', { fontPx, whole: pagePx });
  if (all('margin').some((margin) => margin <= -farPx)) return true;
  const position = style.get('position');
  const isOut = position === 'absolute' || position === 'fixed' || position === 'relative';
  const places = ['left', 'top', 'right', 'bottom', 'inset'].flatMap(all);
  if (isOut && places.some((place) => Math.abs(place) >= 2 * farPx)) return true;
  if (isOut && ['left', 'top'].some(far)) return true;
  return isTransformedAway(style, fontPx);
}

function isTransformedAway(style: Style, fontPx: number): boolean {
  const transform = style.first('transform', '-webkit-transform', '-ms-transform') ?? '';
  if (/scale(?:x|y|3d)?\(\s*0*(?:\.0\d*)?\s*[,)]/.test(transform)) return true;
  if (/rotate[xy]\(\s*-?90deg/.test(transform)) return true;
  if (/^0?\.?0*%?(?:\s|$)/.test(style.get('scale') ?? 'none')) return true;
  const moves = [...transform.matchAll(/translate(?:x|y|3d)?\(([^()]*)\)/g)].map(([, move = '']) => move);
  return parseLengths([...moves, style.get('translate') ?? ''].join(' '), { fontPx, whole: pagePx }).some(
    (move) => Math.abs(move) >= farPx,
  );
}

function lengthOf(value: string | undefined, fontPx: number): number | undefined {
  return value === undefined ? undefined : parseLength(value, { fontPx, whole: pagePx });
}

function opacityOf(style: Style): number {
  const value = style.get('opacity') ?? '1';
  const number = Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1);
  return Number.isNaN(number) ? 1 : Math.min(1, Math.max(0, number));
}

function fontOf(element: PlainElement, style: Style, parentPx: number): number {
  const size = style.get('font-size');
  const own = size === undefined ? undefined : parseFontSize(size, parentPx);
  const short = style.get('font');
  const zoom = Number.parseFloat(style.get('zoom') ?? '1');
  const isSmall = element.name === 'small' || element.name === 'sub' || element.name === 'sup';
  const base =
    own ??
    (short === undefined ? undefined : parseFontShorthand(short, parentPx)) ??
    parentPx * (isSmall ? 0.83 : 1);
  return zoom > 0 && zoom < 0.3 ? base * zoom : base;
}

function colorOf(element: PlainElement, style: Style, parent: Look): Color | undefined {
  // Letters cut out so that the background shows through.
  if (style.first('background-clip', '-webkit-background-clip') === 'text') return undefined;
  const value = style.first('-webkit-text-fill-color', 'color');
  if (value !== undefined && value !== 'inherit' && value !== 'currentcolor') return parseColor(value);
  const old = element.getAttribute(element.name === 'body' ? 'text' : 'color');
  const isOld = old !== null && (element.name === 'font' || element.name === 'body');
  return (isOld ? parseOldColor(old) : undefined) ?? parent.color;
}

function backgroundsOf(
  element: PlainElement,
  style: Style,
  behind: readonly Color[] | undefined,
): readonly Color[] | undefined {
  const old = element.getAttribute('bgcolor');
  const oldColor = old === null ? undefined : parseOldColor(old);
  const drawn = [style.get('background'), style.get('background-color'), style.get('background-image')]
    .filter((value) => value !== undefined)
    .map(findColors);
  const isImage = drawn.some(({ hasImage }) => hasImage) || element.hasAttribute('background');
  if (isImage) return undefined;
  const colors = drawn.flatMap((each) => each.colors);
  const own = colors.length > 0 ? colors : oldColor === undefined ? [] : [oldColor];
  const seen = own.filter(({ a }) => a > 0);
  if (seen.length === 0) return behind;
  if (behind === undefined) return seen.every(({ a }) => a === 1) ? seen : undefined;
  return seen.flatMap((color) => behind.map((back) => blend(color, back))).slice(0, 16);
}
