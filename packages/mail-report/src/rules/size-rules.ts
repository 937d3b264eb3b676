// Rules about size: what mail programs cut off, and what servers refuse.

import { SourceLines } from '../document/source-place.ts';
import { inMessage, inSource, type Rated } from '../findings.ts';
import type { MessageSubject } from './subject-of-rules.ts';

/** Gmail shows no more of a message's HTML. */
const clippedBytes = 102 * 1024;
const nearlyClippedBytes = 0.9 * clippedBytes;
const largeBytes = 10 * 1024 * 1024;
/** The most that many servers take, in base64. */
const refusedBytes = 25 * 1024 * 1024;

const clipped: Rated = {
  rule: 'size/clipped',
  severity: 'error',
  advice:
    'Shorten the HTML to less than 102 KB: move styles into one sheet, drop comments and unused styles.',
};
const nearlyClipped: Rated = { ...clipped, rule: 'size/nearly-clipped', severity: 'warning' };
const large: Rated = {
  rule: 'size/message',
  severity: 'warning',
  advice: 'Link to large files instead of attaching them.',
};

export function checkSize({ input: { html, sizeBytes }, findings }: MessageSubject): void {
  const htmlBytes = html === null ? 0 : Buffer.byteLength(html);
  if (html !== null && htmlBytes > clippedBytes) {
    // Where the cut falls, not in the middle of a character.
    const shown = Buffer.from(html)
      .subarray(0, clippedBytes)
      .toString('utf8')
      .replace(/\ufffd$/, '');
    findings.add(
      clipped,
      `The HTML has ${toKilobytes(htmlBytes)}; Gmail cuts it off here, after 102 KB.`,
      inSource('html', new SourceLines(html).placeOf(shown.length)),
    );
  } else if (htmlBytes > nearlyClippedBytes) {
    findings.add(
      nearlyClipped,
      `The HTML has ${toKilobytes(htmlBytes)}; Gmail cuts it off after 102 KB, and longer links or names suffice.`,
      inMessage(),
    );
  }
  if (sizeBytes > largeBytes) {
    const severity = sizeBytes > refusedBytes ? 'error' : 'warning';
    const what = severity === 'error' ? 'most servers refuse it' : 'some servers refuse it';
    findings.add({ ...large, severity }, `The message has ${toKilobytes(sizeBytes)}; ${what}.`, inMessage());
  }
}

export function toKilobytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
