// Judges whether the box of an element is drawn away from its place, by position, margins, transforms and the like, and
// how far: text in it may be out of sight, and what it paints may cover other text.
import { computeLength } from './css-math.ts';
import type { Style } from './style.ts';

/** The usual width of a message, for percentages. */
const pagePx = 600;
/** Text moved this far from its place is not found. */
const farPx = 400;
/** A box moved less covers no line of text. */
const nearPx = 12;
const coverFarPx = 60;

/** `near`: it may cover its neighbours. `far`: anything in the message. */
export type Reach = 'none' | 'near' | 'far';

export interface Move {
  readonly isOutOfSight: boolean;
  readonly reach: Reach;
}

const sides = ['top', 'right', 'bottom', 'left', 'block-start', 'block-end', 'inline-start', 'inline-end'];
const marginNames = ['margin', 'margin-block', 'margin-inline', ...sides.map((side) => `margin-${side}`)];
const placeNames = [
  ...['top', 'right', 'bottom', 'left', 'inset', 'inset-block', 'inset-inline'],
  ...['block-start', 'block-end', 'inline-start', 'inline-end'].map((side) => `inset-${side}`),
];
const gridNames = ['grid-area', 'grid-row', 'grid-column'].flatMap((name) =>
  name === 'grid-area' ? [name] : [name, `${name}-start`, `${name}-end`],
);
const outOfSight: Move = { isOutOfSight: true, reach: 'far' };

export function moveOf(style: Style, fontPx: number): Move {
  const lengths = (names: readonly string[]): (number | undefined)[] =>
    names.flatMap((name) => lengthsOf(style.get(name), fontPx));
  const margins = lengths(marginNames);
  const places = lengths(placeNames);
  const moves = [...transformMoves(style, fontPx), ...lengthsOf(style.get('translate'), fontPx)];
  const shifts = lengthsOf(verticalAlign(style), fontPx);
  const position = style.get('position') ?? 'static';
  const isOut = position === 'absolute' || position === 'fixed';
  const isRelative = position === 'relative' || position === 'sticky';
  const isPlain = /^(?:static|initial|inherit|unset|revert)$/.test(position);
  if (!isOut && !isRelative && !isPlain) return outOfSight;
  const applied = [...moves, ...shifts, ...(isPlain ? [] : places)];
  if ([...margins, ...applied].includes(undefined)) return outOfSight;
  const isFar =
    margins.some((margin = 0) => margin <= -farPx) || applied.some((place = 0) => Math.abs(place) >= farPx);
  if (isFar) return outOfSight;
  if (isOut) return { isOutOfSight: false, reach: 'far' };
  const most = Math.max(
    0,
    ...margins.map((margin = 0) => -margin),
    ...applied.map((place = 0) => Math.abs(place)),
    ...paintedAround(style, fontPx),
  );
  const isPlaced = gridNames.some((name) => !/^(?:auto|initial)?$/.test(style.get(name) ?? ''));
  const reach = most > coverFarPx ? 'far' : most > nearPx || isPlaced ? 'near' : 'none';
  return { isOutOfSight: false, reach };
}

/** Returns the lengths in a list; undefined for what is not understood. */
function lengthsOf(value: string | undefined, fontPx: number): (number | undefined)[] {
  if (value === undefined) return [];
  return splitList(value).map((word) =>
    /^(?:auto|none|normal|initial|inherit|unset|revert)$/.test(word)
      ? 0
      : computeLength(word, { fontPx, whole: pagePx }),
  );
}

/** Splits at white space outside brackets, and before a sign: `0-9999px` are two lengths. */
export function splitList(text: string): string[] {
  const list: string[] = [''];
  let depth = 0;
  for (const [i, char] of [...text].entries()) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    const isSign =
      depth === 0 &&
      /[+-]/.test(char) &&
      /[\d%a-z]/.test(text[i - 1] ?? '') &&
      !/e$/.test(text[i - 1] ?? '') &&
      /[\d.]/.test(text[i + 1] ?? '');
    if (depth === 0 && /\s/.test(char)) list.push('');
    else list.push(`${isSign ? '' : (list.pop() ?? '')}${char}`);
  }
  return list.filter((word) => word !== '');
}

function verticalAlign(style: Style): string | undefined {
  const value = style.get('vertical-align') ?? '';
  return /^[-+\d.c]/.test(value) ? value : undefined;
}

/** Understands only what moves, and growing or turning that leaves text readable in its place. */
function transformMoves(style: Style, fontPx: number): (number | undefined)[] {
  const scale = style.get('scale') ?? 'none';
  const isScaled = scale === 'none' || splitList(scale).every((part) => isNearOne(toNumber(part)));
  const value = style.first(
    'transform',
    '-webkit-transform',
    '-moz-transform',
    '-ms-transform',
    '-o-transform',
  );
  const moves: (number | undefined)[] = isScaled ? [] : [undefined];
  if (value === undefined || value === 'none') return moves;
  let rest = value;
  for (const [whole, name = '', list = ''] of value.matchAll(/(?<![a-z0-9])([a-z0-9]+)\(([^()]*)\)/g)) {
    rest = rest.replace(whole, '');
    const parts = list.split(',').map((part) => part.trim());
    if (/^translate(?:x|y|z|3d)?$/.test(name)) {
      moves.push(...parts.flatMap((part) => lengthsOf(part, fontPx)));
    } else if (/^scale(?:x|y|3d)?$/.test(name) && parts.every((part) => isNearOne(toNumber(part)))) continue;
    else if (
      name !== 'rotate' ||
      !/^-?[0-9]?\d(?:\.\d+)?deg$|^0$/.test(list.trim()) ||
      Math.abs(Number.parseFloat(list)) > 45
    ) {
      moves.push(undefined);
    }
  }
  return rest.trim() === '' ? moves : [undefined];
}

function toNumber(text: string): number {
  return Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1);
}

function isNearOne(scale: number): boolean {
  return scale >= 0.5 && scale <= 1.5;
}

/** How far shadows and outlines reach beyond the box. */
function paintedAround(style: Style, fontPx: number): number[] {
  return ['box-shadow', 'outline', 'outline-width', 'outline-offset'].flatMap((name) =>
    splitList(outside(style.get(name) ?? '')).flatMap((word) => {
      if (!/^[-+\d.c]/.test(word)) return [];
      const length = computeLength(word, { fontPx, whole: pagePx });
      // A shadow's blur is faint at its edge; half of each length counts.
      return word.startsWith('c') && length === undefined ? [] : [Math.abs(length ?? farPx) / 2];
    }),
  );
}

/** Without shadows within the box. */
function outside(value: string): string {
  return value
    .split(/,(?![^()]*\))/)
    .filter((each) => !/\binset\b/.test(each))
    .join(' ');
}
