// Uses an inbox as a person does, by real keys and clicks, while the browser notes how long each takes to be answered by
// a paint. Used by measure-page.ts.
import type { Page } from 'playwright-core';

/**
 * Runs before the page's own scripts. `window.seen` has the time of the first address in ms (a promise), the worst
 * five seconds of layout shifts that no input explains (CLS), and the interactions with the longest of their events, in ms (Event Timing).
 */
export const watchPage = `window.seen = { shift: 0, interactions: new Map() };
let span = { from: 0, last: -1000, sum: 0 };
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value, startTime } of list.getEntries()) {
    if (hadRecentInput) continue;
    if (startTime - span.last > 1000 || startTime - span.from > 5000) span = { from: startTime, last: 0, sum: 0 };
    span = { from: span.from, last: startTime, sum: span.sum + value };
    window.seen.shift = Math.max(window.seen.shift, span.sum);
  }
}).observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((list) => {
  const { interactions } = window.seen;
  for (const { interactionId, duration } of list.getEntries()) {
    if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
  }
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
window.seen.addressMs = new Promise((done) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-testid=address]')?.textContent.includes('@')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  }).observe(document, { childList: true, subtree: true });
});`;

/** A person's pace: keys in a burst are one long task for no browser. */
const keyDelay = 60;

/** Searches, walks, opens, selects: each many times. */
export async function useInbox(page: Page): Promise<void> {
  const rows = page.locator('.row-link');
  for (const words of ['verification', '400123', 'shop 4002', 'nothing like it']) {
    await page.keyboard.press('/', { delay: keyDelay });
    await page.keyboard.type(words, { delay: keyDelay });
    await page.keyboard.press('Escape', { delay: keyDelay });
  }
  for (const key of ['j', 'k', 'ArrowDown', 'ArrowUp']) {
    for (let turn = 0; turn < 8; turn += 1) await page.keyboard.press(key, { delay: keyDelay });
  }
  for (let at = 0; at < 12; at += 1) {
    await rows.nth(at % 8).click({ delay: keyDelay });
    await page.locator('iframe').waitFor();
  }
  await page.keyboard.press('Escape', { delay: keyDelay });
  for (let turn = 0; turn < 3; turn += 1) {
    await page.locator('.list-tools .icon-button').click({ delay: keyDelay });
    for (let at = 0; at < 4; at += 1) await rows.nth(at).click({ delay: keyDelay });
    await page.keyboard.press('Control+a', { delay: keyDelay });
    await page.keyboard.press('Escape', { delay: keyDelay });
  }
}

/** How long each interaction took, ms. One of less than 16 ms, which browsers do not report, counts as 16. */
export async function readInteractions(page: Page): Promise<readonly number[]> {
  const result: unknown = await page.evaluate(
    'new Promise((done) => setTimeout(() => done([performance.interactionCount, [...window.seen.interactions.values()]]), 500))',
  );
  const [count, slow] = result as readonly [number, readonly number[]];
  return [...slow, ...Array.from({ length: Math.max(0, count - slow.length) }, () => 16)];
}
