// `npm run screenshots [FOLDER]`: takes pictures of every view of the page, light and dark, on a desktop and on a
// phone, with mails sent over SMTP to a service of its own, and of the operator's page, once all that has happened. They go
// to build/screenshots by default; some are copied by hand, to the README, to docs/admin-page.png, and to web/public, for
// browsers that offer to install the page. Needs Chromium (CHROMIUM_PATH).
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { chromium } from 'playwright-core';
import { ensureBuilt } from './build.mjs';
import { moreViews } from './screenshot-views.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ readonly token: string, readonly email: string, readonly expires_in: number }} Created */

const folder = path.resolve(
  process.argv[2] ?? fileURLToPath(new URL('../build/screenshots', import.meta.url)),
);
const shapes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  },
};
const schemes = /** @type {const} */ (['light', 'dark']);
/** Sender of the first mail, used to find it. */
const codeSender = 'Brook Bank';
const mails = [
  {
    from: 'Zoom <no-reply@zoom.example>',
    subject: '104728 is your Zoom code',
    text: 'Your code is 104728.\n',
  },
  {
    from: 'Hubbub <noreply@hubbub.example>',
    subject: 'Your receipt',
    text: 'Thank you. Your receipt is attached.\n',
  },
  { from: 'Sam <sam@home.example>', subject: 'lunch?', text: 'Lunch tomorrow at 12:30?\n' },
  {
    from: 'The Paper Weekly <news@paper.example>',
    subject: 'Ten slow walks through Lisbon',
    text: 'Start at the river.\n',
  },
  {
    from: 'Paper Kites <hello@paperkites.example>',
    subject: 'Please confirm your e-mail address',
    text: 'Welcome!\n\nConfirm your e-mail address:\nhttps://paperkites.example/verify-email?token=4f9a1c77e0b24d6b\n',
  },
  {
    from: 'Nora Lindqvist <nora@lindqvist.example>',
    subject: 'Tickets for Saturday',
    text: 'Hello,\n\nhere are the tickets. See you at seven.\n\nNora\n',
    attachments: [{ filename: 'tickets.pdf', content: Buffer.from('%PDF-1.4\n%%EOF\n') }],
  },
  {
    from: `${codeSender} <security@brookbank.example>`,
    subject: 'Your verification code is 482 913',
    text: 'Your verification code is 482913. It is valid for 10 minutes.\n',
    html: `<!DOCTYPE html><body style="margin:0;font-family:Arial,sans-serif;background:#f2f4f8">
<div style="max-width:440px;margin:20px auto;background:#fff;padding:28px;border-radius:10px;color:#1b2330">
<h1 style="font-size:22px;margin:0 0 12px">Confirm it is you</h1>
<p style="line-height:1.5">Enter this code to sign in. It is valid for 10 minutes.</p>
<p style="font-size:34px;letter-spacing:8px;background:#eef1f6;padding:14px;text-align:center;margin:16px 0">482913</p>
<p style="color:#5a6472;font-size:13px;margin:0">If you did not ask for it, ignore this message.</p>
<img src="https://track.brookbank.example/open.gif" width="1" height="1" alt=""></div></body>`,
  },
];

const dataFolder = await mkdtemp(path.join(tmpdir(), 'mayfly-screenshots-'));
await mkdir(folder, { recursive: true });
const service = await startService();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  for (const [shape, options] of Object.entries(shapes)) {
    for (const colorScheme of schemes) {
      await takeAll(`${shape}-${colorScheme}`, { ...options, colorScheme });
      for (const view of moreViews) {
        await takeView(view, `${shape}-${colorScheme}`, { ...options, colorScheme });
      }
    }
  }
  await takeRightToLeft();
  await takeOperator();
  console.log(folder);
} finally {
  await browser.close();
  await service.stop();
  await rm(dataFolder, { recursive: true, force: true });
}

async function startService() {
  const main = path.join(await ensureBuilt(), 'main.js');
  const env = {
    PATH: process.env['PATH'],
    MAYFLY_DATA_DIR: dataFolder,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_ADMIN_PORT: '0',
    MAYFLY_DNS_SERVERS: 'none',
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const piece of child.stdout) {
    printed += String(piece);
    const ready = /ready (http:\S+) smtp:\/\/\S+:(\d+)[^]*Operator: +(\S+)\n/.exec(printed);
    if (!ready) continue;
    const [, origin = '', smtpPort, operatorPage = ''] = ready;
    const stop = async () => {
      child.kill();
      await once(child, 'exit');
    };
    const run = async (/** @type {string[]} */ ...words) =>
      (await promisify(execFile)(process.execPath, [main, ...words], { env })).stdout;
    return { origin, smtpPort: Number(smtpPort), operatorPage, run, stop };
  }
  throw new Error('The service did not start.');
}

/**
 * @param {string} to
 * @param {readonly import('nodemailer').SendMailOptions[]} messages
 */
async function send(to, messages) {
  const transport = createTransport({ host: '127.0.0.1', port: service.smtpPort, ignoreTLS: true });
  for (const message of messages) await transport.sendMail({ ...message, to });
  transport.close();
}

/** @param {import('playwright-core').BrowserContextOptions} options */
async function open(options) {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(service.origin);
  const email = await page.getByTestId('address').textContent();
  return { page, email: email ?? '', close: () => context.close() };
}

/**
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} options
 */
async function takeAll(name, options) {
  const { page, email, close } = await open(options);
  const take = (/** @type {string} */ view) =>
    page.screenshot({ path: path.join(folder, `${name}-${view}.png`) });
  await page.getByText('Listening. Mail shows here at once.').waitFor();
  await take('empty');
  for (const [view, button] of [
    ['share', 'QR code'],
    ['end', 'End address'],
    ['create', 'Choose name, domain and time'],
    ['settings', 'Settings'],
  ]) {
    const opens = page.getByRole('button', { name: button ?? '', exact: true });
    if ((await opens.count()) === 0) {
      await page.getByRole('button', { name: 'More about this address' }).click();
    }
    await opens.click();
    await page.locator(view === 'share' ? '.qr-code' : 'dialog').waitFor();
    await take(view ?? '');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await page.keyboard.press('?');
  await page.locator('dialog').waitFor();
  await take('shortcuts');
  await page.keyboard.press('Escape');
  await send(email, mails);
  // Removes the focus ring of the button that opened the last dialog.
  await page.reload();
  await page.getByRole('link', { name: codeSender }).waitFor();
  await take('inbox');
  await page.getByRole('link', { name: codeSender }).click();
  await waitForMessage(page);
  await take('message');
  for (const tab of ['Text', 'Headers', 'Raw']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.locator('[role=tabpanel]:visible').waitFor();
    await take(`message-${tab.toLowerCase()}`);
  }
  await page.goto(`${service.origin}/docs`);
  await page.locator('[data-filled]:visible').waitFor();
  await take('docs');
  await close();
}

/**
 * @param {import('./screenshot-views.mjs').View} view
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} options
 */
async function takeView({ name: view, mails: own = [], lifetime, others = 0, show }, name, options) {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  const sessions = [];
  for (let at = 0; at <= others; at++) {
    const url = `${service.origin}/create-session${lifetime === undefined ? '' : `?lifetime=${lifetime}`}`;
    const created = await (await fetch(url, { method: 'POST' })).json();
    const { token, email, expires_in: seconds } = /** @type {Created} */ (created);
    sessions.push({ token, email, endsAt: Date.now() + seconds * 1000 });
  }
  const [first] = sessions;
  const kept = JSON.stringify({ version: 1, current: first?.token, sessions });
  await context.addInitScript(`localStorage.setItem('mayfly.sessions', ${JSON.stringify(kept)})`);
  const page = await context.newPage();
  await page.goto(service.origin);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await send(first?.email ?? '', own);
  if (own.length > 0) {
    await page
      .locator('.row')
      .nth(own.length - 1)
      .waitFor();
  }
  await show(page, options.isMobile === true);
  await page.screenshot({ path: path.join(folder, `${name}-${view}.png`) });
  await context.close();
}

async function takeRightToLeft() {
  const { page, email, close } = await open({ ...shapes.desktop, locale: 'ar' });
  await send(email, mails);
  await page.getByRole('link', { name: codeSender }).click();
  await waitForMessage(page);
  await page.screenshot({ path: path.join(folder, 'desktop-light-arabic.png') });
  await close();
}

/** Its charts begin with the service, so this comes last. */
async function takeOperator() {
  const [key = ''] = (await service.run('key', 'add', 'operator', '--admin')).split('\n');
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...shapes.desktop });
  const page = await context.newPage();
  await page.goto(service.operatorPage);
  await page.getByLabel('Admin key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Traffic' }).waitFor();
  await page.waitForLoadState('networkidle');
  // The sections beside it are as high as the window.
  const height = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...shapes.desktop.viewport, height: Number(height) });
  await page.screenshot({ path: path.join(folder, 'desktop-light-operator.png') });
  await context.close();
}

/**
 * Waits for the frame's resources, because the frame itself runs no scripts.
 * @param {Page} page
 */
async function waitForMessage(page) {
  await page.locator('iframe').waitFor();
  await page.frames().at(-1)?.waitForLoadState('load');
  await page.waitForLoadState('load');
}
