// MailHog's dialect: lists and messages as its clients expect them, without decoding.

import { describe, expect, it } from 'vitest';

import { readContent } from '../../src/compat/mailhog/content.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { ask, type HttpAnswer } from './http-harness.ts';

const subject = '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=';
const plain = 'Gr=C3=BC=C3=9Fe=2C Ann';
const attached = Buffer.from('\u0000\u0001 some bytes \u00ff'.repeat(40), 'latin1').toString('base64');
const multipart = [
  'From: Ann <ann@example.org>',
  'To: Team\r\n <team@example.net>',
  `Subject: ${subject}`,
  'X-Tag: one',
  'X-Tag: two',
  'Content-Type: multipart/mixed; boundary="b 1"',
  '',
  '--b 1',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  plain,
  '--b 1',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="a.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  attached,
  '--b 1--',
  '',
].join('\r\n');

async function startWithMail(...raws: readonly (string | Buffer)[]) {
  const harness = await startCompat();
  const { token, session } = await harness.lend('quiet-fox');
  const ids: number[] = [];
  for (const raw of raws) ids.push(await harness.deliver(raw, [session]));
  const get = (path: string, method = 'GET', of = token): Promise<HttpAnswer> =>
    ask(harness, path, { method, headers: bearer(of) });
  return { harness, session, token, ids, get };
}

function mailOf(words: string, more = ''): string {
  return `From: ann@example.org\r\nSubject: ${words}\r\n${more}\r\n${words} in the body\r\n`;
}

describe('a message', () => {
  it('has the original header and body, envelope, parts and raw bytes', async () => {
    const { ids, get } = await startWithMail(multipart);
    const { json } = await get('/api/v2/messages');
    expect(json).toMatchObject({ total: 1, count: 1, start: 0 });
    const [item] = json.items;
    expect(item).toMatchObject({
      ID: String(ids[0]),
      From: { Relays: null, Mailbox: 'sender', Domain: 'example.org', Params: '' },
      To: [{ Relays: null, Mailbox: 'quiet-fox', Domain: 'mayfly.test', Params: '' }],
      Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      Raw: { From: 'sender@example.org', To: ['quiet-fox@mayfly.test'], Data: multipart },
    });
    expect(item.Raw.Helo).toEqual(expect.any(String));
    expect(item.Content).toMatchObject({
      Size: multipart.length,
      MIME: null,
      Body: multipart.slice(multipart.indexOf('\r\n\r\n') + 4),
    });
    expect(item.Content.Headers).toMatchObject({
      Subject: [subject],
      To: ['Team <team@example.net>'],
      'X-Tag': ['one', 'two'],
      'Return-Path': ['<sender@example.org>'],
      Received: [expect.stringContaining('with')],
      'Message-ID': [expect.any(String)],
    });
    const [text, file, end] = item.MIME.Parts;
    expect(text).toEqual({
      Headers: {
        'Content-Type': ['text/plain; charset=utf-8'],
        'Content-Transfer-Encoding': ['quoted-printable'],
      },
      Body: plain,
      Size: expect.any(Number),
      MIME: null,
    });
    expect([file.Body, file.Headers['Content-Disposition']]).toEqual([
      attached,
      ['attachment; filename="a.pdf"'],
    ]);
    // There the text after the last boundary counts as a part.
    expect(end).toEqual({ Headers: {}, Body: '--', Size: 2, MIME: null });
    expect((await get(`/api/v1/messages/${ids[0]}`)).json).toEqual(item);
  });

  it('is not multipart: MIME is null; nothing marks it read', async () => {
    const { harness, session, get } = await startWithMail(mailOf('hello'));
    const { json } = await get('/api/v2/messages');
    expect([json.items[0].MIME, json.items[0].Content.Body]).toEqual([null, 'hello in the body\r\n']);
    expect(await harness.services.checkMail(session)).toMatchObject([{ isRead: false }]);
  });

  it('is returned whole with megabytes, and so are those around it', async () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, at) => `${at} "quoted" \\ \t \u0001 grüße 🦊 ${'x'.repeat(20)}\r\n`,
    );
    const large = `From: ann@example.org\r\nSubject: large\r\n\r\n${lines.join('')}`;
    const { ids, get } = await startWithMail(mailOf('first'), large, mailOf('last'));
    const { json } = await get('/api/v2/messages');
    expect(json.items.map((item: { ID: string }) => Number(item.ID))).toEqual(ids.toReversed());
    expect(json.items[1].Raw.Data).toBe(large);
    expect(json.items[1].Content.Body).toBe(lines.join(''));
  });

  it('is valid JSON when its bytes are not text', async () => {
    const bytes = Buffer.concat([
      Buffer.from('From: a@example.org\r\n__proto__: x\r\nSubject: \xff\xfe\r\n\r\n', 'latin1'),
      Buffer.alloc(100_000, 0xe2),
    ]);
    const { get } = await startWithMail(bytes);
    const [item] = (await get('/api/v2/messages')).json.items;
    expect(item.Content.Body).toBe('\ufffd'.repeat(100_000));
    expect(Object.keys(item.Content.Headers)).toContain('__proto__');
  });
});

describe('a list', () => {
  it('is newest first, from start, and at most limit long', async () => {
    const { get } = await startWithMail(...Array.from({ length: 60 }, (_, at) => mailOf(`No ${at + 1}`)));
    const list = async (query: string): Promise<[number, number, number, number?]> => {
      const { total, count, start, items } = (await get(`/api/v2/messages${query}`)).json;
      return [total, count, start, items[0] && Number(items[0].ID)];
    };
    expect(await list('')).toEqual([60, 50, 0, 60]);
    expect(await list('?start=10&limit=3')).toEqual([60, 3, 10, 50]);
    expect(await list('?start=58')).toEqual([60, 2, 58, 2]);
    expect(await list('?start=1000')).toEqual([60, 0, 1000, undefined]);
    expect(await list('?start=x&limit=-1')).toEqual([60, 50, 0, 60]);
  });

  it('is searched by sender, recipient and content, in any case', async () => {
    const { get } = await startWithMail(
      mailOf('One', 'To: Team <team@example.net>\r\n'),
      mailOf('Two', 'X-Note: needle here\r\n'),
      `From: bob@example.org\r\nSubject: three\r\n\r\n${'x'.repeat(262_139)}NEEDLE\r\n`,
    );
    const search = async (kind: string, query: string): Promise<number[]> => {
      const { json } = await get(`/api/v2/search?kind=${kind}&query=${encodeURIComponent(query)}`);
      return json.items.map((item: { ID: string }) => Number(item.ID));
    };
    expect(await search('from', 'BOB@')).toEqual([3]);
    expect(await search('from', 'sender@example.org')).toEqual([3, 2, 1]);
    expect(await search('to', 'team')).toEqual([1]);
    expect(await search('to', 'quiet-fox@mayfly.test')).toEqual([3, 2, 1]);
    expect(await search('containing', 'Needle')).toEqual([3, 2]);
    expect(await search('containing', 'in the body')).toEqual([2, 1]);
    expect(await search('containing', 'absent')).toEqual([]);
    const paged = (await get('/api/v2/search?kind=containing&query=needle&start=1&limit=1')).json;
    expect(paged).toMatchObject({ total: 2, count: 1, start: 1, items: [{ ID: '2' }] });
  });
});

it('downloads the message and its parts, decoded, as files that no browser shows', async () => {
  const { ids, get } = await startWithMail(multipart);
  const whole = await get(`/api/v1/messages/${ids[0]}/download`);
  expect(whole.headers).toMatchObject({
    'content-type': 'message/rfc822',
    'content-disposition': 'attachment; filename="1.eml"',
  });
  expect(whole.text).toMatch(/^Return-Path: <sender@example\.org>\r\nReceived: /);
  expect(whole.text.endsWith(multipart)).toBe(true);
  const part = await get(`/api/v1/messages/${ids[0]}/mime/part/1/download`);
  expect(part.bytes).toEqual(Buffer.from(attached, 'base64'));
  expect(part.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="1-part-1"',
    'content-security-policy': "sandbox; default-src 'none'",
  });
  const text = await get(`/api/v1/messages/${ids[0]}/mime/part/0/download`);
  expect(text.text).toBe('Grüße, Ann');
  for (const number of ['3', '-1', 'x', '99999999']) {
    expect((await get(`/api/v1/messages/${ids[0]}/mime/part/${number}/download`)).status).toBe(404);
  }
});

it('deletes one message, with an empty response', async () => {
  const { ids, get } = await startWithMail(mailOf('one'), mailOf('two'));
  const { status, text } = await get(`/api/v1/messages/${ids[0]}`, 'DELETE');
  expect([status, text]).toEqual([200, '']);
  expect((await get('/api/v2/messages')).json).toMatchObject({ total: 1, items: [{ ID: String(ids[1]) }] });
  expect((await get(`/api/v1/messages/${ids[0]}`, 'DELETE')).status).toBe(404);
});

it('shows and deletes nothing of another session, and nothing without credentials', async () => {
  const { harness, ids, get } = await startWithMail(multipart);
  const { token } = await harness.lend('stranger');
  const one = `/api/v1/messages/${ids[0]}`;
  for (const path of [one, `${one}/download`, `${one}/mime/part/1/download`]) {
    expect((await get(path, 'GET', token)).status).toBe(404);
    expect((await ask(harness, path)).status).toBe(401);
  }
  expect((await get(one, 'DELETE', token)).status).toBe(404);
  expect((await get('/api/v2/messages', 'GET', token)).json).toMatchObject({ total: 0, items: [] });
  expect((await get('/api/v2/search?kind=to&query=fox', 'GET', token)).json.total).toBe(0);
  const none = await ask(harness, '/api/v2/messages');
  expect([none.status, none.headers['www-authenticate']]).toEqual([401, 'Basic realm="Mayfly"']);
  expect((await get('/api/v2/messages')).json.total).toBe(1);
});

it('refuses bad input with its reason as text, and serves no more', async () => {
  const { ids, get } = await startWithMail(mailOf('one'));
  const one = `/api/v1/messages/${ids[0]}`;
  for (const [path, status, method] of [
    ['/api/v2/search?kind=subject&query=x', 400],
    ['/api/v2/search?kind=to', 400],
    [`/api/v2/search?kind=to&query=${'x'.repeat(1001)}`, 400],
    ['/api/v1/messages/no-id', 404],
    ['/api/v1/messages/0', 404],
    ['/api/v1/messages/999', 404],
    [`${one}/release`, 400, 'POST'],
    ['/api/v2/jim', 404],
    ['/api/v2/jim', 404, 'POST'],
    ['/api/v2/websocket', 404],
    [`${one}/else`, 404],
    [one, 405, 'PUT'],
  ] as const) {
    const { status: got, headers, text } = await get(path, method);
    expect([path, got]).toEqual([path, status]);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.trim()).not.toBe('');
  }
});

describe('parsing a message', () => {
  it('ends: in depth, in parts, in fields, and where the boundary is empty or absent', () => {
    const deep = Array.from(
      { length: 40 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    );
    let depth = 0;
    let content: ReturnType<typeof readContent> | undefined = readContent(Buffer.from(deep.join('')));
    while (content?.parts) {
      depth += 1;
      content = content.parts[0];
    }
    expect(depth).toBe(5);
    const many = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(5000)}`;
    expect(readContent(Buffer.from(many)).parts).toHaveLength(1000);
    const fields = `${'A: b\r\n'.repeat(5000)}\r\n`;
    expect(readContent(Buffer.from(fields)).headers.get('A')).toHaveLength(1000);
    for (const type of ['multipart/mixed', 'multipart/mixed; boundary=""', 'multipart/mixed; boundary=;']) {
      expect(readContent(Buffer.from(`Content-Type: ${type}\r\n\r\nx`)).parts).toEqual([]);
    }
    expect(readContent(Buffer.from('no header at all')).headers.size).toBe(0);
    expect(readContent(Buffer.alloc(0)).body).toEqual({ start: 0, end: 0 });
  });
});
