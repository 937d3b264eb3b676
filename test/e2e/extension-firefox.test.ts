// The same extension in Firefox, with a service whose certificate a person has to accept.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AppService, startAppService } from '../support/page/app-page.ts';
import { type FirefoxWithExtension, launchFirefoxWithExtension } from '../support/page/extension-firefox.ts';
import { type ExtensionPages, servePages } from '../support/page/extension-pages.ts';
import { makeCertificate } from '../support/servers/certificate.ts';
import { eventually } from '../support/eventually.ts';

let service: AppService;
let firefox: FirefoxWithExtension;
let pages: ExtensionPages;
/** The service's name, of another machine as far as the extension knows, and a certificate that nothing vouches for. */
const host = 'mail.home.test';
const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-firefox-service-'));
beforeAll(async () => {
  const { cert, key } = makeCertificate(host);
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const hosts = ['shop.test', 'evil.test', 'frame.shop.test', 'deep.shop.test', 'ionic.test', host];
  [service, firefox, pages] = await Promise.all([
    startAppService({
      MAYFLY_HTTP_TLS: 'files',
      MAYFLY_HTTP_TLS_CERT_FILE: certFile,
      MAYFLY_HTTP_TLS_KEY_FILE: keyFile,
      MAYFLY_HTTP_REDIRECT_PORT: 'off',
      MAYFLY_HTTP_PUBLIC_URL: `https://${host}`,
    }),
    launchFirefoxWithExtension(hosts),
    servePages(),
  ]);
  // As its person begins: with the options, which say what a browser wants of such a certificate.
  const url = service.url.replace('127.0.0.1', host);
  const asked = `\u2068${new URL(url).host}\u2069 isn’t responding. Open it in a tab once if its certificate is self-signed.`;
  expect(await saveOptions(url)).toBe(asked);
  await firefox.acceptCertificate(url);
  expect(await saveOptions(url)).toContain('mayfly.test');
});
afterAll(async () => {
  pages.close();
  await firefox.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

/** @returns the answer in words */
async function saveOptions(url: string): Promise<string> {
  await firefox.goto(`${firefox.origin}/view.html`);
  await eventually(
    async () => ((await firefox.evaluate(`!!document.querySelector('input.url')`)) ? true : undefined),
    'the options are drawn',
  );
  const [x, y] = (await firefox.evaluate(`(() => {
    document.querySelector('input.url').value = '${url}';
    document.querySelector('input[value=every]').checked = true;
    document.querySelector('button.act').scrollIntoView({ block: 'center' });
    const { left, top, width, height } = document.querySelector('button.act').getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  })()`)) as [number, number];
  await firefox.click(x, y);
  return eventually(
    async () =>
      ((await firefox.evaluate(`document.querySelector('.result').textContent`)) as string) || undefined,
    'the options have a result',
  );
}

/** The extension's elements are the last in the document. */
const shown = `(() => {
  const last = document.documentElement.lastElementChild;
  if (!last?.matches('div:popover-open') || last.style.display === 'none') return null;
  const { left, top, width, height } = last.getBoundingClientRect();
  return width > 0 ? { left, top, width, height } : null;
})()`;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function seeBox(isCard: boolean): Promise<Box> {
  return eventually(
    async () => {
      const box = (await firefox.evaluate(shown)) as Box | null;
      return box && box.width > 100 === isCard ? box : undefined;
    },
    isCard ? 'the card is shown' : 'the icon is shown',
  );
}

async function clickIcon(): Promise<void> {
  const { left, top, width, height } = await seeBox(false);
  await firefox.click(left + width / 2, top + height / 2);
}

async function clickCode(): Promise<void> {
  const { left, top, width } = await seeBox(true);
  // Below the card's first line.
  await firefox.click(left + width / 2, top + 64);
}

function valueOf(selector: string): Promise<string> {
  return eventually(
    async () =>
      ((await firefox.evaluate(`document.querySelector('${selector}').value`)) as string) || undefined,
    `${selector} is filled in`,
  );
}

const csp = { 'content-security-policy': "default-src 'self'" };
const form = `<h1>Create your account</h1><form><input type="email" id="email"><button>Sign up</button></form>`;

function frameOf(host: string, path: string): string {
  return `<iframe src="http://${host}:${pages.port}${path}" width="600" height="200"></iframe>`;
}

describe('in Firefox', () => {
  it('a sign-up takes two clicks, under a strict policy too', async () => {
    const code = '<label>Verification code <input id="code" autocomplete="one-time-code"></label>';
    await firefox.goto(
      pages.add('shop.test', '/signup', { body: `<!doctype html>${form}${code}`, headers: csp }),
    );
    await clickIcon();
    const email = await valueOf('#email');
    expect(email).toMatch(/^shop\.[a-z2-9]{10}@mayfly\.test$/);
    await service.send(email, {
      from: 'hi@shop.test',
      subject: 'Code',
      text: 'Your verification code is 482913.',
    });
    await clickCode();
    expect(await valueOf('#code')).toBe('482913');
  });

  it('a field in a closed shadow root is filled', async () => {
    await firefox.goto(pages.urlOf('ionic'));
    await clickIcon();
    await eventually(
      async () =>
        (await firefox.evaluate(`document.activeElement.localName`)) === 'x-input' ? true : undefined,
      'the field has the focus',
    );
  });

  it('clicks of the page’s own do nothing, and frames of other sites get nothing', async () => {
    pages.add('frame.shop.test', '/form', { body: form });
    const frame = `<iframe src="http://frame.shop.test:${pages.port}/form" width="600" height="200"></iframe>`;
    await firefox.goto(pages.add('evil.test', '/signup', { body: `<!doctype html>${form}${frame}` }));
    await seeBox(false);
    await firefox.evaluate(`(document.documentElement.lastElementChild.click(), true)`);
    expect(await firefox.evaluate(`document.querySelector('#email').value`)).toBe('');
    expect(await firefox.evaluate(`document.documentElement.lastElementChild.shadowRoot === null`)).toBe(
      true,
    );
  });

  it('frames of the site are offered an address, unless another site or a sandbox is around them', async () => {
    pages.add('frame.shop.test', '/form', { body: `<!doctype html>${form}` });
    pages.add('frame.shop.test', '/around', {
      body: `<!doctype html>${frameOf('frame.shop.test', '/form')}`,
    });
    pages.add('deep.shop.test', '/form', { body: `<!doctype html>${form}` });
    pages.add('evil.test', '/around', { body: `<!doctype html>${frameOf('deep.shop.test', '/form')}` });
    const hasIcon = async (path: string): Promise<boolean> =>
      (await firefox.evaluateIn(path, shown)) !== null;
    const open = async (frames: string): Promise<void> => {
      await firefox.goto(
        pages.add('shop.test', '/framed', { body: `<!doctype html><h1>Join</h1>${frames}` }),
      );
      await eventually(
        async () => (await hasIcon('frame.shop.test/form')) || undefined,
        'its own has the icon',
      );
    };
    await open(frameOf('frame.shop.test', '/around') + frameOf('evil.test', '/around'));
    expect(await hasIcon('deep.shop.test/form')).toBe(false);
    await open(
      frameOf('frame.shop.test', '/form') +
        frameOf('deep.shop.test', '/form').replace('<iframe', '<iframe sandbox="allow-scripts"'),
    );
    expect(await hasIcon('deep.shop.test/form')).toBe(false);
    await open(frameOf('frame.shop.test', '/form') + frameOf('deep.shop.test', '/form'));
    await eventually(
      async () => (await hasIcon('deep.shop.test/form')) || undefined,
      'another origin has it too',
    );
  });
});
