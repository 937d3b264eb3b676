// Converts single CSS lengths to pixels, as far as mail uses them.

export interface LengthBasis {
  /** Font size of the parent, in pixels. */
  readonly fontPx: number;
  /** The length in pixels that percentages refer to; undefined where unknown. */
  readonly whole?: number;
}

const units: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  q: 0.945,
  rem: 16,
  vw: 10.24,
  vh: 7.68,
  vmin: 7.68,
  vmax: 10.24,
  dvw: 10.24,
  svw: 10.24,
  lvw: 10.24,
  dvh: 7.68,
  svh: 7.68,
  lvh: 7.68,
};

/** Returns undefined for anything that is not a supported length. */
export function parseLength(text: string, basis: LengthBasis): number | undefined {
  const { fontPx, whole } = basis;
  const [, digits, unit = ''] =
    /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)([a-z]+|%)?$/.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (value === 0) return 0;
  if (unit === '%') return whole === undefined ? undefined : (value / 100) * whole;
  if (unit === 'em') return value * fontPx;
  if (unit === 'ex' || unit === 'ch' || unit === 'ic' || unit === 'cap') return (value * fontPx) / 2;
  // Invalid without a unit, but old mail programs take it for pixels.
  const factor = unit === '' ? 1 : units[unit];
  return factor === undefined ? undefined : value * factor;
}
