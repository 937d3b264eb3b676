// The page as axe-core sees it: WCAG 2.2 A and AA and its best practices, without exception.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

// What stands in a message's frame is its sender's, and no script of ours reaches it.
const runAxe = `axe.run(document, {
  iframes: false,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`;

/** What is wrong with the page as it is now; empty for nothing. */
export async function checkAccessibility(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(runAxe);
}
