// HTML mail over HTTP: read-mail's response, the framed document with its policy, and the pictures in it.
import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { SafeFetchError } from '#networks/safe-fetch-error';
import type { SafeFetch } from '#networks/safe-fetch';
import { createRemoteImageFetcher } from '../../src/service/mail/remote-image-fetcher.ts';
import { ask, startHttp, type Harness } from './http-harness.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const html =
  '<p onclick="x()">Hi <img src="cid:logo@x"><img src="http://t.test/p.gif"><img src="cid:page@x">' +
  '<a href="https://evil.test/">https://bank.test/</a><script>alert(1)</script>';

function part(type: string, contentId: string, body: Buffer): string {
  return (
    `--x\r\nContent-Type: ${type}\r\nContent-ID: <${contentId}>\r\nContent-Disposition: inline\r\n` +
    `Content-Transfer-Encoding: base64\r\n\r\n${body.toString('base64')}\r\n`
  );
}

function mail(body: string, header = ''): string {
  return (
    `From: a@b.test\r\n${header}Content-Type: multipart/related; boundary=x\r\n\r\n` +
    `--x\r\nContent-Type: text/html\r\n\r\n${body}\r\n` +
    part('image/png', 'logo@x', png) +
    part('image/svg+xml', 'page@x', Buffer.from('<svg onload="alert(1)"/>')) +
    '--x--\r\n'
  );
}

async function openWithMail(raw: string, options: Parameters<typeof startHttp>[0] = {}) {
  const harness = await startHttp(options);
  const { token, session } = await harness.lend();
  await harness.deliver(raw, [session]);
  const read = async () => (await ask(harness, `/read-mail?id=1&token=${token}`)).json.message;
  return { harness, token, session, read };
}

function withProxy(fetch: SafeFetch): Parameters<typeof startHttp>[0] {
  return { wrapDeps: (deps) => ({ ...deps, remoteImages: createRemoteImageFetcher(fetch) }) };
}

async function remoteLinks(harness: Harness, htmlUrl: string): Promise<string[]> {
  const { text } = await ask(harness, `${htmlUrl}&remote=1`);
  return [...text.matchAll(/src="(\/remote-image[^"]*)"/g)].map(([, link = '']) => link);
}

it('returns sanitised HTML with our own links to the inline pictures', async () => {
  const { read } = await openWithMail(
    mail(html, 'List-Unsubscribe: <https://l.test/u>, <mailto:u@l.test>\r\n'),
  );
  const message = await read();
  expect(message.html).toMatch(
    /^<p>Hi <img src="\/inline-image\?id=1&part=2&ticket=[\w-]+"><img><img><a href="https:\/\/evil\.test\/" title="Opens evil\.test" target="_blank" rel="noopener noreferrer nofollow">https:\/\/bank\.test\/<\/a><\/p>$/,
  );
  expect(message).toMatchObject({
    html_reason: null,
    remote_content: 1,
    remote_images: 1,
    unsubscribe: { url: 'https://l.test/u', mailto: 'mailto:u@l.test', one_click: false },
  });
  expect(message.links).toContainEqual(
    expect.objectContaining({ url: 'https://evil.test/', flags: ['mismatch'] }),
  );
});

it('returns no HTML but a reason when it cannot be made safe', async () => {
  const { read, harness } = await openWithMail(mail(html), {
    wrapDeps: (deps) => ({
      ...deps,
      sanitiser: {
        ...deps.sanitiser,
        sanitise: () => Promise.resolve({ kind: 'failed', reason: 'checking the HTML took too long' }),
      },
    }),
  });
  const message = await read();
  expect(message).toMatchObject({
    html: null,
    html_reason: 'checking the HTML took too long',
    remote_content: 0,
  });
  const { text } = await ask(harness, message.html_url);
  expect(text).toContain('<pre>Hi');
  expect(text).not.toContain('onclick');
});

it('serves the framed document for a ticket, under its own policy', async () => {
  const { harness, read } = await openWithMail(mail(html));
  const { html_url: url } = await read();
  expect(url).toMatch(/^\/html-mail\?id=1&ticket=[\w-]+$/);
  const { status, headers, text } = await ask(harness, url);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
      `img-src data: 'self' ${harness.origin}; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-dns-prefetch-control': 'off',
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'no-store',
  });
  expect(text).toMatch(/^<!DOCTYPE quirks><html><head><meta charset="utf-8">/);
  expect(text).toContain('<p>Hi <img src="/inline-image?');
  expect(text).not.toMatch(/script|onclick|t\.test/);
});

it('names the origins it is reached by beside ’self’, which WebKit compares with the opaque one', async () => {
  const { harness, read } = await openWithMail(mail(html), {
    settings: { publicUrl: 'https://mail.example' },
  });
  const { html_url: url } = await read();
  const policyFor = async (host: string): Promise<string> => {
    const { headers } = await ask(harness, url, { headers: { host } });
    return /img-src [^;]*/.exec(String(headers['content-security-policy']))?.[0] ?? '';
  };
  expect(await policyFor('mail.example')).toBe(
    "img-src data: 'self' http://mail.example https://mail.example",
  );
  expect(await policyFor('127.0.0.1:9')).toBe("img-src data: 'self' http://127.0.0.1:9 https://mail.example");
  expect(await policyFor('[::1]')).toBe("img-src data: 'self' https://mail.example");
});

it('serves it with a script of its own, and the policy for that, when the height is requested', async () => {
  const { harness, read } = await openWithMail(mail(html));
  const { html_url: url } = await read();
  const { headers, text } = await ask(harness, `${url}&sized=1`);
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(text) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(headers['content-security-policy']).toBe(
    `sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; script-src 'sha256-${hash}'; ` +
      "require-trusted-types-for 'script'; trusted-types 'none'; default-src 'none'; style-src 'unsafe-inline'; " +
      `img-src data: 'self' ${harness.origin}; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`,
  );
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toMatch(/onclick|t\.test/);
});

it('accepts an HTML ticket for nothing else, and no other ticket for HTML', async () => {
  const { harness, read } = await openWithMail(mail(html));
  const message = await read();
  const ticketOf = (url: string): string => /ticket=([\w-]+)/.exec(url)?.[1] ?? '';
  const htmlTicket = ticketOf(message.html_url);
  const partTicket = ticketOf(message.attachments[0].url);
  for (const path of [
    '/raw-mail?id=1',
    '/attachment?id=1&part=2',
    '/inline-image?id=1&part=2',
    '/html-mail?id=2',
  ]) {
    expect((await ask(harness, `${path}&ticket=${htmlTicket}`)).status, path).toBe(401);
  }
  expect((await ask(harness, `/html-mail?id=1&ticket=${partTicket}`)).status).toBe(401);
  harness.advance(5 * 60_000 + 1);
  expect((await ask(harness, message.html_url)).status).toBe(410);
});

it('lets the browser load remote images only on request, and nothing else remote', async () => {
  const { harness, read } = await openWithMail(
    mail(
      '<img src="http://t.test/p.gif"><p style="background:#222 url(http://t.test/x)">x</p><video poster="http://t.test/y">',
    ),
  );
  const { html_url: url } = await read();
  const { headers, text } = await ask(harness, `${url}&remote=1`);
  expect(text).toContain(
    '<img src="http://t.test/p.gif"><p style="background:#222 url(http://t.test/x)">x</p></body>',
  );
  expect((await ask(harness, url)).text).toContain('<img><p style="background:#222">x</p></body>');
  expect(headers['content-security-policy']).toContain(
    `img-src data: 'self' ${harness.origin} https: http:;`,
  );
});

it('shows the text of a message without HTML', async () => {
  const { harness, token, read } = await openWithMail('Subject: x\r\n\r\n<b>1 & 2</b>\r\n');
  expect(await read()).toMatchObject({ html: null, html_url: null, html_reason: null });
  const { text } = await ask(harness, `/html-mail?id=1&token=${token}`);
  expect(text).toContain('<pre>&#60;b&#62;1 &#38; 2&#60;/b&#62;\n</pre>');
});

it('shows pictures of the message as pictures, and nothing else inline', async () => {
  const { harness, token, read } = await openWithMail(mail(html));
  const message = await read();
  const link = /src="([^"]*)"/.exec(message.html)?.[1] ?? '';
  const { status, headers, bytes } = await ask(harness, link);
  expect(status).toBe(200);
  expect(bytes.equals(png)).toBe(true);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect((await ask(harness, `/inline-image?id=1&part=3&token=${token}`)).json).toMatchObject({
    code: 'attachment_not_found',
  });
});

it('shows a part as a PDF document only if it begins like one', async () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(200_000, 'x')]);
  const { harness, token } = await openWithMail(
    'From: a@b.test\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n' +
      part('application/pdf', 'pdf@x', pdf) +
      part('application/octet-stream', 'bytes@x', pdf) +
      part('application/pdf', 'claims@x', Buffer.from('<script>1</script>')) +
      part('application/pdf', 'short@x', Buffer.from('%PDF')) +
      part('text/html', 'other@x', pdf) +
      '--x--\r\n',
  );
  const show = (number: number) => ask(harness, `/inline-image?id=1&part=${number}&token=${token}`);
  for (const number of [1, 2]) {
    const { status, headers, bytes } = await show(number);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/pdf' });
    expect(bytes.equals(pdf)).toBe(true);
  }
  for (const number of [3, 4, 5]) {
    expect((await show(number)).json).toMatchObject({ code: 'attachment_not_found', parameter: 'part' });
  }
});

it('keeps nothing of a deleted message', async () => {
  const { harness, token, read } = await openWithMail(mail(html));
  const { html_url: url } = await read();
  await ask(harness, '/delete-mail', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `id=1&token=${token}`,
  });
  expect((await ask(harness, url)).status).toBe(404);
});

it('fetches remote images itself if the operator says so, and only those of the message', async () => {
  const asked: string[] = [];
  const fetch: SafeFetch = ({ url }) => {
    asked.push(url);
    return Promise.resolve({ status: 200, headers: { 'content-type': 'text/html' }, body: png });
  };
  const { harness, token, read } = await openWithMail(
    mail('<img src="http://t.test/p.gif?a=1&amp;b=2">'),
    withProxy(fetch),
  );
  const { html_url: url } = await read();
  const policy = (await ask(harness, `${url}&remote=1`)).headers['content-security-policy'];
  expect(policy).toContain(`img-src data: 'self' ${harness.origin};`);
  const [link = ''] = await remoteLinks(harness, url);
  const { status, headers, bytes } = await ask(harness, link);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(bytes.equals(png)).toBe(true);
  expect(asked).toEqual(['http://t.test/p.gif?a=1&b=2']);
  const other = encodeURIComponent('http://169.254.169.254/');
  expect((await ask(harness, `/remote-image?id=1&token=${token}&url=${other}`)).status).toBe(404);
  expect(asked).toHaveLength(1);
});

it.each([
  ['is no picture', () => Promise.resolve({ status: 200, headers: {}, body: Buffer.from('<html>') })],
  [
    'is not there',
    () => Promise.resolve({ status: 302, headers: { location: 'http://10.0.0.1' }, body: png }),
  ],
  ['is at a private address', () => Promise.reject(new SafeFetchError('address_refused', 'no'))],
] satisfies [string, SafeFetch][])('returns 404 for a remote image that %s', async (_, fetch) => {
  const { harness, read } = await openWithMail(mail('<img src="http://t.test/p.gif">'), withProxy(fetch));
  const [link = ''] = await remoteLinks(harness, (await read()).html_url);
  expect((await ask(harness, link)).json).toMatchObject({ code: 'not_found' });
});

it('fetches nothing unless the operator says so', async () => {
  const { harness, token } = await openWithMail(mail('<img src="http://t.test/p.gif">'));
  const url = encodeURIComponent('http://t.test/p.gif');
  expect((await ask(harness, `/remote-image?id=1&token=${token}&url=${url}`)).status).toBe(404);
});

it('issues no link through a link that would outlive it', async () => {
  const { harness, read } = await openWithMail(
    mail(html),
    withProxy(() => Promise.reject(new SafeFetchError('timed_out', 'Not now.'))),
  );
  const { html_url: first } = await read();
  harness.advance(4 * 60_000);
  const [image = ''] = await remoteLinks(harness, first);
  const renewed = first.replace(/ticket=.*/, /ticket=[\w-]+/.exec(image)?.[0] ?? '');
  expect((await ask(harness, renewed)).status).toBe(200);
  harness.advance(2 * 60_000);
  expect((await ask(harness, renewed)).status).toBe(410);
  expect((await ask(harness, image)).status).toBe(410);
});
