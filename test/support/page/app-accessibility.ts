// axe-core on the page: WCAG 2.2 A and AA and its best practices, without exception.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** For a page that differs from one without faults in its colours alone. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

// The content of a message's frame is its sender's, and out of reach of our scripts. Without `resultTypes` it describes
// every element that has no fault as well.
const runAxe = (rules: readonly string[]): string => `axe.run(document, {
  iframes: false,
  preload: false,
  resultTypes: ['violations'],
  runOnly: ${JSON.stringify(rules)},
}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`;

// A dialog that is still fading in has too little contrast for a moment.
const rest = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => undefined)`;

/** Waits until nothing moves and returns the violations of the page; empty if there are none. */
export async function checkAccessibility(
  page: Page,
  rules: readonly string[] = everything,
): Promise<string[]> {
  await page.evaluate(rest);
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(runAxe(rules));
}
