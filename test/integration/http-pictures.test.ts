// Pictures that come with a message: whatever their sender declared, their first bytes decide how they are served.
import { expect, it } from 'vitest';

import { ask, startHttp } from './http-harness.ts';

const pictures = {
  'image/png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600', 'hex'),
  'image/gif': Buffer.from('GIF89a....'),
  'image/webp': Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'),
};
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
const page = Buffer.from('<script>alert(1)</script>');

async function read(fields: string, body: Buffer, src: string) {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const raw =
    'From: a@b.test\r\nContent-Type: multipart/related; boundary=x\r\n\r\n' +
    `--x\r\nContent-Type: text/html\r\n\r\n<img src="${src}">\r\n` +
    `--x\r\n${fields}\r\nContent-Transfer-Encoding: base64\r\n\r\n${body.toString('base64')}\r\n--x--\r\n`;
  await harness.deliver(raw, [session]);
  const { message } = (await ask(harness, `/read-mail?id=1&token=${token}`)).json;
  const [, shown] = /src="([^"]+)"/.exec(message.html as string) ?? [];
  const asked = await ask(
    harness,
    shown?.replaceAll('&#38;', '&') ?? `/inline-image?id=1&part=2&token=${token}`,
  );
  return { isShown: shown !== undefined, status: asked.status, type: asked.headers['content-type'] };
}

it.each([
  ['Content-Type: image/jpg\r\nContent-ID: <a@b>', 'image/jpeg', 'cid:a@b'],
  ['Content-Type: image/pjpeg; name=a.jpg\r\nContent-ID: <a@b>', 'image/jpeg', 'cid:a@b'],
  ['Content-Type: IMAGE/X-PNG\r\nContent-ID: <a@b>', 'image/png', 'cid:a%40b'],
  ['Content-Type: image/*; name=a.gif\r\nContent-ID: <a@b>', 'image/gif', 'cid:a@b'],
  ['Content-Type: application/octet-stream\r\nContent-ID: <a@b>', 'image/webp', 'cid:a@b'],
  ['Content-Type: image/svg+xml\r\nContent-ID: <a@b>', 'image/png', 'cid:a@b'],
  ['Content-Type: image/png\r\nContent-ID: <a@b>', 'image/gif', 'cid:a@b'],
  ['Content-Type: image/png; name=logo.png\r\nContent-Disposition: inline', 'image/png', 'cid:logo.png'],
  ['Content-Type: image/png\r\nContent-Location: logo.png', 'image/png', 'logo.png'],
  [
    'Content-Type: image/png\r\nContent-Location: https://a.test/logo.png',
    'image/png',
    'https://a.test/logo.png',
  ],
  ['Content-Type: image/png\r\nContent-Location: x.png\r\nContent-ID: <a@b>', 'image/png', 'cid:x.png'],
] as const)('shows %j, which begins as %s', async (fields, type, src) => {
  expect(await read(fields, pictures[type], src)).toEqual({ isShown: true, status: 200, type });
});

it.each([
  ['image/png', svg],
  ['image/svg+xml', svg],
  ['image/png', page],
  ['application/octet-stream', page],
  ['image/*', Buffer.from('BM      ')],
  ['text/html', page],
])('shows no %s part that is not a picture', async (type, body) => {
  const fields = `Content-Type: ${type}\r\nContent-Disposition: attachment\r\nContent-ID: <a@b>`;
  expect(await read(fields, body, 'cid:a@b')).toMatchObject({ isShown: false, status: 404 });
});
