// A crashed browser is replaced, and mails that crash every browser are named.
import { expect, it } from 'vitest';

import { useMortalBrowser } from './mortal-browser.ts';

it('repeats what a crashed browser did not show', async () => {
  const mortal = useMortalBrowser(1);
  let shown = 0;
  const title = await mortal.show(['a', 'b'], async (browser) => {
    const page = await browser.newPage();
    shown += 1;
    if (shown === 1) {
      const crashed = page.waitForEvent('crash');
      await page.goto('chrome://crash').catch(() => crashed);
    }
    if (shown === 2) await browser.close();
    await page.setContent('<title>third</title>');
    return page.title();
  });
  expect([shown, title]).toEqual([3, 'third']);
});

it('names the mails that crash every browser', async () => {
  const mortal = useMortalBrowser(1);
  const killed = mortal.show(['bomb:1', 'bomb:2'], async (browser) => {
    const page = await browser.newPage();
    await browser.close();
    await page.title();
  });
  await expect(killed).rejects.toThrow('Chromium died 3 times showing bomb:1, bomb:2');
});

it('reports other failures unchanged', async () => {
  const mortal = useMortalBrowser(1);
  let shown = 0;
  const failed = mortal.show(['a'], () => {
    shown += 1;
    return Promise.reject(new Error('not as expected'));
  });
  await expect(failed).rejects.toThrow('not as expected');
  expect(shown).toBe(1);
});
