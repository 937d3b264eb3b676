// Animations last 160 ms, and none run for people who prefer reduced motion.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { desktop, noFaults } from '../support/page/app-page.ts';

const app = useApp();

interface Motion {
  readonly dialog: string;
  readonly button: string;
}

async function readMotion(page: Page): Promise<Motion> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  return page.evaluate<Motion>(`({
    dialog: getComputedStyle(document.querySelector('dialog')).animationDuration,
    button: getComputedStyle(document.querySelector('dialog .button')).transitionDuration,
  })`);
}

it('animates for 160 ms', async () => {
  const { page, faults } = await app.open({ ...desktop, reducedMotion: 'no-preference' });
  expect(await readMotion(page)).toEqual({ dialog: '0.16s', button: '0.16s' });
  expect(faults).toEqual(noFaults);
});

it('does not move with reduced motion', async () => {
  const { page, faults } = await app.open({ ...desktop, reducedMotion: 'reduce' });
  expect(await readMotion(page)).toEqual({ dialog: '1e-05s', button: '1e-05s' });
  // An animation of 0.01 ms runs until the next frame, which a busy machine may be late to draw.
  const moving = await page.evaluate<string[]>(`document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().activeDuration > 1)
    .map((one) => one.animationName ?? one.transitionProperty)`);
  expect(moving).toEqual([]);
  expect(faults).toEqual(noFaults);
});
