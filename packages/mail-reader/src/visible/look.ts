// Decides whether the text of an element is visible, by its style and that of its ancestors. Called for each element,
// from the outside in. In doubt text counts as hidden: what this reader does not know a browser may.
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
import { parseFontShorthand, parseFontSize, parseLineHeight } from './font-size.ts';
import { computeLength } from './css-math.ts';
import { isKnownStyle } from './known-css.ts';
import { moveOf, type Reach, splitList } from './moved-box.ts';
import { collectVariables, Style } from './style.ts';
import type { Declarations } from './style-rules.ts';
import type { PlainElement } from '../sanitise/plain-dom/plain-element.ts';

export interface Look {
  /** The element and all its descendants are invisible, whatever their own styles. */
  readonly isGone: boolean;
  /** Nothing of it is drawn, for certain. */
  readonly isUndrawn: boolean;
  readonly isInvisible: boolean;
  readonly opacity: number;
  readonly fontPx: number;
  /** Height of a line in multiples of the font's size. */
  readonly lineRatio: number;
  /** Undefined where unknown. */
  readonly color: Color | undefined;
  /** All colours that may be behind the text; undefined where unknown. */
  readonly backgrounds: readonly Color[] | undefined;
  readonly indentPx: number;
  /** Custom properties. */
  readonly variables: Declarations;
  /** How far the element, and what it paints, is from its place. */
  readonly reach: Reach;
  /** Whether it paints a background of its own. */
  readonly isPainted: boolean;
  /** The box is lower than a line, so that what follows may be drawn over its text. */
  readonly isShort: boolean;
}

export const plainLook: Look = {
  isGone: false,
  isUndrawn: false,
  isInvisible: false,
  opacity: 1,
  fontPx: 16,
  lineRatio: 1.2,
  color: black,
  backgrounds: [white],
  indentPx: 0,
  variables: new Map(),
  reach: 'none',
  isPainted: false,
  isShort: false,
};

const leastOpacity = 0.1;
/** Text up to this size in pixels is unreadable. */
const unreadPx = 3;
/** Lines closer than this cover one another. */
const leastLineRatio = 0.5;
const farIndentPx = 100;
const farPaddingPx = 400;
/** The usual width of a message, for percentages. */
const pagePx = 600;

/** Reports whether text directly in an element of this look is visible. */
export function isTextSeen(look: Look): boolean {
  const { isGone, isInvisible, fontPx, lineRatio, color, backgrounds, indentPx } = look;
  if (isGone || isInvisible || fontPx <= unreadPx || lineRatio < leastLineRatio) return false;
  if (Math.abs(indentPx) >= farIndentPx || color === undefined || backgrounds === undefined) return false;
  return color.a > leastOpacity && backgrounds.some((background) => isSeenOn(color, background));
}

export function lookOf(element: PlainElement, declared: Declarations, parent: Look): Look {
  const variables = collectVariables(declared, parent.variables);
  const style = new Style(declared, variables);
  const font = fontOf(element, style, parent.fontPx);
  const fontPx = font ?? parent.fontPx;
  const opacity = parent.opacity * opacityOf(style);
  const painted = paintedOf(element, style);
  const move = moveOf(style, fontPx);
  const indent = numberOf(style.get('text-indent'), fontPx);
  return {
    isGone:
      parent.isGone ||
      font === undefined ||
      indent === undefined ||
      opacity < leastOpacity ||
      move.isOutOfSight ||
      hasUnknownStyle(style) ||
      isNotDrawn(element, style) ||
      isSpoilt(style, fontPx) ||
      isWithoutRoom(style, fontPx),
    isUndrawn: parent.isUndrawn || style.get('display') === 'none',
    isInvisible: isInvisible(style, parent),
    opacity,
    fontPx,
    lineRatio: lineRatioOf(style, fontPx, parent),
    ...coloursOf(element, style, { parent, painted }),
    indentPx: style.get('text-indent') === undefined ? parent.indentPx : (indent ?? 0),
    variables,
    reach: move.reach,
    isPainted:
      painted === undefined ||
      painted.some(({ a }) => a > 0) ||
      style.first('box-shadow', 'outline', 'outline-width') !== undefined,
    isShort: isShort(element, style, fontPx),
  };
}

function hasUnknownStyle(style: Style): boolean {
  return [...style.properties].some((property) => !isKnownStyle(property, style.get(property) ?? ''));
}

const shownDisplays = new Set(
  (
    'block inline inline-block list-item table inline-table table-row table-row-group table-header-group ' +
    'table-footer-group table-cell table-caption flex inline-flex grid inline-grid flow-root contents ' +
    '-webkit-box -webkit-inline-box -webkit-flex -ms-flexbox -webkit-inline-flex initial inherit unset revert'
  ).split(' '),
);

function isNotDrawn(element: PlainElement, style: Style): boolean {
  const display = style.get('display');
  if (display === undefined ? element.hasAttribute('hidden') : !shownDisplays.has(display)) return true;
  if (element.hasAttribute('popover') || style.get('mso-hide') === 'all') return true;
  if (!/^(?:visible|auto)$/.test(style.get('content-visibility') ?? 'visible')) return true;
  // The filters of an old browser are nothing to any other.
  if (!/^(?:none|alpha\(.*|progid:.*)$/.test(style.first('filter', '-webkit-filter') ?? 'none')) return true;
  if (
    !/^(?:normal|light|only light|light dark|dark light|light only)$/.test(
      style.get('color-scheme') ?? 'normal',
    )
  ) {
    return true;
  }
  if (/url\(|image|gradient/.test(style.get('content') ?? '')) return true;
  const level = style.get('z-index') ?? 'auto';
  return !/^(?:auto|\d+|initial|inherit|unset)$/.test(level) || isClipped(style);
}

function isClipped(style: Style): boolean {
  const clip = style.get('clip') ?? 'auto';
  if (!/^(?:auto|initial|unset|rect\((?:auto[\s,]*){4}\))$/.test(clip)) return true;
  return (style.first('clip-path', '-webkit-clip-path') ?? 'none') !== 'none';
}

/** Reports whether letters are drawn over one another, over their own line, or far apart. */
function isSpoilt(style: Style, fontPx: number): boolean {
  for (const property of ['letter-spacing', 'word-spacing']) {
    const space = style.get(property);
    if (space === undefined || /^(?:normal|initial|inherit|unset)$/.test(space)) continue;
    const length = computeLength(space, { fontPx });
    const least = property === 'letter-spacing' ? -0.15 * fontPx : -fontPx;
    if (length === undefined || length < least || length > farIndentPx) return true;
  }
  const lines = [style.get('text-decoration'), style.get('text-decoration-thickness')].flatMap((value) =>
    splitList(value ?? ''),
  );
  return lines.some((word) => {
    if (!/^[-+\d.c]/.test(word)) return false;
    const thickness = computeLength(word, { fontPx, whole: fontPx });
    return thickness === undefined ? !parseColor(word) && word !== 'currentcolor' : thickness > fontPx / 4;
  });
}

const sizes = [
  'height',
  'max-height',
  'width',
  'max-width',
  'block-size',
  'inline-size',
  'max-block-size',
  'max-inline-size',
];
const paddings = [
  'padding',
  'padding-top',
  'padding-left',
  'padding-right',
  'padding-block',
  'padding-inline',
  'padding-block-start',
  'padding-inline-start',
  'padding-inline-end',
];
const sizeWords =
  /^(?:auto|none|inherit|initial|unset|revert|(?:min|max|fit)-content|fit-content\(.*\)|-webkit-fill-available|-moz-available|stretch)$/;

/** Reports whether the box has no size, or its text no room in it, and hides what overflows it. */
function isWithoutRoom(style: Style, fontPx: number): boolean {
  const overflow =
    style.first('overflow', 'overflow-y', 'overflow-x', 'overflow-block', 'overflow-inline') ?? 'visible';
  if (overflow === 'visible') return false;
  const isSmall = sizes.some((property) => {
    const value = style.get(property);
    if (value === undefined || sizeWords.test(value)) return false;
    const size = computeLength(value, { fontPx, whole: pagePx });
    return size === undefined || size < fontPx * 0.9 || size <= unreadPx;
  });
  if (isSmall) return true;
  return paddings
    .flatMap((property) => splitList(style.get(property) ?? ''))
    .some((word) => {
      const padding = computeLength(word, { fontPx, whole: pagePx });
      return padding === undefined ? !/^(?:inherit|initial|unset)$/.test(word) : padding >= farPaddingPx;
    });
}

/** Cells and rows are as high as their text. */
function isShort(element: PlainElement, style: Style, fontPx: number): boolean {
  if (/^t(?:able|body|head|foot|r|d|h)$/.test(element.name)) return false;
  return ['height', 'max-height', 'block-size', 'max-block-size'].some((property) => {
    const value = style.get(property);
    if (value === undefined || sizeWords.test(value) || value.endsWith('%')) return false;
    const size = computeLength(value, { fontPx });
    return size === undefined || size < fontPx * 0.9;
  });
}

function isInvisible(style: Style, parent: Look): boolean {
  const visibility = style.get('visibility');
  if (visibility === undefined || /^(?:inherit|unset)$/.test(visibility)) return parent.isInvisible;
  return !/^(?:visible|initial|revert)$/.test(visibility);
}

/** Zero where a property is not set; undefined where its value is not understood. */
function numberOf(value: string | undefined, fontPx: number): number | undefined {
  if (value === undefined || /^(?:auto|none|normal|initial|inherit|unset|revert)$/.test(value)) return 0;
  return computeLength(value, { fontPx, whole: pagePx });
}

function opacityOf(style: Style): number {
  const value = style.get('opacity') ?? '1';
  if (/^(?:initial|inherit|unset|revert)$/.test(value)) return 1;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?%?$/.test(value)) return 0;
  return Math.min(1, Math.max(0, Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1)));
}

function lineRatioOf(style: Style, fontPx: number, parent: Look): number {
  const value = style.get('line-height');
  if (value !== undefined) {
    return (
      parseLineHeight(value, fontPx) ?? (value === 'inherit' || value === 'unset' ? parent.lineRatio : 0)
    );
  }
  const short = /\/\s*([^\s"',]+)/.exec(style.get('font') ?? '')?.[1];
  return short === undefined ? parent.lineRatio : (parseLineHeight(short, fontPx) ?? 0);
}

/** Undefined where the size is not understood. */
function fontOf(element: PlainElement, style: Style, parentPx: number): number | undefined {
  const zoom = style.get('zoom') ?? '1';
  const factor = /^(?:normal|initial|inherit|unset|reset)$/.test(zoom) ? 1 : toShare(zoom);
  if (factor === undefined || factor > 3) return undefined;
  const isSmall = element.name === 'small' || element.name === 'sub' || element.name === 'sup';
  const [size, short] = [style.get('font-size'), style.get('font')];
  const isInherited = (value: string): boolean => /^(?:inherit|unset|initial|revert)$/.test(value);
  let base: number | undefined = parentPx * (isSmall ? 0.83 : 1);
  if (size !== undefined && !isInherited(size)) base = parseFontSize(size, parentPx);
  else if (short !== undefined && !isInherited(short)) base = parseFontShorthand(short, parentPx);
  return base === undefined ? undefined : base * (factor < 0.5 ? factor : 1);
}

function toShare(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)%?$/.test(text)) return undefined;
  return Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1);
}

interface Ground {
  readonly parent: Look;
  readonly painted: readonly Color[] | undefined;
}

function coloursOf(
  element: PlainElement,
  style: Style,
  { parent, painted }: Ground,
): Pick<Look, 'color' | 'backgrounds'> {
  const color = colorOf(element, style, parent);
  const clip = style.first('background-clip', '-webkit-background-clip');
  if (clip === 'text' || /\btext\b/.test(style.get('background') ?? '')) {
    // Letters cut out of the background: it is their colour, where they have none of their own.
    const isCut = color?.a === 0;
    return { color: isCut ? painted?.[0] : color, backgrounds: parent.backgrounds };
  }
  return { color, backgrounds: layOver(painted, parent.backgrounds) };
}

function colorOf(element: PlainElement, style: Style, parent: Look): Color | undefined {
  const value = style.first('-webkit-text-fill-color', 'color');
  if (value === 'initial' || value === 'revert') return black;
  if (value !== undefined && !/^(?:inherit|currentcolor|unset)$/.test(value)) return parseColor(value);
  const old = element.getAttribute(element.name === 'body' ? 'text' : 'color');
  const isOld = old !== null && (element.name === 'font' || element.name === 'body');
  return isOld ? parseOldColor(old) : parent.color;
}

/** Returns the colours that the element paints, if any; undefined where unknown. Pictures from elsewhere are missing. */
function paintedOf(element: PlainElement, style: Style): readonly Color[] | undefined {
  const old = element.getAttribute('bgcolor');
  const oldColor = old === null || old.trim() === '' ? undefined : parseOldColor(old);
  const drawn = ['background', 'background-color', 'background-image']
    .flatMap((property) => style.get(property) ?? [])
    .map(findColors);
  const isUnknown = drawn.some((each) => each.isUnknown) || /inset/.test(style.get('box-shadow') ?? '');
  if (isUnknown || /^\s*data:/i.test(element.getAttribute('background') ?? '')) return undefined;
  const colors = drawn.flatMap((each) => each.colors);
  if (colors.length > 0 || old === null || old.trim() === '') return colors;
  return oldColor && [oldColor];
}

function layOver(
  painted: readonly Color[] | undefined,
  behind: readonly Color[] | undefined,
): readonly Color[] | undefined {
  if (painted === undefined) return undefined;
  const seen = painted.filter(({ a }) => a > 0);
  if (seen.length === 0) return behind;
  if (behind === undefined) return seen.every(({ a }) => a === 1) ? seen : undefined;
  return seen.flatMap((color) => behind.map((back) => blend(color, back))).slice(0, 16);
}
