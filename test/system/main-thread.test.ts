// No request keeps the main thread busy for long, whatever a sender or a caller wrote: the worst known mail, through
// every operation that reads mail, and the worst header fields. Measures the processor time of a single turn of the
// event loop.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { createDataFolder, type Lent, type MayflyProcess, startMayfly } from '../support/mayfly-process.ts';
import { comeAgain } from '../support/come-again.ts';

/** Turns with ordinary mail take two; the worst of this mail takes ten, and once took hundreds. */
const longestMs = 40;

const html = (body: string): string =>
  `Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${body}\r\n` +
  '--b\r\nContent-Type: image/png\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--b--\r\n';
const plain = (line: string, bytes: number): string =>
  `Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${`${line}\r\n`.repeat(Math.ceil(bytes / (line.length + 2)))}`;

const mails: Readonly<Record<string, string>> = {
  'an inline image 15,000 times': html('<img src=cid:a>\r\n'.repeat(15_000)),
  '10,000 remote images': html(
    Array.from({ length: 10_000 }, (_, i) => `<img src=http://a.test/${i}>\r\n`).join(''),
  ),
  'formatting made anew': html(
    `<p>${Array.from({ length: 450 }, (_, i) => `<b class=${i}>`).join('')}${'<p>x'.repeat(450)}`,
  ),
  '10,000 deceptive links': html(
    Array.from({ length: 10_000 }, (_, i) => `<a href=https://u:p@a${i}.test/>b.test</a>\r\n`).join(''),
  ),
  '1 MB of HTML in entities': html('&amp;&lt;&quot;\r\n'.repeat(60_000)),
  '2 MB of markup as text': plain('<&>"<&>"<&>"<&>"<&>"<&>"<&>"<&>"<&>"<&>"<&>"<&>"', 2_000_000),
  '2 MB of control characters': plain('\u0001\u0002\u0003\u0004\u0005\u0006\u0007'.repeat(10), 2_000_000),
  '1.5 MB of Chinese': plain('请在十分钟内输入验证码'.repeat(5), 500_000),
  '2,000 fields': `Subject: x\r\n${Array.from({ length: 2000 }, (_, i) => `X-${i}: ${'"'.repeat(100)}\r\n`).join('')}\r\nx\r\n`,
  '1,000 parts': `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: image/png; name="<>\\"".png\r\n\r\nx\r\n'.repeat(1100)}--b--\r\n`,
};

const folder = await createDataFolder();
const file = path.join(folder.path, 'longest-turn');
const sessions = new Map<string, Lent>();
let mayfly: MayflyProcess;
let reports = 0;

beforeAll(async () => {
  mayfly = await startMayfly(folder.path, {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_HTTP_TRUSTED_PROXIES: '127.0.0.1',
    MAYFLY_HTTP_PROXY_HEADER: 'forwarded',
    MAYFLY_HTTP_IMAGE_PROXY: 'on',
    NODE_OPTIONS: `--import ${new URL('../support/longest-turn.mjs', import.meta.url).href}`,
    LONGEST_TURN_FILE: file,
  });
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  for (const [name, raw] of Object.entries(mails)) {
    const session = await mayfly.lend();
    sessions.set(name, session);
    // The first run compiles the code, which is not the sender's doing; the second is measured.
    for (let i = 0; i < 2; i++) {
      await comeAgain(() =>
        transport.sendMail({ envelope: { from: 'a@sender.test', to: session.email }, raw }),
      );
    }
  }
  transport.close();
}, 240_000);

afterAll(async () => {
  await mayfly.stop();
  await folder.remove();
});

/** Since the last call. */
async function longestTurn(): Promise<number> {
  reports += 1;
  mayfly.child.kill('SIGUSR2');
  return vi.waitFor(
    () => {
      const [count, ms] = readFileSync(file, 'utf8').split(' ').map(Number);
      if (count !== reports || ms === undefined) throw new Error('not yet');
      return ms;
    },
    { timeout: 2 * 60_000 },
  );
}

async function ask(target: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(mayfly.origin + target, { headers: fields });
  await response.arrayBuffer();
  expect(response.status).toBeLessThan(500);
}

const targetsOf = (id: number): string[] => [
  '/check-mail',
  `/wait-mail?timeout=0&after=${id - 1}&contains=${encodeURIComponent(`${'x'.repeat(199)}y`)}`,
  `/wait-mail?timeout=0&after=${id - 1}&contains=${encodeURIComponent('请'.repeat(200))}`,
  `/read-mail?id=${id}`,
  `/html-mail?id=${id}`,
  `/html-mail?id=${id}&remote=1`,
  `/wait-mail?timeout=0&after=${id - 1}`,
  `/raw-mail?id=${id}`,
  `/attachment?id=${id}&part=2`,
  '/session',
];

it.each(Object.keys(mails))(
  'blocks the event loop no longer than allowed: %s',
  { timeout: 240_000 },
  async (name) => {
    const { token } = sessions.get(name) ?? { token: '' };
    const turns: Record<string, number> = {};
    for (const target of targetsOf(1)) await ask(target, { authorization: `Bearer ${token}` });
    await longestTurn();
    for (const target of targetsOf(2)) {
      await ask(target, { authorization: `Bearer ${token}` });
      turns[target.slice(0, 50)] = Math.round(await longestTurn());
    }
    for (const [target, ms] of Object.entries(turns)) expect(ms, target).toBeLessThan(longestMs);
  },
);

const blanks = ' '.repeat(15_000);
it.each<[string, Readonly<Record<string, string>>]>([
  ['Forwarded of blanks', { forwarded: `a${blanks}b` }],
  ['Forwarded of commas', { forwarded: `for=1${' ,'.repeat(7_000)}` }],
  ['If-None-Match', { 'if-none-match': `"a"${' ,'.repeat(7_000)}` }],
  ['Authorization', { authorization: `Bearer${blanks}x` }],
  ['Accept-Encoding', { 'accept-encoding': `gzip${';'.repeat(7_000)}${','.repeat(7_000)}` }],
  ['Content-Type', { 'content-type': `text/plain;${' ;'.repeat(7_000)}` }],
  ['traceparent', { traceparent: `00-${blanks}` }],
])('blocks the event loop no longer than allowed for a header field: %s', async (_, fields) => {
  await ask('/domains', fields);
  await longestTurn();
  await ask('/domains', fields);
  expect(await longestTurn()).toBeLessThan(longestMs);
});
