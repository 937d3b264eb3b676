// The checks that the page must pass in every engine: Chromium, Firefox and WebKit, which Safari is made of.
import { createTransport } from 'nodemailer';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { type AppService, startAppService } from '../support/page/app-page.ts';
import { type EngineBrowser, launchChromiumEngine } from '../support/page/engine-browser.ts';
import { eventually } from '../support/eventually.ts';
import { launchFirefox, launchWebKit } from '../support/page/webdriver.ts';

const engines: readonly (readonly [string, () => Promise<EngineBrowser>])[] = [
  ['Chromium', launchChromiumEngine],
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
];

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R>>endobj
4 0 obj<</Length 27>>stream
1 0 0 rg 0 0 300 300 re f Q
endstream endobj
trailer<</Root 1 0 R>>
`;
const wide = `<body style="margin:0"><table width="600" style="width:600px"><tr><td height="3000" valign="top">Words<img src="cid:logo@x">
<p style="background:#222 url(cid:logo@x)">Background</p></td></tr></table><script>parent.ran = 1</script><img src=x onerror="parent.ran=1"></body>`;
const plain = `<p style="color:#333">Plain words</p><p><a href="https://evil.example/">https://bank.example</a></p>
<blockquote type="cite">Quoted words</blockquote>`;
const far = `<p><a href="#far">Down</a></p>${'<p>Words</p>'.repeat(120)}<h2 id="far">The end</h2>`;

let service: AppService;
beforeAll(async () => {
  service = await startAppService();
});
afterAll(() => service.close());

async function deliver(to: string, htmls: readonly string[]): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: service.smtpPort, ignoreTLS: true });
  for (const html of htmls) {
    await comeAgain(() =>
      transport.sendMail({
        from: 'a@sender.test',
        to,
        subject: 'A mail',
        html,
        attachments: [
          { filename: 'logo.png', content: png, encoding: 'base64', cid: 'logo@x' },
          { filename: 'paper.pdf', content: pdf, contentType: 'application/pdf' },
        ],
      }),
    );
  }
  transport.close();
}

describe.each(engines)('%s', (_, launch) => {
  let browser: EngineBrowser;
  let email = '';

  beforeAll(async () => {
    browser = await launch();
    await browser.resize(390, 800);
    await browser.goto(service.url);
    email = await until<string>(
      'the page shows an address',
      `document.querySelector('[data-testid=address]')?.textContent`,
    );
    await deliver(email, [wide, '<!DOCTYPE html><div style="min-height:100vh">Tall</div>', far, plain]);
    await until('the list shows the mail', `document.querySelector('[data-id="4"]') && true`);
  });
  afterAll(() => browser.close());

  function until<Value>(what: string, expression: string, isInFrame = false): Promise<Value> {
    const look = async (): Promise<Value | undefined> => {
      const run = isInFrame ? browser.evaluateInFrame : browser.evaluate;
      // A frame that is loading has no document yet.
      const found = await run(expression).then(
        (value) => value,
        () => undefined,
      );
      return found === null || found === false || found === '' ? undefined : (found as Value | undefined);
    };
    return eventually(look, what);
  }

  async function open(id: number, words: string): Promise<void> {
    await browser.evaluate(`void (location.hash = '#message-${id}')`);
    await until(`the frame shows ${words}`, `document.body.textContent.includes('${words}')`, true);
  }

  const frameHeight = `Math.round(document.querySelector('iframe').getBoundingClientRect().height)`;
  const settled = async (): Promise<number> => {
    let last = -1;
    return eventually(async () => {
      const now = Number(await browser.evaluate(frameHeight));
      const isSame = now === last;
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return isSame ? now : undefined;
    }, 'the frame has its height');
  };

  it('shows the pictures inside a mail', async () => {
    await open(1, 'Words');
    await until('the picture', `document.querySelector('img')?.naturalWidth === 1`, true);
  });

  it('runs no script of a sender', async () => {
    expect(await browser.evaluate('String(window.ran)')).toBe('undefined');
    expect(await browser.evaluateInFrame('document.scripts.length')).toBe(1);
  });

  it('leaves no blank space below a mail that it makes smaller', async () => {
    const content = Number(
      await browser.evaluateInFrame(
        `document.querySelector('table').getBoundingClientRect().bottom * ('currentCSSZoom' in document.body ? 1 : Number(document.documentElement.style.zoom || 1))`,
      ),
    );
    expect(content).toBeGreaterThan(1_000);
    expect(await settled()).toBeLessThan(content + 40);
  });

  it('lays a wide mail out anew, so that its words keep their size', async () => {
    expect(await browser.evaluateInFrame('document.documentElement.dataset.fit')).toContain('reflow');
    expect(
      await browser.evaluateInFrame('Number(document.documentElement.style.zoom || 1)'),
    ).toBeGreaterThanOrEqual(0.875);
    expect(await browser.evaluateInFrame('document.documentElement.scrollWidth <= innerWidth + 1')).toBe(
      true,
    );
  });

  it('does not grow a mail as high as its window', async () => {
    await open(2, 'Tall');
    expect(await settled()).toBeLessThan(1_000);
  });

  it('follows a link to a place in the mail', async () => {
    await open(3, 'The end');
    await settled();
    await browser.clickInFrame('a');
    await until(
      'the place is in view',
      `document.querySelector('iframe').getBoundingClientRect().bottom < innerHeight + 400`,
    );
  });

  it('finds by operators, folds quoted mail, and asks about a misleading link', async () => {
    await browser.evaluate(`(() => {
      const field = document.querySelector('#search');
      field.value = 'is:unread plain';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await until('one message is found', `document.querySelectorAll('.row').length === 1 && true`);
    await open(4, 'Plain words');
    expect(await browser.evaluateInFrame(`document.querySelector('details')?.open`)).toBe(false);
    await browser.clickInFrame('a');
    await until(
      'the question',
      `document.querySelector('dialog[open]')?.textContent.includes('evil.example') && true`,
    );
  });

  it('shows a plain mail in dark colours on a dark page', async () => {
    await browser.evaluate(`localStorage.setItem('mayfly.settings', '{"theme":"dark"}')`);
    await browser.goto(service.url);
    await until('the list', `document.querySelector('[data-id="4"]') && true`);
    await open(4, 'Plain words');
    await until(
      'the ground is dark',
      `getComputedStyle(document.documentElement).backgroundColor === 'rgb(23, 27, 26)' && getComputedStyle(document.querySelector('p')).color !== 'rgb(51, 51, 51)'`,
      true,
    );
    await browser.evaluate(`localStorage.removeItem('mayfly.settings')`);
  });

  it('shows a PDF document', async () => {
    // Also when it is tried again, and the document is what the browser shows.
    await browser.goto(service.url);
    await open(3, 'The end');
    const link = await until<string>(
      'the link to the document',
      `[...document.querySelectorAll('a')].find(({ href }) => href.includes('/inline-image'))?.href`,
    );
    await browser.goto(link);
    const isRed = async (): Promise<true | undefined> => {
      const { data } = PNG.sync.read(await browser.screenshot());
      let red = 0;
      for (let at = 0; at < data.length; at += 4) {
        if ((data[at] ?? 0) > 200 && (data[at + 1] ?? 255) < 60 && (data[at + 2] ?? 255) < 60) red += 1;
      }
      return red > 2_000 || undefined;
    };
    await eventually(isRed, 'the red page of the document');
  });
});
