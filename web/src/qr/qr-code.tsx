// A QR code as an SVG of one path. Loaded only when first needed, with `await import('./qr/qr-code.tsx')`. Never turns
// text into markup.

import type { VNode } from 'preact';
import { encode } from 'uqr';

/** Blank modules around the code (ISO/IEC 18004 requires four). */
const quietZone = 4;

export interface QrCodeProps {
  /** At most 2,900 octets. */
  readonly text: string;
  /** The description for screen readers. */
  readonly label: string;
}

/** Black on white in any theme, because many scanners fail at inverted codes. Fills the element around it. */
export function QrCode({ text, label }: QrCodeProps): VNode {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={toPath(data)} fill="#000" />
    </svg>
  );
}

/** Draws each run of dark modules in a row as one rectangle. */
export function toPath(rows: readonly (readonly boolean[])[]): string {
  const runs: string[] = [];
  for (const [y, row] of rows.entries()) {
    let start = -1;
    for (let x = 0; x <= row.length; x++) {
      const isDark = row[x] ?? false;
      if (isDark && start < 0) start = x;
      if (!isDark && start >= 0) {
        runs.push(`M${start} ${y}h${x - start}v1H${start}z`);
        start = -1;
      }
    }
  }
  return runs.join('');
}
