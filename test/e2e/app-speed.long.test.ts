// The speed of the page on a quiet machine: the first address with an empty cache, and scrolling a long inbox. Prints the
// figures.
import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import {
  launchAppBrowser,
  noFaults,
  openAppPage,
  phone,
  readAddress,
  useAppService,
} from '../support/page/app-page.ts';

/** Separate from vitest's own report. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchAppBrowser({ isWhole: true });
});
afterAll(() => browser.close());

/** Records when the address was painted, in milliseconds since the navigation began. */
const reportFirstAddress = `new MutationObserver((_, observer) => {
  if (!document.querySelector('[data-testid=address]')?.textContent.includes('@')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstAddressMs = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

it('shows the first address soon with an empty cache', async () => {
  const service = await useAppService();
  const times: number[] = [];
  for (let visit = 0; visit < 7; visit++) {
    const context = await browser.newContext();
    await context.addInitScript(reportFirstAddress);
    const page = await context.newPage();
    await page.goto(service.url);
    await expect.poll(() => page.evaluate('window.firstAddressMs')).toBeTypeOf('number');
    times.push(Number(await page.evaluate('window.firstAddressMs')));
    await context.close();
  }
  const median = times.toSorted((a, b) => a - b)[3]!;
  print(
    `first address: ${times.map((time) => time.toFixed(0)).join(', ')} ms; median ${median.toFixed(0)} ms`,
  );
  expect(median).toBeLessThan(3000);
});

/** Scrolls the window or the list by a third of a screen per frame to the end, and returns the times between frames. */
const scrollThrough = `(async () => {
  const rows = document.querySelectorAll('[data-id]');
  let box = rows[0].parentElement;
  while (box !== document.documentElement && box.scrollHeight <= box.clientHeight + 10) box = box.parentElement;
  const times = [];
  const longTasks = [];
  const watch = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration)));
  watch.observe({ type: 'longtask' });
  let last = performance.now();
  for (let step = 0; step < 240; step++) {
    box.scrollTop += 250;
    const at = await new Promise(requestAnimationFrame);
    times.push(at - last);
    last = at;
  }
  watch.disconnect();
  return { times, longTasks, scrolled: box.scrollTop };
})()`;

interface Scroll {
  readonly times: readonly number[];
  /** Longer than 50 ms, during which nothing else can run. */
  readonly longTasks: readonly number[];
  readonly scrolled: number;
}

it('scrolls through 500 messages', { timeout: 180_000 }, async () => {
  const service = await useAppService({ MAYFLY_LIMITS_SESSION_MESSAGES: '600' });
  const { page, faults, close } = await openAppPage(browser, service, { ...phone, serviceWorkers: 'allow' });
  onTestFinished(close);
  const email = await readAddress(page);
  const transport = createTransport({
    host: '127.0.0.1',
    port: service.smtpPort,
    pool: true,
    maxMessages: Infinity,
    ignoreTLS: true,
  });
  await Promise.all(
    Array.from({ length: 500 }, (_, i) =>
      transport.sendMail({
        from: `Shop ${i} <shop@example.test>`,
        to: email,
        subject: `Order ${i}`,
        text: `Your code is ${100_000 + i}`,
      }),
    ),
  );
  transport.close();
  await page.locator('[data-id="500"]').waitFor({ timeout: 60_000 });
  await expect.poll(() => page.locator('[data-id]').count(), { timeout: 60_000 }).toBe(500);
  const { times, longTasks, scrolled } = await page.evaluate<Scroll>(scrollThrough);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1);
  print(
    `frames while scrolling 500 messages: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${sorted.at(-1)!.toFixed(1)} ms`,
  );
  print(
    `tasks of more than 50 ms meanwhile: ${longTasks.length}, together ${longTasks.reduce((sum, ms) => sum + ms, 0)} ms`,
  );
  expect(scrolled).toBeGreaterThan(20_000);
  expect(longTasks.length).toBeLessThan(times.length / 2);
  expect(Number(at(0.5))).toBeLessThan(100);
  expect(faults).toEqual(noFaults);
});
