// Compares pictures of pages with committed ones. Colours are rounded, which keeps the files small and hides
// differences between machines.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

import { toPalettePng } from './palette-png.ts';

export interface Rectangle {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The share of a part's pixels that may differ, and their least number. */
const tolerance = { share: 0.004, pixels: 24 };
const threshold = 0.12;

export function roundColours(bytes: Buffer): PNG {
  const png = PNG.sync.read(bytes);
  for (let at = 0; at < png.data.length; at++) {
    if (at % 4 !== 3) png.data[at] = Math.min(255, Math.round((png.data[at] ?? 0) / 16) * 16);
  }
  return png;
}

export async function writePicture(file: string, png: PNG): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, toPalettePng(png));
}

/** Describes the differences, part by part; empty when there are none. */
export async function comparePicture(
  file: string,
  taken: PNG,
  parts: readonly Rectangle[],
): Promise<string[]> {
  const kept = PNG.sync.read(await readFile(file));
  if (kept.width !== taken.width || kept.height !== taken.height) {
    return [`is ${taken.width}x${taken.height}, was ${kept.width}x${kept.height}`];
  }
  return parts.flatMap((part) => {
    const size = [part.width, part.height] as const;
    const different = pixelmatch(cut(kept, part), cut(taken, part), undefined, ...size, { threshold });
    const allowed = Math.max(tolerance.pixels, part.width * part.height * tolerance.share);
    return different > allowed ? [`${part.name}: ${different} pixels are different`] : [];
  });
}

function cut(png: PNG, { x, y, width, height }: Rectangle): Buffer {
  const piece = new PNG({ width, height });
  PNG.bitblt(png, piece, x, y, width, height, 0, 0);
  return piece.data;
}
