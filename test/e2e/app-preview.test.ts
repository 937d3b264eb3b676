// Attachments viewed without being saved: pictures in the page, PDF documents in the browser's own viewer.
import { deflateSync } from 'node:zlib';

import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { noFaults } from '../support/page/app-page.ts';

const app = useApp({}, { isWhole: true });

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const pngStart = onePixel.subarray(0, 8);

/** One page, with a script that reports if the viewer runs it. */
function pdf(): Buffer {
  const drawing = deflateSync('BT /F1 24 Tf 72 700 Td (Tickets) Tj ET');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert("run"\\);)>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${drawing.length}/Filter/FlateDecode>>stream\n${drawing.toString('latin1')}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  const body = objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Size 6/Root 1 0 R>>\n%%EOF\n`, 'latin1');
}

it('shows a picture over the message, closed by Back, and reports invalid ones', async () => {
  const { page, faults, email } = await app.open();
  await app.service.send(email, {
    subject: 'Pictures',
    text: 'Three.',
    attachments: [
      { filename: 'heron.png', content: onePixel },
      // It begins like a picture.
      { filename: 'broken.png', content: Buffer.concat([pngStart, Buffer.from('<script>1</script>')]) },
      { filename: 'claimed.png', content: Buffer.from('<script>1</script>') },
    ],
  });
  await page.getByRole('link', { name: /Pictures/ }).click();
  await page.getByRole('button', { name: 'Preview heron.png' }).click();
  const dialog = page.getByRole('dialog', { name: 'heron.png' });
  const picture = dialog.getByRole('img', { name: 'heron.png' });
  await expect.poll(() => picture.evaluate((img) => Reflect.get(img, 'naturalWidth') as number)).toBe(1);
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByRole('heading', { name: 'Pictures' }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Preview broken.png' }).click();
  await page.getByText('This picture can’t be shown.').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Preview heron.png' }).waitFor();
  expect(await page.getByTitle(/claimed\.png/).count()).toBe(1);
  expect(await page.getByTitle('Preview claimed.png').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('opens a PDF document in a new window, and nothing that only claims to be one', async () => {
  const { page, context, faults, email } = await app.open();
  await app.service.send(email, {
    subject: 'Documents',
    text: 'Three.',
    attachments: [
      { filename: 'tickets.pdf', content: pdf() },
      { filename: 'page.pdf', content: Buffer.from('<!DOCTYPE html><script>alert(1)</script>') },
      { filename: 'plain.txt', content: 'no preview' },
    ],
  });
  await page.getByRole('link', { name: /Documents/ }).click();
  const link = page.getByTitle('Preview tickets.pdf');
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(await page.getByTitle('Preview plain.txt').count()).toBe(0);
  const opening = context.waitForEvent('page');
  await link.click();
  const opened = await opening;
  await opened.waitForLoadState('domcontentloaded');
  expect(new URL(opened.url()).pathname).toBe('/inline-image');
  expect(opened.url()).not.toContain('mf_');
  // The document holds nothing from the sender: it is the frame Chromium's viewer creates for itself.
  expect(await opened.evaluate('[window.opener, document.referrer, document.scripts.length]')).toEqual([
    null,
    '',
    0,
  ]);
  await opened.close();
  const path = (await link.getAttribute('href')) ?? '';
  const answer = await fetch(new URL(path, app.service.origin));
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'inline; filename="tickets.pdf"',
    // WebKit shows nothing under `sandbox`.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(Buffer.from(await answer.arrayBuffer()).equals(pdf())).toBe(true);
  const other = await page.getByTitle('Preview page.pdf').getAttribute('href');
  const refused = await fetch(new URL(other ?? '', app.service.origin));
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    404,
    'application/json; charset=utf-8',
  ]);
  expect(faults).toEqual(noFaults);
});
