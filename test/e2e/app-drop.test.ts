// Files dropped on the page.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { type AppPage, noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp();

/** Drops a file as a browser does; resolves with whether the page took it, rather than left for it. */
function drop(page: AppPage['page'], name: string, content: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: 'message/rfc822' }));
    return ['dragover', 'drop'].map((type) => {
      const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      return event.defaultPrevented;
    });
  })()`);
}

it('stores an .eml file that is dropped on the page, where it appears like new mail', async () => {
  const { page, faults } = await app.openPage();
  await readAddress(page);
  const mail = 'From: Ann <ann@shop.example>\nSubject: From a file\n\nYour code is 482913.\n';
  expect(await drop(page, 'a.eml', mail)).toEqual([true, true]);
  await page.getByRole('link', { name: /From a file/ }).click();
  await page.getByRole('heading', { name: 'From a file' }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('says why a file is not taken', async () => {
  const { page } = await app.openPage();
  await readAddress(page);
  expect(await drop(page, 'a.png', '\u0089PNG')).toEqual([true, true]);
  await page.getByText(/is no message/).waitFor();
});
