// Draws the extension's icons from the page's pictures, with Chromium: `node scripts/draw-extension-icons.mjs`. Ten
// colours are enough for them, and a quarter of the bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { PNG } from 'pngjs';
import { checksum } from './zip-folder.mjs';

const root = new URL('..', import.meta.url);
const sizes = [128];
/** The tile's red, green and blue. */
const tile = [11, 110, 87];
const [shades, opacities] = [7, 3];

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox'],
});
try {
  for (const size of sizes) {
    const drawing = readFileSync(new URL(`web/public/favicon.svg`, root), 'utf8');
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
      `<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${drawing}`,
    );
    const { data } = PNG.sync.read(await page.screenshot({ omitBackground: true }));
    writeFileSync(
      fileURLToPath(new URL(`clients/extension/static/icon-${size}.png`, root)),
      encode(data, size),
    );
    await page.close();
  }
} finally {
  await browser.close();
}

/**
 * Shades from the tile to white, then the tile's opacities.
 * @param {Uint8Array} data
 * @param {number} size
 */
function encode(data, size) {
  const lines = Buffer.alloc((size / 2 + 1) * size);
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    const [red = 0, opacity = 0] = [data[pixel * 4], data[pixel * 4 + 3]];
    const shade = Math.round(((red - 11) / 244) * (shades - 1));
    const colour =
      opacity === 255 ? Math.max(0, shade) : shades + Math.round((opacity / 255) * (opacities - 1));
    const at = Math.floor(pixel / size) * (size / 2 + 1) + 1 + Math.floor((pixel % size) / 2);
    lines[at] = (lines[at] ?? 0) | (pixel % 2 === 0 ? colour << 4 : colour);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([4, 3, 0, 0, 0], 8);
  const shaded = Array.from({ length: shades }, (_, shade) =>
    tile.map((part) => Math.round(part + ((255 - part) * shade) / (shades - 1))),
  );
  const colours = [...shaded, ...Array.from({ length: opacities }, () => tile)];
  const clear = Array.from({ length: opacities }, (_, step) => Math.round((255 * step) / (opacities - 1)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('tRNS', Buffer.from([...Array.from({ length: shades }, () => 255), ...clear])),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(checksum(body), body.length + 4);
  return frame;
}
