// Opens mails in a phone's window in turn, and reports words that are cut in two and elements wider than the window.
import { createTransport } from 'nodemailer';
import { expect } from 'vitest';

import { comeAgain } from '../faults/come-again.ts';
import type { App } from './app-fixture.ts';
import { noFaults, phone } from './app-page.ts';
import type { TemplateMail } from '../mail/template-mails.ts';

/** Runs in the frame: how much wider it is than its window, and the words split over two lines. */
const findBroken = `(() => {
  const { documentElement: root, body } = document;
  const broken = [];
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{M}\\d.,]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return { wider: root.scrollWidth - root.clientWidth, broken };
})()`;

interface Found {
  readonly wider: number;
  readonly broken: readonly string[];
}

export async function expectNarrow(app: App, mails: readonly TemplateMail[]): Promise<void> {
  const { page, faults, email } = await app.open({ ...phone, viewport: { width: 390, height: 844 } });
  const { smtpPort: port } = app.service;
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: 1,
    ignoreTLS: true,
  });
  for (const mail of mails) {
    await comeAgain(() => transport.sendMail({ from: 'shop@shop.example', to: email, ...mail }));
  }
  transport.close();
  await expect.poll(() => page.locator('.row').count(), { timeout: 60_000 }).toBe(mails.length);
  for (const [at, { subject }] of mails.entries()) {
    await page.evaluate(`location.hash = 'message-${at + 1}'`);
    await page.getByRole('heading', { name: subject, exact: true }).waitFor();
    const frame = page.locator('iframe').contentFrame();
    await frame.locator('body').waitFor({ state: 'attached' });
    // It is fitted a moment after it appears.
    await expect
      .poll(
        async () => {
          const found: unknown = await frame.locator('html').evaluate(findBroken);
          const { wider, broken } = found as Found;
          return { subject, wider: Math.max(1, wider), broken };
        },
        { timeout: 15_000 },
      )
      .toEqual({ subject, wider: 1, broken: [] });
    const sideways = Number(await page.evaluate('document.documentElement.scrollWidth'));
    expect([subject, sideways]).toEqual([subject, 390]);
  }
  expect(faults).toEqual(noFaults);
}
