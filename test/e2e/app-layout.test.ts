// The layout: three panes on a desktop, two on a tablet, mail above everything else.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { codeMail } from '../support/page/app-mails.ts';
import { desktop, noFaults, phone, readAddress } from '../support/page/app-page.ts';

const app = useApp();

const measure = `(() => {
  const isInSight = ({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight;
  const rows = [...document.querySelectorAll('.row')].filter((row) => isInSight(row.getBoundingClientRect()));
  const frame = document.querySelector('iframe')?.getBoundingClientRect();
  const mail = frame ? (Math.min(innerHeight, frame.bottom) - frame.top) / innerHeight : 0;
  return { rows: rows.length, mail, sideways: document.documentElement.scrollWidth > innerWidth };
})()`;

const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true };
const shapes = [
  { shape: 'a desktop', options: desktop, leastRows: 9, leastMail: 0.6 },
  { shape: 'a tablet', options: tablet, leastRows: 10, leastMail: 0.6 },
  {
    shape: 'a phone',
    options: { ...phone, viewport: { width: 390, height: 844 } },
    leastRows: 9,
    leastMail: 0.6,
  },
];

it.each(shapes)(
  'gives most of $shape to the list and the message',
  async ({ options, leastRows, leastMail }) => {
    const { page, faults, email } = await app.open(options);
    for (let at = 1; at <= 12; at++) await app.service.send(email, { subject: `Mail ${at}`, text: 'Hello.' });
    await app.service.send(email, codeMail);
    await page.locator('[data-id="13"]').waitFor();
    await page.locator('.code-bar.is-pinned').waitFor();
    const list = await page.evaluate<{ rows: number; sideways: boolean }>(measure);
    // A name of two lines takes the place of half a row.
    const hasTwoLines = email.indexOf('@') > 16;
    expect(list.rows).toBeGreaterThanOrEqual(hasTwoLines ? leastRows - 1 : leastRows);
    expect(list.sideways).toBe(false);
    await page.getByRole('link', { name: /Brook Bank/ }).click();
    await page.locator('iframe').contentFrame().getByRole('heading', { name: 'Confirm it is you' }).waitFor();
    const read = await page.evaluate<{ mail: number; sideways: boolean }>(measure);
    expect(read.mail).toBeGreaterThanOrEqual(leastMail);
    expect(read.sideways).toBe(false);
    expect(faults).toEqual(noFaults);
  },
);

it('gives the message the whole window and restores it by Escape, by Back and by its button', async () => {
  const { page, faults, email } = await app.open();
  await app.service.send(email, { subject: 'Hello', text: 'Hello.' });
  await page.getByRole('link', { name: /Hello/ }).click();
  await page.getByTestId('text').waitFor();
  const isListShown = (): Promise<boolean> => page.locator('.inbox').isVisible();
  for (const shrink of ['Escape', 'Back', 'Smaller']) {
    await page.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(isListShown).toBe(false);
    if (shrink === 'Escape') await page.keyboard.press('Escape');
    else if (shrink === 'Back') await page.goBack();
    else await page.getByRole('button', { name: 'Smaller' }).click();
    await expect.poll(isListShown).toBe(true);
    expect(await page.getByTestId('text').isVisible()).toBe(true);
  }
  expect(faults).toEqual(noFaults);
});

it('opens the next message when one is deleted', async () => {
  const { page, faults, email } = await app.open();
  for (const subject of ['One', 'Two', 'Three']) await app.service.send(email, { subject, text: subject });
  await page.getByRole('link', { name: /One/ }).waitFor();
  await page.getByRole('link', { name: /Two/ }).click();
  await page.getByRole('heading', { name: 'Two' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'One' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Three' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.locator('.message-title').waitFor({ state: 'detached' });
  expect(faults).toEqual(noFaults);
});

const hidden = `[...document.querySelectorAll('.toolbar, .tabs')]
  .filter((bar) => bar.scrollWidth > bar.clientWidth)
  .map((bar) => bar.className)`;

it.each([
  ['an upright tablet', 'en-US', { width: 820, height: 1180 }],
  ['a tablet on its side', 'ru', { width: 1024, height: 768 }],
  ['a large tablet', 'ru', { width: 1280, height: 800 }],
])('shows every way to see a message, and nothing cut off, on %s', async (_, locale, viewport) => {
  const { page, faults, email } = await app.open({ viewport, locale, hasTouch: true });
  const longName = `${'long-name-'.repeat(5)}@department.company.example`;
  await app.service.send(email, { from: longName, subject: 'Wide', html: '<p>Hello.</p>' });
  await page.locator('.row-link').click();
  await page.locator('iframe').waitFor();
  expect(await page.evaluate(hidden)).toEqual([]);
  const sender = await page.locator('.origin-sender').boundingBox();
  const time = await page.locator('.origin-time').boundingBox();
  expect(time!.y).toBeLessThan(sender!.y + 8);
  expect(faults).toEqual(noFaults);
});

/** All layout shifts that no input explains, with what moved. */
const watchShifts = `window.shifts = [];
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.className ?? node?.nodeName ?? '');
    if (!hadRecentInput) window.shifts.push({ value, moved });
  }
}).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

it('moves nothing but the rows below a new mail', async () => {
  const { page, context, faults } = await app.openPage();
  await context.addInitScript(watchShifts);
  await page.reload();
  const email = await readAddress(page);
  for (const id of [1, 2, 3]) {
    await app.service.send(email, { ...codeMail, subject: `Mail ${id}` });
    await page
      .locator('.row')
      .nth(id - 1)
      .waitFor();
    await page.locator('iframe').contentFrame().getByRole('heading', { name: 'Confirm it is you' }).waitFor();
  }
  const shifts = await page.evaluate<readonly Shift[]>('window.shifts');
  expect(shifts.filter(({ moved }) => moved.some((name) => /frame|code-bar/.test(name)))).toEqual([]);
  expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(0.01);
  expect(await page.locator('.frame-choice').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

const isSliding = String.raw`({ name }) => /\/swiping-[^/]*\.js$/.test(name)`;

it('keeps the place of the list on a phone, and slides the rows below a new mail', async () => {
  const { page, context, faults } = await app.openPage({ ...phone, reducedMotion: 'no-preference' });
  await context.addInitScript(watchShifts);
  await page.reload();
  const email = await readAddress(page);
  const top = async (): Promise<number | undefined> => (await page.locator('.rows').boundingBox())?.y;
  await app.service.send(email, codeMail);
  await page.locator('.row').waitFor();
  const before = await top();
  // The script that slides rows comes once there are some.
  await expect
    .poll(() => page.evaluate(`performance.getEntriesByType('resource').some(${isSliding})`))
    .toBe(true);
  await page.evaluate(
    `import(performance.getEntriesByType('resource').find(${isSliding}).name).then(() => new Promise(requestAnimationFrame))`,
  );
  // Those of the page's font are not meant here.
  await page.evaluate('window.shifts.length = 0');
  for (const count of [2, 3]) {
    await app.service.send(email, codeMail);
    await page
      .locator('.row')
      .nth(count - 1)
      .waitFor();
    await page.getByRole('button', { name: 'Select messages' }).waitFor();
    expect(await top()).toBe(before);
  }
  const shifts = await page.evaluate<readonly Shift[]>('window.shifts');
  expect(shifts).toEqual([]);
  expect(faults).toEqual(noFaults);
});
