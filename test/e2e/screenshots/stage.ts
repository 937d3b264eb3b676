// How views are set up for their pictures: the page with addresses and mail of its own, in one look.
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

import type { App } from '../../support/page/app-fixture.ts';
import { comeAgain } from '../../support/faults/come-again.ts';
import { openAppPage } from '../../support/page/app-page.ts';
import { startDev, rootOf } from '../../support/service/dev-process.ts';
import type { ExtensionStage } from './extension-stage.ts';
import { type Look, type Scheme, type Shape, shapes } from './look.ts';

export interface Stage {
  readonly app: App;
  readonly look: Look;
  readonly isPhone: boolean;
  /** Started when the first view needs it. */
  extension(): Promise<ExtensionStage>;
}

export interface View {
  /** A part of the picture's file name. */
  readonly name: string;
  /** The looks in which there is something to see; all by default. */
  readonly shapes?: readonly Shape[];
  readonly schemes?: readonly Scheme[];
  /** Leaves a page as its picture needs it. */
  readonly show: (stage: Stage) => Promise<Page>;
}

export interface Given {
  /** Sent before the view is shown, the newest last. */
  readonly mails?: readonly SendMailOptions[];
  /** Seconds. */
  readonly lifetime?: number;
  /** The beginning of the address; the look is added to it. */
  readonly prefix?: string;
  /** Further addresses. */
  readonly others?: number;
  readonly locale?: string;
  /** Whether the page's clock is the test's. */
  readonly hasOwnClock?: boolean;
}

export interface Shown {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly email: string;
  readonly token: string;
  readonly stage: Stage;
  send(mail: SendMailOptions): Promise<void>;
}

interface Lent {
  readonly token: string;
  readonly email: string;
  readonly endsAt: number;
}

/** Makes a view of the page: `show` begins when the mail is in the list. */
export function pageView(
  given: Given,
  show: (shown: Shown) => Promise<unknown> = () => Promise.resolve(),
): View['show'] {
  return async (stage) => {
    const shown = await openPage(stage, given);
    await show(shown);
    return shown.page;
  };
}

async function openPage(stage: Stage, given: Given): Promise<Shown> {
  const { service, browser } = stage.app;
  const { mails = [], others = 0, locale = 'en-US', hasOwnClock = false } = given;
  const sessions = [await lend(service.url, stage.look, given)];
  for (let at = 0; at < others; at++) sessions.push(await lend(service.url, stage.look, {}));
  const [first] = sessions;
  if (!first) throw new Error('There is no address.');
  const { page, context, close } = await openAppPage(
    browser,
    { origin: service.origin, url: 'about:blank' },
    { ...shapes[stage.look.shape], colorScheme: stage.look.colorScheme, locale },
  );
  onTestFinished(close);
  const kept = JSON.stringify({ version: 1, current: first.token, sessions });
  // Once: a reload keeps what the page has made of it.
  await context.addInitScript(`if (location.protocol !== 'about:' && !sessionStorage.getItem('given')) {
    sessionStorage.setItem('given', '1');
    localStorage.setItem('mayfly.sessions', ${JSON.stringify(kept)});
  }`);
  if (hasOwnClock) await page.clock.install();
  await page.goto(service.url);
  await page.locator('.connection.is-live').waitFor({ state: 'attached' });
  for (const mail of mails) await service.send(first.email, mail);
  if (mails.length > 0) {
    await page
      .locator('.row')
      .nth(mails.length - 1)
      .waitFor();
  }
  const send = (mail: SendMailOptions): Promise<void> => service.send(first.email, mail);
  return { page, context, stage, send, email: first.email, token: first.token };
}

async function lend(url: string, look: Look, { lifetime, prefix }: Given): Promise<Lent> {
  const parameters = {
    ...(lifetime === undefined ? {} : { lifetime: String(lifetime) }),
    ...(prefix === undefined ? {} : { prefix: `${prefix}-${look.shape[0]}${look.colorScheme[0]}` }),
  };
  const answer = await fetch(`${url}create-session`, {
    method: 'POST',
    body: new URLSearchParams(parameters),
  });
  if (!answer.ok) throw new Error(`No address: ${await answer.text()}`);
  const {
    token,
    email,
    expires_in: seconds,
  } = (await answer.json()) as {
    readonly token: string;
    readonly email: string;
    readonly expires_in: number;
  };
  return { token, email, endsAt: Date.now() + seconds * 1000 };
}

/** The page of `mayfly dev`, with its mail in the list. */
export async function openDevPage(
  { app, look }: Stage,
  mails: readonly (SendMailOptions & { readonly worker?: string })[],
): Promise<{ readonly page: Page; readonly origin: string }> {
  const mayfly = await startDev();
  const origin = rootOf(mayfly);
  const { page, close } = await openAppPage(
    app.browser,
    { origin, url: `${origin}/` },
    { ...shapes[look.shape], colorScheme: look.colorScheme },
  );
  onTestFinished(close);
  await page.locator('.connection.is-live').waitFor({ state: 'attached' });
  for (const { worker, ...mail } of mails) {
    const transport = createTransport({
      host: '127.0.0.1',
      port: mayfly.smtpPort,
      ignoreTLS: true,
      ...(worker === undefined ? {} : { auth: { user: worker, pass: 'any' } }),
    });
    await comeAgain(() => transport.sendMail(mail));
    transport.close();
  }
  const own = mails.filter(({ worker }) => worker === undefined).length;
  const rows = page.locator('.row');
  if (own > 0) await rows.nth(own - 1).waitFor();
  return { page, origin };
}

/** Opens a mail of the list, and waits until its frame has come. */
export async function readMail(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('tabpanel').waitFor();
  await page.locator('iframe').waitFor();
  await page.frames().at(-1)?.waitForLoadState('load');
}
