// Inbucket's dialect, route by route. test/system runs its published clients.

import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { bearer, startCompat } from './compat-harness.ts';
import { ask, type Harness } from './http-harness.ts';

interface Header {
  readonly id: string;
  readonly subject: string;
}

const file = Buffer.from('a;b');

const rich = [
  'From: Ann <ann@shop.example>',
  'To: The Fox <fox@mayfly.test>, owl@mayfly.test',
  'Subject: Welcome',
  'message-id: <one@shop.example>',
  'Content-Type: multipart/mixed; boundary=m',
  '',
  '--m',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  '',
  'In words.',
  '--a',
  'Content-Type: text/html',
  '',
  '<p onclick="x()">In markup.</p>',
  '--a--',
  '--m',
  'Content-Type: text/csv; name="a b.csv"',
  'Content-Disposition: attachment; filename="a b.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  file.toString('base64'),
  '--m--',
  '',
].join('\r\n');

/** Creates a capture session, mail for it, and calls with its token. */
async function lendCapture(harness: Harness) {
  const { token, session } = await harness.services.createCaptureSession({});
  const domain = session.address.slice(2);
  const call = (path: string, options: { method?: string; body?: string } = {}) =>
    ask(harness, `/api/v1/mailbox/${path}`, { headers: bearer(token), ...options });
  const subjectsOf = async (name: string): Promise<string[]> =>
    ((await call(name)).json as Header[]).map(({ subject }) => subject);
  const deliver = (raw: string, ...names: string[]) =>
    harness.deliver(
      raw,
      [session],
      names.map((name) => `${name}@${domain}`),
    );
  return { token, session, domain, call, subjectsOf, deliver };
}

describe('a mailbox', () => {
  it('has the mail for its name, oldest first, and nothing else', async () => {
    const { domain, subjectsOf, deliver } = await lendCapture(await startCompat());
    await deliver('Subject: One\r\n\r\n', 'fox');
    await deliver('Subject: Two\r\n\r\n', 'Owl');
    await deliver('Subject: Three\r\n\r\n', 'fox+shop', 'owl');
    expect(await subjectsOf('fox')).toEqual(['One', 'Three']);
    expect(await subjectsOf('OWL')).toEqual(['Two', 'Three']);
    expect(await subjectsOf('fox%2Bany')).toEqual(['One', 'Three']);
    expect(await subjectsOf(`owl%40${domain}`)).toEqual(['Two', 'Three']);
    expect(await subjectsOf('owl@other.example')).toEqual([]);
    expect(await subjectsOf('nobody')).toEqual([]);
  });

  it('is emptied without touching another', async () => {
    const { call, subjectsOf, deliver } = await lendCapture(await startCompat());
    for (const name of ['fox', 'fox', 'owl']) await deliver(`Subject: For ${name}\r\n\r\n`, name);
    expect(await call('fox', { method: 'DELETE' })).toMatchObject({ status: 200, text: '"OK"' });
    expect(await subjectsOf('fox')).toEqual([]);
    expect(await subjectsOf('owl')).toEqual(['For owl']);
  });

  it("is named after the local part of an ordinary session's address", async () => {
    const harness = await startCompat();
    const { token, session } = await harness.lend('fox');
    await harness.deliver('Subject: One\r\n\r\n', [session]);
    const name = session.address.split('@')[0] ?? '';
    const answer = await ask(harness, `/api/v1/mailbox/${name}`, { headers: bearer(token) });
    expect(answer.json).toMatchObject([{ mailbox: name, id: '1', subject: 'One' }]);
  });
});

describe('a message', () => {
  it('has its bodies, header and attachments, with working links', async () => {
    const harness = await startCompat();
    const { token, call, deliver } = await lendCapture(harness);
    await deliver(rich, 'fox');
    const header = {
      mailbox: 'fox',
      id: '1',
      from: 'Ann <ann@shop.example>',
      to: ['The Fox <fox@mayfly.test>', '<owl@mayfly.test>'],
      subject: 'Welcome',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      'posix-millis': expect.any(Number),
      // With the service's own two fields above it, as its source has them.
      size: (await call('fox/1/source')).text.length,
      seen: false,
    };
    expect(header.size).toBeGreaterThan(rich.length);
    expect((await call('fox')).json).toEqual([header]);
    const link = `${harness.origin}/serve/mailbox/fox/1/attach/0/a%20b.csv`;
    const full = await call('fox/1');
    expect(full.json).toEqual({
      ...header,
      body: {
        text: expect.stringContaining('In words.'),
        html: expect.stringContaining('<p onclick="x()">'),
      },
      header: expect.objectContaining({
        Subject: ['Welcome'],
        'Message-Id': ['<one@shop.example>'],
        'Return-Path': ['<sender@example.org>'],
      }),
      attachments: [
        {
          filename: 'a b.csv',
          'content-type': 'text/csv',
          'download-link': link,
          'view-link': link,
          md5: createHash('md5').update(file).digest('hex'),
        },
      ],
    });
    const opened = await ask(harness, new URL(link).pathname, { headers: bearer(token) });
    expect(opened).toMatchObject({ status: 200, text: 'a;b' });
    expect(opened.headers['content-disposition']).toMatch(/^attachment/);
    const other = await ask(harness, '/serve/mailbox/fox/1/attach/1/a.csv', { headers: bearer(token) });
    expect(other.status).toBe(404);
  });

  it('has its source, and the newest is called latest', async () => {
    const { call, deliver } = await lendCapture(await startCompat());
    await deliver('Subject: One\r\n\r\n', 'fox');
    await deliver('Subject: Two\r\n\r\nBody.\r\n', 'fox');
    expect((await call('fox/latest')).json).toMatchObject({ id: '2', subject: 'Two' });
    const source = await call('fox/latest/source');
    expect(source.headers['content-type']).toMatch(/^text\/plain/);
    expect(source.text).toContain('Subject: Two\r\n\r\nBody.\r\n');
  });

  it.each([['{"seen":true}'], ['']])('is marked seen by %j', async (body) => {
    const { call, deliver } = await lendCapture(await startCompat());
    await deliver('Subject: One\r\n\r\n', 'fox');
    expect(await call('fox/1', { method: 'PATCH', body })).toMatchObject({ status: 200, text: '"OK"' });
    expect((await call('fox')).json).toMatchObject([{ seen: true }]);
  });

  it('stays unseen when read, and after other marks', async () => {
    const { call, deliver } = await lendCapture(await startCompat());
    await deliver('Subject: One\r\n\r\n', 'fox');
    await call('fox/1');
    await call('fox/1', { method: 'PATCH', body: '{"seen":false}' });
    expect((await call('fox')).json).toMatchObject([{ seen: false }]);
  });

  it('is deleted once', async () => {
    const { call, deliver } = await lendCapture(await startCompat());
    await deliver('Subject: One\r\n\r\n', 'fox');
    expect(await call('fox/1', { method: 'DELETE' })).toMatchObject({ status: 200, text: '"OK"' });
    const again = await call('fox/1', { method: 'DELETE' });
    expect(again).toMatchObject({ status: 404, text: '404 page not found\n' });
  });
});

describe('bad requests', () => {
  it('never reach messages outside the mailbox, or of another session', async () => {
    const harness = await startCompat();
    const [owner, other] = [await lendCapture(harness), await lendCapture(harness)];
    await owner.deliver(rich, 'fox');
    await owner.deliver(rich, 'owl');
    const paths = ['1', '1/source', '2', 'latest', 'x', '-1', '1e0', '99999999999999999999'];
    for (const path of paths) expect([path, (await other.call(`fox/${path}`)).status]).toEqual([path, 404]);
    for (const method of ['DELETE', 'PATCH']) {
      expect((await other.call('fox/1', { method })).status).toBe(404);
      expect((await owner.call('fox/2', { method })).status).toBe(404);
    }
    expect((await other.call('fox', { method: 'DELETE' })).status).toBe(200);
    expect(await owner.subjectsOf('fox')).toEqual(['Welcome']);
    const link = await ask(harness, '/serve/mailbox/fox/1/attach/0/a.csv', { headers: bearer(other.token) });
    expect(link.status).toBe(404);
  });

  it.each([
    ['fox/1', 'PATCH', '{', 400],
    ['fox/1', 'PATCH', '{"seen":"yes"}', 400],
    ['a%20b', 'GET', undefined, 400],
    ['%40', 'GET', undefined, 400],
    ['x'.repeat(400), 'GET', undefined, 400],
    ['x'.repeat(5000), 'GET', undefined, 400],
    ['fox/1/nothing', 'GET', undefined, 404],
    ['fox/1', 'PATCH', 'x'.repeat(300_000), 413],
  ])('are refused as plain text (%#)', async (path, method, body, status) => {
    const { call, deliver } = await lendCapture(await startCompat());
    await deliver('Subject: One\r\n\r\n', 'fox');
    const answer = await call(path, { method, ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  });

  it('without credentials are asked for them', async () => {
    const answer = await ask(await startCompat(), '/api/v1/mailbox/fox');
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
  });
});
