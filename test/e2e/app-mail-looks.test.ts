// Mail as it should be read: plain mail in the page's dark colours, wide mail at a size that can be read, quoted mail and
// signatures folded.
import type { FrameLocator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { codeMail } from '../support/page/app-mails.ts';
import { type AppPage, desktop, noFaults, phone } from '../support/page/app-page.ts';

const app = useApp();

async function show(html: string, options = desktop): Promise<AppPage & { readonly mail: FrameLocator }> {
  const opened = await app.open(options);
  return { ...opened, mail: await showIn(opened, html) };
}

async function showIn({ page, email }: OpenedApp, html: string): Promise<FrameLocator> {
  await app.service.send(email, { subject: 'The mail', html });
  await page.getByRole('link', { name: /The mail/ }).click();
  return page.locator('iframe').contentFrame();
}

/** The lightness of a point of the frame, 0 to 255. */
async function lightAt(page: Page, x: number, y: number): Promise<number> {
  const { width, data } = PNG.sync.read(await page.locator('iframe').screenshot());
  const at = 4 * (y * width + x);
  return Math.round((data.readUInt8(at) + data.readUInt8(at + 1) + data.readUInt8(at + 2)) / 3);
}

/** An expression for the innermost element that has the words. */
function elementWith(words: string): string {
  return `[...document.querySelectorAll('body *')].filter((one) => one.textContent.includes(${JSON.stringify(words)})).at(-1)`;
}

/** The contrast of words with the background that is given to their element or inherited. */
async function contrastOf(mail: FrameLocator, words: string): Promise<number> {
  const contrast: unknown = await mail.locator('html').evaluate(`(() => {
    const element = ${elementWith(words)};
    const parse = (text) => text.match(/[\\d.]+/g).map(Number);
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    let ground = element;
    const isClear = (one) => (parse(getComputedStyle(one).backgroundColor)[3] ?? 1) === 0;
    while (ground !== document.documentElement && isClear(ground)) ground = ground.parentElement;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(parse(getComputedStyle(ground).backgroundColor))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  })()`);
  return Number(contrast);
}

const dark = { ...desktop, colorScheme: 'dark' } as const;
const plain = `<p>Hello Robin,</p><p style="color:#333">how are <a href="https://a.example/">you</a>?</p>
<div style="background:#fff;color:#000">White</div><div style="background:#ffd;color:#222">Light</div>
<p><a style="background:#0b5fff;color:#fff;padding:8px" href="https://b.example/">Button</a></p><p style="color:#999">Small print</p>`;

it('shows a plain mail in dark colours on a dark page, each text readable, and as sent on request', async () => {
  const { page, mail, faults } = await show(plain, dark);
  await mail.getByText('Hello Robin').waitFor();
  await expect.poll(() => lightAt(page, 300, 4)).toBeLessThan(40);
  for (const words of ['Hello Robin,', 'how are', 'you', 'White', 'Light', 'Button', 'Small print']) {
    expect(await contrastOf(mail, words), words).toBeGreaterThanOrEqual(4.5);
  }
  expect(
    await mail.locator('html').evaluate(`getComputedStyle(${elementWith('Button')}).backgroundColor`),
  ).toBe('rgb(11, 95, 255)');
  expect(await checkAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show as sent' }).click();
  await expect.poll(() => lightAt(page, 300, 4)).toBe(255);
  expect(await mail.getByText('White').getAttribute('style')).toBe('background:#fff;color:#000');
  await page.getByRole('button', { name: 'Show dark' }).click();
  await expect.poll(() => lightAt(page, 300, 4)).toBeLessThan(40);
  expect(faults).toEqual(noFaults);
});

it('leaves a designed mail its colours on a dark page, and darkens it on request', async () => {
  const { page, email, faults } = await app.open(dark);
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.locator('iframe').contentFrame().getByText('Confirm it is you').waitFor();
  await expect.poll(() => lightAt(page, 300, 4)).toBeGreaterThan(230);
  await page.getByRole('button', { name: 'Show dark' }).click();
  await expect.poll(() => lightAt(page, 300, 4)).toBeLessThan(80);
  // The colour of the body fills the frame below a short message too.
  const height = (await page.locator('iframe').boundingBox())?.height ?? 0;
  expect(height).toBeGreaterThan(450);
  expect(await lightAt(page, 300, Math.floor(height) - 8)).toBe(await lightAt(page, 300, 4));
  expect(await contrastOf(page.locator('iframe').contentFrame(), 'Confirm it is you')).toBeGreaterThanOrEqual(
    4.5,
  );
  expect(faults).toEqual(noFaults);
});

it('changes no colour on a light page, and follows the page when its colours change', async () => {
  const { page, mail, faults } = await show(plain, { ...desktop, colorScheme: 'light' });
  await mail.getByText('Hello Robin').waitFor();
  expect(await lightAt(page, 300, 4)).toBe(255);
  expect(await page.locator('.frame-tools').count()).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => lightAt(page, 300, 4)).toBeLessThan(40);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => lightAt(page, 300, 4)).toBe(255);
  expect(faults).toEqual(noFaults);
});

/** The size at which the words are shown. */
async function sizeOf(mail: FrameLocator, words: string): Promise<number> {
  const size: unknown = await mail.locator('html').evaluate(`(() => {
    const element = ${elementWith(words)};
    const zoom = element.currentCSSZoom ?? Number(document.documentElement.style.zoom || 1);
    return parseFloat(getComputedStyle(element).fontSize) * zoom;
  })()`);
  return Number(size);
}

const letter = `<body style="margin:0"><table width="640" style="width:640px;font-size:16px"><tr>
<td width="320" style="width:320px"><p style="font-size:16px">The first story of the week</p></td>
<td width="320" style="width:320px"><p style="font-size:16px">The second story of the week</p></td></tr></table>`;

it('keeps the words of a wide newsletter readable on a phone, or fits it whole on request', async () => {
  const { page, mail, faults } = await show(letter, { ...phone, viewport: { width: 390, height: 844 } });
  await mail.getByText('The second story').waitFor();
  const width = async (): Promise<number> =>
    Number(await mail.locator('html').evaluate('document.scrollingElement.scrollWidth - innerWidth'));
  await page.getByRole('button', { name: 'Readable' }).waitFor();
  expect(await sizeOf(mail, 'The second story')).toBeGreaterThanOrEqual(14);
  await expect.poll(width).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect.poll(() => sizeOf(mail, 'The second story')).toBeLessThan(12);
  expect(await width()).toBeLessThanOrEqual(1);
  expect(await checkAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Readable' }).click();
  await expect.poll(() => sizeOf(mail, 'The second story')).toBeGreaterThanOrEqual(14);
  expect(faults).toEqual(noFaults);
});

it('folds quoted mail and signatures after words of the sender’s own', async () => {
  const { page, mail, faults } = await show(
    `<p>Yes, gladly.</p><div class="gmail_signature">Nora, 5 Main Street</div>
<div class="gmail_quote"><div class="gmail_attr">On Monday Ann wrote:</div><blockquote>Are you coming?</blockquote></div>`,
  );
  await mail.getByText('Yes, gladly.').waitFor();
  const hidden = [mail.getByText('Are you coming?'), mail.getByText('Nora, 5 Main Street')];
  for (const words of hidden) expect(await words.isVisible()).toBe(false);
  for (const handle of await mail.getByLabel('Show or hide quoted text').all()) await handle.click();
  for (const words of hidden) await words.waitFor();
  await page.getByRole('tab', { name: 'Text' }).click();
  expect(faults).toEqual(noFaults);
});

const signatures = [
  '<div class="gmail_signature">Sig 0</div>',
  '<div class="moz-signature">-- <br>Sig 1</div>',
  '<div id="Signature"><p>Sig 2</p></div>',
  '<div id="ms-outlook-mobile-signature">Sig 3</div>',
  '<div class="ms-outlook-ios-signature">Sig 4</div>',
  '<div id="AppleMailSignature" dir="ltr">Sig 5</div>',
  '<div class="bloop_sign" id="bloop_sign_1">Sig 6</div>',
  '<div class="protonmail_signature_block">Sig 7</div>',
  '<div class="k9mail-signature">Sig 8</div>',
  '<span class="-x-evo-signature">Sig 9</span>',
  '<div id="ydp12ab"><div class="ydp34cdsignature">Sig 10</div></div>',
  '<div id="_rc_sig">Sig 11</div>',
  '<div><p>-- </p><p>Sig 12</p></div>',
  '<div>Bye<br>--&nbsp;<br>Sig 13<br></div>',
  '<pre>Bye\n</pre><div><div>-- <br></div><div>Sig 14</div></div>',
];

it('folds the signatures of common programs, each by its mark', async () => {
  const { mail, faults } = await show(`<p>Yes, gladly.</p>${signatures.join('<p>Words between.</p>')}`);
  await mail.getByText('Yes, gladly.').waitFor();
  await expect.poll(() => mail.getByLabel('Show or hide quoted text').count()).toBe(signatures.length);
  const shown = await mail
    .getByText(/^\s*Sig \d+/)
    .evaluateAll((all) => all.map((one) => one.checkVisibility()));
  expect(shown.filter(Boolean)).toEqual([]);
  expect(await mail.getByText('Words between.').last().isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

it.each([
  ['a code', '<div class="gmail_signature">Your code is <b>482</b> 913</div>', 'Your code is'],
  [
    'a sign-in link',
    '<div id="Signature"><a href="https://shop.example/login?token=4f9a1c77e0b2">Sign in to Shop</a></div>',
    'Sign in to Shop',
  ],
  [
    'the mail itself',
    `<div id="ms-outlook-mobile-signature">${'Long words. '.repeat(300)}</div>`,
    'Long words.',
  ],
])('never folds %s away as a signature', async (_, html, words) => {
  const { mail, faults } = await show(`<p>Hello,</p>${html}`);
  await expect.poll(() => mail.getByText(words).isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

it('reads a long mail once to fold it, however many signatures it has', async () => {
  const signature = (words: string): string => `<p class="gmail_signature">${words}</p>`;
  const blank = `<p>${'&nbsp;'.repeat(50)}</p>${signature('&nbsp;')}`.repeat(200);
  const html = `${blank}<p>${'word '.repeat(2000)}</p>${signature('Nora').repeat(200)}`;
  const opened = await app.open(desktop);
  await opened.page.addInitScript(`
    window.charactersRead = 0;
    const { toString } = Range.prototype;
    Range.prototype.toString = function () {
      const text = toString.call(this);
      window.charactersRead += text.length;
      return text;
    };`);
  const mail = await showIn(opened, html);
  await expect.poll(() => mail.getByLabel('Show or hide quoted text').count()).toBe(200);
  const read = Number(await mail.locator('html').evaluate('window.charactersRead'));
  expect(read).toBeGreaterThan(10_000);
  expect(read).toBeLessThan(2 * html.length);
  expect(opened.faults).toEqual(noFaults);
});

it('shows a mail that is all quotation', async () => {
  const { mail, faults } = await show('<blockquote type="cite"><p>Forwarded words</p></blockquote>');
  await mail.getByText('Forwarded words').waitFor();
  expect(faults).toEqual(noFaults);
});

it('folds the quotation of a plain text', async () => {
  const { page, email, faults } = await app.open();
  await app.service.send(email, {
    subject: 'Re: Lunch',
    text: 'Yes.\n\nOn Monday, Ann wrote:\n> Are you coming?\n> Ann\n\n-- \nNora\n',
  });
  await page.getByRole('link', { name: /Re: Lunch/ }).click();
  const text = page.getByTestId('text');
  await text.getByText('Yes.').waitFor();
  expect(await text.innerText()).not.toContain('Are you coming?');
  await text.getByLabel('Show or hide quoted text').first().click();
  await expect.poll(() => text.innerText()).toContain('Are you coming?');
  expect(faults).toEqual(noFaults);
});
