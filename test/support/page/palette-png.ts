// Writes a picture as a PNG with a palette: pages have few colours, so their pictures stay small in the repository.
import { deflateSync } from 'node:zlib';

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel. */
  readonly data: Uint8Array;
}

const mostColours = 256;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** If there are too many colours, the rarest become their nearest neighbours. */
export function toPalettePng({ width, height, data }: Picture): Buffer {
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = colourAt(data, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, mostColours);
  const colours = palette.map(([colour]) => colour);
  const places = new Map(colours.map((colour, at) => [colour, at]));
  // Each line begins with its filter: none.
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colourAt(data, (y * width + x) * 4);
      const place = places.get(colour) ?? findNearest(colours, colour);
      places.set(colour, place);
      lines[y * (width + 1) + x + 1] = place;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    toChunk('IHDR', header),
    toChunk('PLTE', Buffer.from(colours.flatMap((colour) => [...channels(colour)]))),
    toChunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourAt(data: Uint8Array, at: number): number {
  return ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
}

function channels(colour: number): readonly [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function findNearest(colours: readonly number[], wanted: number): number {
  const [red, green, blue] = channels(wanted);
  let nearest = 0;
  let least = Infinity;
  for (const [at, colour] of colours.entries()) {
    const [r, g, b] = channels(colour);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [nearest, least] = [at, distance];
  }
  return nearest;
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** Built into Node from 22.2 on. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
