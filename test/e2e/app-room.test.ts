// The share of the window that the list and a message occupy.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { codeMail } from '../support/page/app-mails.ts';
import { desktop, noFaults, phone } from '../support/page/app-page.ts';

const app = useApp();

/** Height of the part of the window in which the message scrolls, in pixels. */
const readerHeight = `(() => {
  const reader = document.querySelector('.reader').getBoundingClientRect();
  const bars = [...document.querySelectorAll('.rail, .toolbar, .inbox-head')]
    .map((bar) => bar.getBoundingClientRect())
    .filter(({ width, left, right }) => width > 0 && left < reader.right && right > reader.left)
    .map(({ bottom }) => bottom);
  return Math.min(innerHeight, reader.bottom) - Math.max(0, reader.top, ...bars);
})()`;

/** Rows entirely within the window. */
const rowsInSight = `[...document.querySelectorAll('.row')].filter((row) => {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}).length`;

it.each([
  ['a desktop', desktop],
  ['a phone', { ...phone, viewport: { width: 390, height: 844 } }],
] as const)(
  'gives the message three fifths of the height of %s, and the list nine rows',
  async (_, options) => {
    const { page, faults, email } = await app.open(options);
    const paragraphs = '<p>A paragraph of a long letter.</p>'.repeat(80);
    for (let at = 0; at < 12; at++) {
      await app.service.send(email, { subject: `Letter ${at}`, text: 'Short.' });
    }
    await app.service.send(email, codeMail);
    await app.service.send(email, { subject: 'Long letter', html: paragraphs });
    await expect.poll(() => page.locator('.row').count()).toBe(14);
    expect(Number(await page.evaluate(rowsInSight))).toBeGreaterThanOrEqual(9);
    await page.getByRole('link', { name: /Long letter/ }).click();
    await page.locator('iframe').contentFrame().getByText('A paragraph').first().waitFor();
    const height = options.viewport?.height ?? NaN;
    expect(Number(await page.evaluate(readerHeight)) / height).toBeGreaterThanOrEqual(0.6);
    const frame = await page.locator('iframe').boundingBox();
    expect(height - (frame?.y ?? NaN)).toBeGreaterThan(height * 0.6);
    expect(faults).toEqual(noFaults);
  },
);
