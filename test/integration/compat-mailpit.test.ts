// Mailpit's dialect, route by route.

import { describe, expect, it } from 'vitest';

import { MailpitIds } from '../../src/compat/mailpit/ids.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { ask } from './http-harness.ts';
import { mailOf, openMailpit, withFiles } from './mailpit-client.ts';

describe('lists', () => {
  it('show messages newest first, with every array and count', async () => {
    const { get, deliver, id } = await openMailpit();
    expect((await get('/api/v1/messages')).json).toEqual({
      total: 0,
      unread: 0,
      count: 0,
      messages_count: 0,
      messages_unread: 0,
      start: 0,
      tags: [],
      messages: [],
    });
    await deliver(withFiles, ['fox@mayfly.test', 'hidden@example.net']);
    await deliver(mailOf('Second'));
    const list = (await get('/api/v1/messages?limit=1&start=1')).json;
    expect(list).toMatchObject({ total: 2, unread: 2, count: 1, messages_count: 2, start: 1 });
    expect(list.messages).toHaveLength(1);
    expect(list.messages[0]).toMatchObject({
      ID: id(1),
      MessageID: 'abc@example.org',
      Read: false,
      Subject: 'With files',
      Attachments: 1,
      From: { Name: 'Jürgen', Address: 'j@example.org' },
      To: [{ Name: 'One', Address: 'one@example.org' }],
      Cc: [{ Name: '', Address: 'three@example.org' }],
      Bcc: [{ Name: '', Address: 'fox@mayfly.test' }],
      ReplyTo: [{ Name: '', Address: 'help@example.org' }],
      Tags: [],
      Username: '',
    });
    expect(list.messages[0].Created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(list.messages[0].Snippet).toContain('Hello');
  });

  it('are correct again after each change', async () => {
    const { get, send, deliver } = await openMailpit();
    const count = async (): Promise<unknown> => (await get('/api/v1/messages')).json.total;
    expect(await count()).toBe(0);
    await deliver(mailOf('One'));
    expect(await count()).toBe(1);
    expect(await count()).toBe(1);
    await send('PUT', '/api/v1/messages', { Read: true });
    expect((await get('/api/v1/messages')).json.unread).toBe(0);
    await send('DELETE', '/api/v1/messages');
    expect(await count()).toBe(0);
  });
});

describe('one message', () => {
  it('is shown with everything its sender wrote, and marked read', async () => {
    const { get, deliver, id } = await openMailpit();
    await deliver(withFiles);
    const message = (await get('/api/v1/message/latest')).json;
    expect(message).toMatchObject({
      ID: id(1),
      MessageID: 'abc@example.org',
      Read: true,
      Subject: 'With files',
      ReturnPath: 'sender@example.org',
      Date: '2026-11-02T10:00:00+01:00',
      Inline: [],
      Tags: [],
      ListUnsubscribe: {
        Header: '<mailto:off@example.org>, <https://example.org/off>',
        Links: ['mailto:off@example.org', 'https://example.org/off'],
        Errors: '',
        HeaderPost: '',
      },
      Attachments: [
        {
          PartID: '2',
          FileName: 'a.pdf',
          ContentType: 'application/pdf',
          ContentID: '',
          Size: 3,
          Checksums: {
            MD5: '900150983cd24fb0d6963f7d28e17f72',
            SHA1: 'a9993e364706816aba3e25717850c26c9cd0d89d',
            SHA256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
          },
        },
      ],
    });
    expect(message.HTML).toContain('<p onclick="x()">');
    expect(message.Text).toContain('Hello');
    expect((await get('/api/v1/messages')).json.unread).toBe(0);
  });

  it('is the newest that a search finds, for latest', async () => {
    const { get, deliver } = await openMailpit();
    await deliver(mailOf('apple'));
    await deliver(mailOf('pear'));
    expect((await get('/api/v1/message/latest?query=subject%3Aapple')).json.Subject).toBe('apple');
    expect((await get('/api/v1/message/latest?query=subject%3Aplum')).status).toBe(404);
  });

  it('has what Mailpit makes of odd headers and texts', async () => {
    const { get, deliver, id } = await openMailpit();
    await deliver(
      'Subject: x\r\nX-Fold: one\r\n  two\r\n\tthree\r\nDate: Mon, 2 Nov 2026 10:00:00 -0330 (NST)\r\n\r\na\r\nb\r\n',
    );
    await deliver(
      'Date: Mon, 2 Nov 2026 10:00:00 +0000\r\nContent-Type: text/html\r\n\r\n<p>a</p><p>b</p>\r\n',
    );
    const [first, second] = [await get('/api/v1/message/{1}'), await get('/api/v1/message/{2}')];
    expect(first.json).toMatchObject({
      Text: 'a\r\nb\r\n',
      Date: '2026-11-02T10:00:00-03:30',
      MessageID: `${id(1)}@mayfly`,
    });
    expect(second.json).toMatchObject({ Text: 'a\n\nb', Date: '2026-11-02T10:00:00Z' });
    expect((await get('/view/{1}.txt')).text).toBe('a\r\nb\r\n');
    expect((await get('/api/v1/message/{1}/headers')).json).toMatchObject({
      'X-Fold': ['one two three'],
      'Message-Id': [`<${id(1)}@mayfly>`],
    });
    expect((await get('/api/v1/messages')).json.messages[1].MessageID).toBe(`${id(1)}@mayfly`);
  });

  it('has headers under their Go names, undecoded', async () => {
    const { get, deliver } = await openMailpit();
    await deliver(withFiles);
    const headers = (await get('/api/v1/message/{1}/headers')).json;
    expect(headers).toMatchObject({
      'Message-Id': ['<abc@example.org>'],
      'Mime-Version': ['1.0'],
      'Delivered-To': ['fox@mayfly.test'],
      'Return-Path': ['<sender@example.org>'],
    });
  });

  it('has a raw form, parts, and views under a policy that runs nothing', async () => {
    const { get, deliver, harness, id } = await openMailpit();
    await deliver(withFiles);
    const raw = await get('/api/v1/message/{1}/raw');
    expect(raw.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(raw.text.endsWith(withFiles)).toBe(true);
    const part = await get('/api/v1/message/{1}/part/2');
    expect(part).toMatchObject({ status: 200, text: 'abc' });
    expect(part.headers['content-type']).toBe('application/pdf');
    const html = await get('/view/latest.html');
    expect(html.text).toContain('<script>1</script>');
    expect(html.headers['content-security-policy']).toBe(
      `sandbox; default-src 'none'; img-src data: ${harness.origin}/api/v1/message/${id(1)}/part/; ` +
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    expect(html.headers['x-content-type-options']).toBe('nosniff');
    const text = await get('/view/{1}.txt');
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.text).toContain('Hello');
    await deliver(mailOf('plain'));
    expect(await get('/view/latest.html')).toMatchObject({ status: 404 });
  });

  it('has its links listed, none of which is fetched', async () => {
    const { get, deliver } = await openMailpit();
    await deliver(withFiles);
    expect((await get('/api/v1/message/{1}/link-check')).json).toEqual({
      Errors: 0,
      Links: [{ URL: 'https://example.org/in', StatusCode: 0, Status: 'not fetched' }],
    });
  });

  it.each([
    ['/api/v1/message/{1}/sa-check', 404],
    ['/api/v1/message/{1}/part/9', 404],
    ['/api/v1/message/{2}', 404],
    ['/api/v1/message/x', 404],
    ['/api/v1/message/-1', 404],
    ['/api/v1/message/1e3', 404],
    ['/view/{1}', 404],
    ['/view/{1}.pdf', 404],
    ['/view/{2}.html', 404],
    ['/api/v1/chaos', 400],
  ])('returns %s with %i and a text', async (path, status) => {
    const { get, deliver } = await openMailpit();
    await deliver(withFiles);
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.text).not.toBe('');
  });
});

describe('changes', () => {
  it('mark by ids, by a search, or all', async () => {
    const { get, send, deliver, id, numbersOf } = await openMailpit();
    for (const subject of ['apple', 'pear', 'plum']) await deliver(mailOf(subject));
    const unread = async (): Promise<unknown> =>
      numbersOf((await get('/api/v1/search?query=is:unread')).json.messages);
    expect((await send('PUT', '/api/v1/messages', { IDs: [id(1), 'x', '2'], Read: true })).text).toBe('ok');
    expect(await unread()).toEqual([3, 2]);
    await send('PUT', '/api/v1/messages', { Search: 'subject:plum', Read: true });
    expect(await unread()).toEqual([2]);
    await send('PUT', '/api/v1/messages', {});
    expect(await unread()).toEqual([3, 2, 1]);
    const both = await send('PUT', '/api/v1/messages', { IDs: [id(1)], Search: 'x', Read: true });
    expect(both.status).toBe(400);
  });

  it('delete by ids as JSON or as a form, by a search, or all', async () => {
    const { harness, get, send, deliver, id, numbersOf } = await openMailpit();
    for (const subject of ['one', 'two', 'three', 'four']) await deliver(mailOf(subject));
    const left = async (): Promise<unknown> => numbersOf((await get('/api/v1/messages')).json.messages);
    const answer = await send('DELETE', '/api/v1/messages', { IDs: [id(1)] });
    expect(answer).toMatchObject({ status: 200, text: '' });
    const { token } = await harness.lend();
    const foreign = { method: 'DELETE', headers: bearer(token) };
    expect((await ask(harness, '/api/v1/messages', foreign)).status).toBe(200);
    expect(await left()).toEqual([4, 3, 2]);
    expect((await send('DELETE', '/api/v1/search?query=subject:two')).text).toBe('ok');
    expect(await left()).toEqual([4, 3]);
    expect((await send('DELETE', '/api/v1/search?query=to:')).status).toBe(400);
    expect((await send('DELETE', '/api/v1/search')).status).toBe(400);
    expect(await left()).toEqual([4, 3]);
    await send('DELETE', '/api/v1/messages', { IDs: [] });
    expect(await left()).toEqual([]);
  });

  it('take a form for ids, and delete no others', async () => {
    const harness = await startCompat();
    const { token, session } = await harness.lend();
    for (const subject of ['one', 'two']) await harness.deliver(mailOf(subject), [session]);
    const ids = new MailpitIds(session);
    const headers = { ...bearer(token), 'content-type': 'application/x-www-form-urlencoded' };
    await ask(harness, '/api/v1/messages', { method: 'DELETE', headers, body: `ids=${ids.toId(2)}&ids=7` });
    const list = await ask(harness, '/api/v1/messages', { headers: bearer(token) });
    expect(list.json.messages).toMatchObject([{ ID: ids.toId(1) }]);
  });
});

describe('search', () => {
  it.each<[query: string, ids: number[]]>([
    ['invoice', [1]],
    ['Hello', [3, 2, 1]],
    ['"your invoice"', [1]],
    ['"invoice your"', []],
    ['hello -invoice', [3, 2]],
    ['hello !invoice subject:pear', [2]],
    ['from:shop.example', [1]],
    ['-from:shop.example', [3, 2]],
    ['to:two@example.org', [3, 2, 1]],
    ['to:fox@mayfly.test', []],
    ['bcc:fox@mayfly.test', [3, 2, 1]],
    ['addressed:fox@mayfly', [3, 2, 1]],
    ['subject:"Your INVOICE"', [1]],
    ['is:read', [2]],
    ['-is:unread', [2]],
    ['has:attachment', []],
    ['-has:inline', [3, 2, 1]],
    ['before:2020-01-01', []],
    ['after:2020-01-01', [3, 2, 1]],
    ['larger:1kb', [3]],
    ['smaller:1k subject:pear', [2]],
    ['tag:anything', []],
  ])('finds by %s', async (query, ids) => {
    const { get, deliver, numbersOf } = await openMailpit();
    await deliver(mailOf('Your invoice', 'Hello, here it is.', 'Shop <s@shop.example>'));
    await deliver(mailOf('pear', 'Hello, pear.'));
    await deliver(mailOf('plum', `Hello, plum. ${'x'.repeat(1024)}`));
    await get('/api/v1/message/{2}');
    const found = (await get(`/api/v1/search?query=${encodeURIComponent(query)}`)).json;
    expect(numbersOf(found.messages)).toEqual(ids);
    expect(found).toMatchObject({ total: 3, messages_count: ids.length, count: ids.length });
  });

  it('finds the name of an attachment', async () => {
    const { get, deliver, numbersOf } = await openMailpit();
    await deliver(withFiles);
    await deliver(mailOf('other'));
    expect(numbersOf((await get('/api/v1/search?query=a.pdf')).json.messages)).toEqual([1]);
  });

  it('refuses an empty query, and an invalid date and zone', async () => {
    const { get } = await openMailpit();
    for (const query of [
      '',
      '?query=',
      '?query=after:yesterdayish',
      '?query=after:2026-01-01&tz=Mars/Base',
    ]) {
      const answer = await get(`/api/v1/search${query}`);
      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    }
  });
});
