// Sizes of fonts and lines in CSS, in pixels.
import { computeLength } from './css-math.ts';

const sizeWords: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
};

export function parseFontSize(text: string, parentPx: number): number | undefined {
  if (text === 'smaller') return parentPx / 1.2;
  if (text === 'larger') return parentPx * 1.2;
  return sizeWords[text] ?? computeLength(text, { fontPx: parentPx, whole: parentPx });
}

/** Returns the size in the shorthand `font`, such as `bold 0/0 Arial`. */
export function parseFontShorthand(text: string, parentPx: number): number | undefined {
  for (const word of text.replaceAll(/\/\s*\S+/g, ' ').split(/\s+/)) {
    // Here a number without a unit is a weight; only zero is a size.
    const size = /^[1-9]\d*$/.test(word) ? undefined : parseFontSize(word, parentPx);
    if (size !== undefined) return size;
  }
  return undefined;
}

/** Returns multiples of the font's size. */
export function parseLineHeight(text: string, fontPx: number): number | undefined {
  if (text === 'normal' || text === 'initial' || text === 'revert') return 1.2;
  if (/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return Number(text);
  const length = computeLength(text, { fontPx, whole: fontPx });
  return length === undefined ? undefined : length / Math.max(1, fontPx);
}
