// The worst known mail, through every operation that reads mail, and the worst header fields, and how long they keep the
// main thread: the processor time of a single turn of the event loop. For the tests with a bound that holds on a busy
// machine and with one that shows a small loss.
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect } from 'vitest';

import {
  createDataFolder,
  type Lent,
  type MayflyProcess,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { comeAgain, fetchAgain } from '../support/faults/come-again.ts';
import { createTurnWatch, type TurnWatch } from '../support/service/turn-watch.ts';

const html = (body: string): string =>
  `Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${body}\r\n` +
  '--b\r\nContent-Type: image/png\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--b--\r\n';
const plain = (line: string, bytes: number): string =>
  `Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${`${line}\r\n`.repeat(Math.ceil(bytes / (line.length + 2)))}`;

export const mails: Readonly<Record<string, string>> = {
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

/** The same mail through every dialect, by absolute URLs. */
async function dialectTargets({ token, email }: Lent, id: number): Promise<string[]> {
  const { compatOrigin = '' } = mayfly;
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const get = async <T>(target: string): Promise<T> =>
    (await (await fetch(compatOrigin + target, { headers })).json()) as T;
  const [{ id: server = '' } = {}] = (await get<{ items: { id: string }[] }>('/api/servers')).items;
  const ofMailtm = await get<{ id: string }[]>('/messages');
  const mailtmId = ofMailtm.at(-id)?.id ?? '';
  const name = encodeURIComponent(email);
  return [
    ...['/api/v1/messages', `/api/v1/message/${id}`, `/api/v1/message/${id}/headers`],
    ...[`/view/${id}.html`, `/view/${id}.txt`, `/api/v1/message/${id}/link-check`],
    `/api/v1/message/${id}/html-check`,
    `/api/v1/search?query=${encodeURIComponent(Array.from({ length: 40 }, (_, i) => `x${i}y`).join(' '))}`,
    ...[
      '/api/v2/messages',
      `/api/v2/search?kind=containing&query=${'x'.repeat(999)}y`,
      `/api/v1/messages/${id}`,
    ],
    ...[`/api/v1/mailbox/${name}`, `/api/v1/mailbox/${name}/${id}`, `/api/v1/mailbox/${name}/${id}/source`],
    ...[`/api/messages?server=${server}`, `/api/messages/${server}-${id}`],
    ...['/messages', `/messages/${mailtmId}`, `/sources/${mailtmId}`],
    ...['/ajax.php?f=get_email_list&offset=0', `/ajax.php?f=fetch_email&email_id=${id}`],
  ].map((target) => compatOrigin + target);
}

const blanks = ' '.repeat(15_000);
export const headerFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Forwarded of blanks': { forwarded: `a${blanks}b` },
  'Forwarded of commas': { forwarded: `for=1${' ,'.repeat(7_000)}` },
  'If-None-Match': { 'if-none-match': `"a"${' ,'.repeat(7_000)}` },
  Authorization: { authorization: `Bearer${blanks}x` },
  'Accept-Encoding': { 'accept-encoding': `gzip${';'.repeat(7_000)}${','.repeat(7_000)}` },
  'Content-Type': { 'content-type': `text/plain;${' ;'.repeat(7_000)}` },
  traceparent: { traceparent: `00-${blanks}` },
};

/** The first try also compiles the code, and beside other programs one may take too long. */
const triesMax = 4;

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let watch: TurnWatch;
let mayfly: MayflyProcess;
let transport: ReturnType<typeof createTransport>;

/** Starts a service for the tests of a file. */
export function useWatchedService(): void {
  beforeAll(async () => {
    folder = await createDataFolder();
    watch = createTurnWatch(folder.path);
    mayfly = await startMayfly(folder.path, {
      MAYFLY_LIMITS_RATE: 'off',
      MAYFLY_HTTP_TRUSTED_PROXIES: '127.0.0.1',
      MAYFLY_HTTP_PROXY_HEADER: 'forwarded',
      MAYFLY_HTTP_IMAGE_PROXY: 'on',
      MAYFLY_COMPAT_PORT: '0',
      MAYFLY_LIMITS_SESSION_MESSAGES: '2000',
      ...watch.environment,
    });
    transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true, pool: true });
  }, 240_000);

  afterAll(async () => {
    transport.close();
    await mayfly.stop();
    await folder.remove();
  });
}

const nameOf = (target: string): string => target.replace(/^http:..[^/]*/, '').slice(0, 50);
const fieldsOf = ({ token }: Lent) => ({ authorization: `Bearer ${token}`, accept: 'application/json' });
const send = (to: string, raw: string | Buffer): Promise<unknown> =>
  comeAgain(() => transport.sendMail({ envelope: { from: 'a@sender.test', to }, raw }));
const longestTurn = (): Promise<number> => watch.longest(mayfly.child);

async function turnOf(target: string, fields: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetchAgain(URL.canParse(target) ? target : mayfly.origin + target, fields);
  await response.arrayBuffer();
  expect(response.status).toBeLessThan(500);
  return longestTurn();
}

/** Returns the longest turn of a request, of the try with the shortest. */
async function shortestOf(
  target: string,
  fields: Readonly<Record<string, string>>,
  boundMs: number,
): Promise<number> {
  let least = Infinity;
  await longestTurn();
  for (let tries = 0; tries < triesMax && least >= boundMs; tries++) {
    least = Math.min(least, await turnOf(target, fields));
  }
  return Math.round(least);
}

/** Sends a mail and asks for it in every way. @returns the requests with a longer turn, each time */
export async function mailTurnsAbove(boundMs: number, raw: string): Promise<string[]> {
  const session = await mayfly.lend();
  const fields = fieldsOf(session);
  let tooLong = new Map<number, string>();
  // Each time another mail, since its parts are kept once it was read.
  for (let id = 1; id <= triesMax && (id === 1 || tooLong.size > 0); id++) {
    await send(session.email, raw);
    const targets = [...targetsOf(id), ...(await dialectTargets(session, id))];
    await longestTurn();
    const found = new Map<number, string>();
    for (const [at, target] of targets.entries()) {
      if (id > 1 && !tooLong.has(at)) continue;
      const ms = await turnOf(target, fields);
      if (ms >= boundMs) found.set(at, `${nameOf(target)} ${ms}`);
    }
    tooLong = found;
  }
  return [...tooLong.values()];
}

/** Asks for `/domains` with these fields. @returns the longest turn in ms, of the try with the shortest */
export function fieldsTurn(boundMs: number, fields: Readonly<Record<string, string>>): Promise<number> {
  return shortestOf('/domains', fields, boundMs);
}

/** Fills a session with so many mails and asks for its lists. @returns the lists with a longer turn, each time */
export async function listTurnsAbove(boundMs: number, mails: number): Promise<string[]> {
  // The list of the first compiles the code.
  const [warming, session] = [await mayfly.lend(), await mayfly.lend()];
  const raw = longSummary();
  for (const [{ email }, count] of [[warming, mails / 10] as const, [session, mails] as const]) {
    for (let sent = 0; sent < count; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, () => send(email, raw)));
    }
  }
  await turnOf('/check-mail', fieldsOf(warming));
  const targets = [
    ...['/check-mail', '/check-mail?subject=%C3%BC&limit=1000'],
    ...(await dialectTargets(session, 1)).filter((target) => /messages|mailbox|search|list/.test(target)),
    `${mayfly.compatOrigin ?? ''}/api/v1/messages?limit=1000`,
  ];
  const tooLong: string[] = [];
  await longestTurn();
  for (const target of targets) {
    // The first also makes glances, reads headers and opens the sealed rows of all messages, which cannot be tried
    // again; beside other programs each costs the processor twice as much.
    const first = await turnOf(target, fieldsOf(session));
    if (first >= 2 * boundMs) tooLong.push(`the first ${nameOf(target)} ${first}`);
    const least = await shortestOf(target, fieldsOf(session), boundMs);
    if (least >= boundMs) tooLong.push(`${nameOf(target)} ${least}`);
  }
  return tooLong;
}

/** A mail of which every list shows much. */
function longSummary(): Buffer {
  const to = Array.from({ length: 200 }, (_, i) => `"${'é'.repeat(20)} ${i}" <a${i}@b.example>`).join(
    ',\r\n ',
  );
  return Buffer.from(`Subject: ${'ü'.repeat(4000)}\r\nTo: ${to}\r\n\r\n${'é'.repeat(500)}\r\n`);
}
