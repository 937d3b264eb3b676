// Reading costly mail, many at once and in every way, keeps the whole process within a bound of memory: main thread,
// reading threads and caches together.

import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';

import { comeAgain, fetchAgain } from '../support/faults/come-again.ts';
import { createDataFolder, type Lent, startMayfly } from '../support/service/mayfly-process.ts';
import { memoryOf } from '../support/faults/memory-load.ts';

/** 343 MiB when measured; 422 while any thread read large mail, 736 while any number of them did at once. */
const bytesMax = 390 * 1024 * 1024;
const mailsOfKind = 4;
const atOnce = 8;

const html = (body: string): string => `Subject: x\r\nContent-Type: text/html\r\n\r\n${body}\r\n`;
const many = (line: string, bytes: number): string =>
  `${line}\r\n`.repeat(Math.ceil(bytes / (line.length + 2)));
const parts = (make: (at: number) => string, count: number): string =>
  `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${Array.from({ length: count }, (_, at) => `--b\r\n${make(at)}\r\n`).join('')}--b--\r\n`;
const mebibyte = 1024 * 1024;

/** Each differs by its number, so that nothing is read for another. */
const kinds: Readonly<Record<string, (at: number) => string>> = {
  'many elements': (at) =>
    html(many(`<p class=${at}><b>a</b> <i>b</i> <a href=https://a.test/>c</a>`, 1.1 * mebibyte)),
  'tables in tables': (at) =>
    html(
      many(`<table><tr><td style="color:red;padding:${at}px">`, 20_000) + many('<td>x<td>y', 1.08 * mebibyte),
    ),
  'many styles': (at) =>
    html(
      `<style>${many(`.a${at} b{color:red;background:url(x)}`, 0.5 * mebibyte)}</style>${many('<span style="color:red">x</span>', 0.6 * mebibyte)}`,
    ),
  'large pictures': (at) =>
    parts(
      (part) =>
        `Content-Type: image/png; name=${at}-${part}.png\r\nContent-Transfer-Encoding: base64\r\n\r\n${many('QUJD'.repeat(18), mebibyte)}`,
      3,
    ),
  'thousands of parts': (at) =>
    parts((part) => `Content-Type: text/plain; name=${at}-${part}\r\n\r\nx`, 3000),
  'a large header': (at) =>
    `Subject: ${at}\r\n${Array.from({ length: 4000 }, (_, i) => `X-${i}: ${'é"<'.repeat(30)}\r\n`).join('')}\r\nx\r\n`,
  'a long text': (at) =>
    `Subject: ${at}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${many('Ihr Code: 482913 https://a.test/é', 2 * mebibyte)}`,
};

it(
  `reads ${Object.keys(kinds).length * mailsOfKind} mails, ${atOnce} at once, within ${bytesMax / mebibyte} MiB`,
  { timeout: 600_000 },
  async () => {
    const folder = await createDataFolder();
    const mayfly = await startMayfly(folder.path, {
      MAYFLY_LIMITS_RATE: 'off',
      MAYFLY_LIMITS_SESSION_BYTES: '0',
      MAYFLY_LIMITS_SESSION_MESSAGES: '0',
      MAYFLY_HTTP_TRUSTED_PROXIES: '127.0.0.1',
    });
    try {
      const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
      const work: { session: Lent; target: string; network: number }[] = [];
      for (const make of Object.values(kinds)) {
        const session = await mayfly.lend();
        for (let at = 1; at <= mailsOfKind; at++) {
          const raw = make(at);
          await comeAgain(() =>
            transport.sendMail({ envelope: { from: 'a@b.test', to: session.email }, raw }),
          );
          for (const target of ['read-mail', 'html-mail', 'raw-mail']) {
            work.push({ session, target: `/${target}?id=${at}`, network: work.length });
          }
          if (at % 4 === 0) work.push({ session, target: '/check-mail', network: work.length });
          if (at % 4 === 1) work.push({ session, target: `/check-mail?q=word${at}`, network: work.length });
        }
      }
      transport.close();
      const before = await memoryOf(mayfly);
      const statuses = new Map<number, number>();
      const step = 97;
      const queue = work.map((_, at) => work[(at * step) % work.length]!);
      const readOn = async (): Promise<void> => {
        for (let next = queue.pop(); next; next = queue.pop()) {
          const { session, target, network } = next;
          const answer = await fetchAgain(mayfly.origin + target, {
            authorization: `Bearer ${session.token}`,
            'x-forwarded-for': `192.0.${network % 200}.1`,
          });
          await answer.arrayBuffer();
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, readOn));
      const { peak, now } = await memoryOf(mayfly);
      const shown = [before.now, before.peak, now, peak].map((bytes) => Math.round(bytes / mebibyte));
      expect(peak, shown.join(' ')).toBeLessThan(bytesMax);
      // A busy machine may have some asked again for longer than the test waits.
      expect([...statuses.keys()].filter((status) => status !== 503)).toEqual([200]);
      expect(statuses.get(200) ?? 0).toBeGreaterThan(work.length / 2);
    } finally {
      await mayfly.stop();
      await folder.remove();
    }
  },
);
