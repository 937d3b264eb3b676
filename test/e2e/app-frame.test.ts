// The message frame in the page: as high as the message, fitted to a phone, and limited in what it can post.
import type { FrameLocator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { codeMail } from '../support/page/app-mails.ts';
import {
  type AppPage,
  closeDialog,
  desktop,
  noFaults,
  openDialog,
  phone,
  pressUntil,
  readAddress,
} from '../support/page/app-page.ts';

const app = useApp();

interface Shown extends AppPage {
  readonly email: string;
  readonly mail: FrameLocator;
}

/** Opens one message with this HTML, which ends in `Last words`. */
async function show(html: string, options = desktop): Promise<Shown> {
  const opened = await app.openPage(options);
  const { page } = opened;
  const email = await readAddress(page);
  await app.service.send(email, { subject: 'The newest mail', html: `${html}<p>Last words</p>` });
  await page.getByRole('link', { name: /The newest mail/ }).click();
  const mail = page.locator('iframe').contentFrame();
  await mail.getByText('Last words').waitFor({ state: 'attached' });
  return { ...opened, email, mail };
}

interface Box {
  readonly frame: number;
  readonly content: number;
  readonly width: number;
  readonly contentWidth: number;
}

async function measure(page: Page, mail: FrameLocator): Promise<Box> {
  const found: unknown = await mail
    .locator('html')
    .evaluate(
      '(({ scrollHeight, scrollWidth }) => [scrollHeight, innerWidth, scrollWidth])(document.scrollingElement)',
    );
  const [content = NaN, width = NaN, contentWidth = NaN] = found as number[];
  const frame = (await page.locator('iframe').boundingBox())?.height ?? NaN;
  return { frame, content, width, contentWidth };
}

const paragraphs = Array.from({ length: 120 }, (_, at) => `<p>Paragraph ${at} of a long letter.</p>`).join(
  '',
);

it('is as high as a long message, so that there is one scroller', async () => {
  const { page, mail, faults } = await show(paragraphs);
  await expect.poll(async () => (await measure(page, mail)).frame).toBeGreaterThan(3000);
  const { frame, content } = await measure(page, mail);
  expect(content).toBeLessThanOrEqual(frame);
  expect(frame - content).toBeLessThan(40);
  const scroller = `(() => {
    const { scrollHeight, clientHeight } = document.querySelector('.reader');
    return [scrollHeight > clientHeight + 2000, document.documentElement.scrollHeight <= innerHeight];
  })()`;
  expect(await page.evaluate(scroller)).toEqual([true, true]);
  await mail.getByText('Last words').scrollIntoViewIfNeeded();
  expect(await mail.getByText('Last words').isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

const newsletter = `<body style="margin:0"><table width="600" style="width:600px"><tr><td><h1>Walks through Lisbon</h1>
<table width="100%"><tr><td>Headphones</td><td>Microphones</td><td>Loudspeakers</td></tr></table></td></tr></table>`;

it('fits a mail of 600 px to a phone, every word whole', async () => {
  const { page, mail, faults } = await show(newsletter, { ...phone, viewport: { width: 390, height: 844 } });
  await expect
    .poll(async () => {
      const { width, contentWidth } = await measure(page, mail);
      return contentWidth - width;
    })
    .toBeLessThanOrEqual(1);
  for (const word of ['Headphones', 'Microphones', 'Loudspeakers']) {
    const lines = await mail.getByText(word).evaluate((cell) => {
      const range = cell.ownerDocument.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    });
    expect([word, lines]).toEqual([word, 1]);
  }
  const right = await mail.getByText('Loudspeakers').boundingBox();
  expect((right?.x ?? NaN) + (right?.width ?? NaN)).toBeLessThanOrEqual(391);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(faults).toEqual(noFaults);
});

const heights = `new Promise((resolve) => {
  const seen = [];
  const look = () => {
    seen.push(document.querySelector('iframe').clientHeight);
    if (seen.length < 60) requestAnimationFrame(look);
    else resolve(seen);
  };
  look();
})`;

it.each([
  ['<!DOCTYPE html><div style="min-height:120vh;background:#eee">tall</div>', 1200],
  ['<div style="min-height:calc(100vh - 10px)">tall</div>', 1000],
  ['<!DOCTYPE html><style>html,body,table{height:100%!important}</style><table><tr><td>tall</table>', 1000],
  ['<style>body{min-height:100vh}</style><table height="100%"><tr><td>tall</table>', 1000],
  // Foreseen by no rule of ours.
  ['<!DOCTYPE html><div style="padding-top:100vmax">tall</div>', 4000],
])('does not grow with its own height: %s', async (html, most) => {
  const { page, faults } = await show(html);
  await expect.poll(async () => new Set(await page.evaluate<number[]>(heights)).size).toBe(1);
  expect(await page.locator('iframe').evaluate((frame) => frame.clientHeight)).toBeLessThan(most);
  expect(faults).toEqual(noFaults);
});

it('accepts messages only from its own frame and of the right form', async () => {
  const { page, mail, faults } = await show('<p>short</p>');
  const before = (await measure(page, mail)).frame;
  await page.evaluate(`(() => {
    postMessage({ kind: 'height', height: 9000 }, '*');
    const other = document.createElement('iframe');
    other.setAttribute('sandbox', 'allow-scripts');
    document.body.append(other);
    dispatchEvent(new MessageEvent('message', { source: other.contentWindow, origin: 'null', data: { kind: 'height', height: 9000 } }));
    dispatchEvent(new MessageEvent('message', { source: other.contentWindow, origin: 'null', data: { kind: 'key', key: 'd' } }));
    other.remove();
  })()`);
  // Once the last one is visible, the page has received the others.
  await mail.locator('html').evaluate(`(() => {
    for (const data of [{ kind: 'height', height: '9000' }, { kind: 'height' }, 'height', null, { kind: 'end' }]) {
      parent.postMessage(data, '*');
    }
    parent.postMessage({ kind: 'link', url: 'https://shop.example/seen' }, '*');
  })()`);
  await page.getByText('https://shop.example/seen').waitFor();
  expect((await measure(page, mail)).frame).toBe(before);
  expect(await page.getByText('Message deleted').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('shows a link’s target before it is followed', async () => {
  const { page, mail, faults } = await show('<a href="https://www.аpple.com/login">https://apple.com</a>');
  await mail.getByRole('link').hover();
  await page.getByText('https://www.xn--pple-43d.com/login').waitFor();
  await mail.getByText('Last words').hover();
  await page.locator('.link-target').waitFor({ state: 'detached' });
  expect(faults).toEqual(noFaults);
});

it('keeps shortcuts working after a click into the message', async () => {
  const { page, email, mail, faults } = await show('<p>Words to click</p>');
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).waitFor();
  await mail.getByText('Words to click').click();
  const newest = page.getByRole('heading', { name: 'Your verification code is 482 913' });
  await pressUntil(page, 'k', (limit) => newest.waitFor(limit));
  await page.locator('iframe').contentFrame().getByText('Confirm it is you').click();
  await openDialog(page, '?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await closeDialog(page);
  await page.locator('iframe').contentFrame().getByText('Confirm it is you').click();
  const title = page.locator('.message-title');
  await pressUntil(page, 'Escape', (limit) => title.waitFor({ ...limit, state: 'detached' }));
  expect(faults).toEqual(noFaults);
});

it('lays the background of a message under the whole frame', async () => {
  const { page, mail, faults } = await show(
    '<body style="background:#f2f4f8;margin:0"><p>On grey paper.</p>',
  );
  await mail.getByText('On grey paper').waitFor();
  const corners = async (): Promise<string[]> => {
    const { width, height, data } = PNG.sync.read(await page.locator('iframe').screenshot());
    return [20, width * 20 + width - 20, width * (height - 20) + 20].map((at) =>
      data.subarray(4 * at, 4 * at + 3).toString('hex'),
    );
  };
  await expect.poll(corners).toEqual(['f2f4f8', 'f2f4f8', 'f2f4f8']);
  expect(faults).toEqual(noFaults);
});

it('follows a link to another place in the message', async () => {
  const { page, mail, faults } = await show(
    `<p><a href="#far">To the end</a></p>${paragraphs}<h2 id="far">The end</h2><p><a href="#">Back</a></p>`,
  );
  const isInView = async (words: string): Promise<boolean> => {
    const box = await mail.getByText(words, { exact: true }).boundingBox();
    return box !== null && box.y >= 0 && box.y < 790;
  };
  await mail.getByText('To the end').click();
  await expect.poll(() => isInView('The end')).toBe(true);
  expect(page.url()).not.toContain('user-content');
  await mail.getByText('Back').click();
  await expect.poll(() => isInView('To the end')).toBe(true);
  expect(faults).toEqual(noFaults);
});

it('shows a message of 600 pixels at its own size in a window of 1280', async () => {
  const { page, mail, faults } = await show('<table width="600"><tr><td>A newsletter</td></tr></table>');
  await expect.poll(async () => (await measure(page, mail)).contentWidth).toBeGreaterThanOrEqual(600);
  expect(await mail.locator('html').evaluate('document.documentElement.style.zoom')).toBe('');
  const { contentWidth, width } = await measure(page, mail);
  expect(contentWidth).toBeLessThanOrEqual(width);
  expect(faults).toEqual(noFaults);
});

const framedUnseen = `new Promise((done) => {
  const kinds = [];
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = document.querySelector('.frame-box iframe').src;
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    kinds.push(frame.hidden ? 'hidden ' + data.kind : data.kind + (data.isSmall ?? ''));
    if (['scheme', 'fitfalse', 'height'].every((kind) => kinds.includes(kind))) done(kinds);
  });
  frame.addEventListener('load', () => {
    frame.hidden = false;
  });
  document.body.append(frame);
})`;

it('says nothing of its message before it has a width', async () => {
  const { page, faults } = await show('<p>Words of a plain mail, longer than a frame without a width.</p>');
  const reports = await page.evaluate<readonly string[]>(framedUnseen);
  expect(reports.toSorted()).toEqual(['fitfalse', 'height', 'scheme']);
  expect(faults).toEqual(noFaults);
});
