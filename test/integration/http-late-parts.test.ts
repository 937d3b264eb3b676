// Lists and filters of messages whose files or code come after the bytes that are looked at first, and the two sizes.
import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { ask, startHttp } from './http-harness.ts';

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
const picture = `Content-Type: image/png\r\nContent-ID: <a>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
const pdf = (bytes: number): string =>
  `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=i.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}`;

async function startWith(...parts: string[]) {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const body = parts.map((part) => `--x\r\n${part}\r\n`).join('');
  const raw = `From: a@b.test\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${body}--x--\r\n`;
  await harness.deliver(raw, [session]);
  const get = async (path: string) => (await ask(harness, `${path}token=${token}`)).json;
  return { harness, token, raw, get };
}

it('lists a file that comes after a large picture, before the message is read', async () => {
  const { get } = await startWith(
    'Content-Type: text/html\r\n\r\nInvoice <img src="cid:a">',
    picture + base64(75_000),
    pdf(10),
  );
  expect((await get('/check-mail?')).messages).toMatchObject([{ has_attachments: true, preview: 'Invoice' }]);
});

it('lists none after a large picture where there is none', async () => {
  const { get } = await startWith(
    'Content-Type: text/html\r\n\r\n<img src="cid:a">',
    picture + base64(300_000),
  );
  expect((await get('/check-mail?')).messages).toMatchObject([{ has_attachments: false }]);
});

it('waits for, filters by and lists a code that comes after a large file', async () => {
  const { get } = await startWith(pdf(300_000), 'Content-Type: text/plain\r\n\r\nYour code is 482913');
  expect((await get('/wait-mail?has_code=1&timeout=3&')).message).toMatchObject({ id: 1, code: '482913' });
  expect((await get('/check-mail?has_code=1&')).messages).toHaveLength(1);
  expect((await get('/check-mail?')).messages).toMatchObject([
    { code: '482913', preview: 'Your code is 482913', has_attachments: true },
  ]);
});

it('says how long a message is as received and as raw-mail returns it', async () => {
  const { harness, token, raw, get } = await startWith('\r\nHello');
  const [listed] = (await get('/check-mail?')).messages;
  const { text } = await ask(harness, `/raw-mail?id=1&token=${token}`);
  expect(listed).toMatchObject({ size: raw.length, raw_size: text.length });
  expect(text.endsWith(raw)).toBe(true);
  expect(text.length).toBeGreaterThan(raw.length);
});
