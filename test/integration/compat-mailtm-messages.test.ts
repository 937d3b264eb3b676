// The dialect of mail.tm: messages in both of its forms, their sources, and its stream.

import { describe, expect, it } from 'vitest';

import { openStream } from '../support/clients/event-source.ts';
import { ask, type HttpAnswer, type Untyped } from './http-harness.ts';
import { date, id24, mail, startAccount } from './mailtm-account.ts';

describe('messages', () => {
  it('are listed as the clients read them', async () => {
    const { get, deliver, id } = await startAccount();
    expect((await get('/messages')).json).toEqual([]);
    await deliver();
    const [listed, ...others] = (await get('/messages?page=1')).json;
    expect(others).toEqual([]);
    expect(listed).toEqual({
      id: id24,
      accountId: id,
      msgid: '<one@example.org>',
      subject: 'Hello',
      from: { address: 'ann@example.org', name: 'Ann' },
      to: [{ address: 'fox@mayfly.test', name: 'Fox' }],
      intro: expect.stringContaining('Hëllo'),
      seen: false,
      isDeleted: false,
      hasAttachments: false,
      size: Buffer.byteLength(mail),
      downloadUrl: `/messages/${listed.id}/download`,
      createdAt: date,
      updatedAt: date,
    });
    const linked = (await get('/messages', 'application/ld+json')).json;
    expect(linked).toEqual({
      '@context': '/contexts/Message',
      '@id': '/messages',
      '@type': 'hydra:Collection',
      'hydra:totalItems': 1,
      'hydra:member': [{ '@id': `/messages/${listed.id}`, '@type': 'Message', ...listed }],
    });
  });

  it('are returned thirty a page, newest first', async () => {
    const { get, harness, token } = await startAccount();
    const { session } = await harness.services.authenticateToken(token);
    for (let i = 1; i <= 65; i++) await harness.deliver(`Subject: ${i}\r\n\r\n`, [session]);
    const subjects = async (page: string): Promise<unknown[]> =>
      (await get(`/messages?page=${page}`)).json.map(({ subject }: Untyped) => subject);
    const from = (newest: number, count: number): string[] =>
      Array.from({ length: count }, (_, i) => String(newest - i));
    expect(await subjects('1')).toEqual(from(65, 30));
    expect(await subjects('3')).toEqual(from(5, 5));
    expect(await subjects('4')).toEqual([]);
    const view = async (page: number): Promise<unknown> =>
      (await get(`/messages?page=${page}`, '*/*')).json['hydra:view'];
    expect(await view(1)).toEqual({
      '@id': '/messages?page=1',
      '@type': 'hydra:PartialCollectionView',
      'hydra:first': '/messages?page=1',
      'hydra:last': '/messages?page=3',
      'hydra:previous': '',
      'hydra:next': '/messages?page=2',
    });
    expect(await view(3)).toMatchObject({ 'hydra:previous': '/messages?page=2', 'hydra:next': '' });
    for (const page of ['0', '-1', 'x', '1.5', '9'.repeat(30)]) {
      expect((await get(`/messages?page=${page}`)).status).toBe(400);
    }
  });

  it('are read in full, sanitised, and left unread', async () => {
    const { get, deliver, id } = await startAccount();
    await deliver();
    const [listed] = (await get('/messages')).json;
    const { status, json: message } = await get(`/messages/${listed.id}`);
    expect(status).toBe(200);
    expect(listed.intro).toEqual(expect.any(String));
    expect(message).toEqual({
      ...listed,
      accountId: id,
      cc: [],
      bcc: [],
      flagged: false,
      verifications: [],
      retention: true,
      retentionDate: date,
      text: expect.stringContaining('Hëllo'),
      html: [expect.stringContaining('Hëllo')],
      attachments: [
        {
          id: '2',
          filename: 'a.png',
          contentType: 'image/png',
          disposition: 'inline',
          transferEncoding: 'base64',
          related: true,
          size: 6,
          downloadUrl: `/messages/${listed.id}/attachment/2`,
        },
      ],
    });
    expect(message.html[0]).toContain('attachment:2');
    expect(message.html[0]).not.toMatch(/evil|script|track\.example/);
    expect((await get('/messages')).json[0].seen).toBe(false);
    const attachment = await get(message.attachments[0].downloadUrl);
    expect([attachment.text, attachment.headers['content-type']]).toEqual(['GIF89a', 'image/png']);
    expect((await get(`/messages/${listed.id}/attachment/9`)).status).toBe(404);
  });

  it('have text, HTML and names however little they contain', async () => {
    const { get, deliver } = await startAccount();
    await deliver('X: y\r\n\r\n1 < 2\r\n');
    const [{ id, from, to, subject, msgid }] = (await get('/messages')).json;
    expect([from.name, subject, msgid]).toEqual(['', '', '']);
    expect(to).toEqual([{ address: 'fox@mayfly.test', name: '' }]);
    const { text, html, bcc } = (await get(`/messages/${id}`)).json;
    expect(text).toContain('1 < 2');
    expect(html).toEqual([expect.stringContaining('1 &#60; 2')]);
    expect(bcc).toEqual(['fox@mayfly.test']);
  });

  it('are marked and deleted', async () => {
    const { get, send, deliver } = await startAccount();
    await deliver();
    const [{ id }] = (await get('/messages')).json;
    const seen = async (): Promise<unknown> => (await get('/messages')).json[0].seen;
    const patched = await send(`PATCH /messages/${id}`, { seen: true }, 'application/merge-patch+json');
    expect([patched.status, patched.json, await seen()]).toEqual([200, { seen: true }, true]);
    expect((await send(`PATCH /messages/${id}`, { seen: false })).json).toEqual({ seen: false });
    expect(await seen()).toBe(false);
    expect((await send(`PATCH /messages/${id}`, {})).json).toEqual({ seen: false });
    expect((await send(`PATCH /messages/${id}`)).json).toEqual({ seen: true });
    await send(`PATCH /messages/${id}`, { seen: false });
    expect((await send(`PUT /messages/${id}/read`)).json).toEqual({ seen: 'read' });
    expect(await seen()).toBe(true);
    const gone = await send(`DELETE /messages/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const line of ['GET', 'DELETE', 'PATCH']) {
      expect(
        (await send(`${line} /messages/${id}`, line === 'PATCH' ? { seen: true } : undefined)).status,
      ).toBe(404);
    }
  });

  it('give their source as text and as bytes', async () => {
    const { get, deliver } = await startAccount();
    const raw = `${mail}${'ä€😀"\\\u0001'.repeat(60_000)}`;
    await deliver(raw);
    const [{ id, downloadUrl }] = (await get('/messages')).json;
    const bytes = await get(downloadUrl);
    expect(bytes.headers['content-type']).toBe('message/rfc822');
    expect(bytes.text.endsWith(raw)).toBe(true);
    for (const path of [`/sources/${id}`, `/messages/${id}/source`]) {
      expect((await get(path)).json).toEqual({ id, downloadUrl, data: bytes.text });
    }
    const linked = (await get(`/sources/${id}`, '*/*')).json;
    expect(linked).toMatchObject({ '@type': 'Source', '@id': `/sources/${id}`, data: bytes.text });
  });
});

describe('the stream', () => {
  it('reports each arrival, reading and deletion, and then the account', async () => {
    const { harness, id, token, send, deliver, get } = await startAccount();
    const stream = await openStream(harness, {
      token,
      path: '/.well-known/mercure',
      query: `topic=/accounts/${id}`,
    });
    await deliver();
    await stream.take(2);
    const [{ id: messageId, ...listed }] = (await get('/messages')).json;
    expect(stream.events).toMatchObject([
      {
        event: 'message',
        data: { '@type': 'Message', '@id': `/messages/${messageId}`, id: messageId, ...listed },
      },
      { event: 'message', data: { '@type': 'Account', id, used: listed.size } },
    ]);
    await send(`PATCH /messages/${messageId}`, { seen: true });
    await stream.take(4);
    expect(stream.events[2]!.data).toMatchObject({
      '@type': 'Message',
      id: messageId,
      seen: true,
      isDeleted: false,
    });
    await send(`DELETE /messages/${messageId}`);
    await stream.take(6);
    expect(stream.events[4]!.data).toMatchObject({ '@type': 'Message', id: messageId, isDeleted: true });
    expect(stream.events[5]!.data).toMatchObject({ '@type': 'Account', used: 0 });
  });

  it('resumes where it was left', async () => {
    const { harness, id, token, deliver } = await startAccount();
    await deliver('Subject: first\r\n\r\n');
    await deliver('Subject: second\r\n\r\n');
    const [path, query] = ['/.well-known/mercure', `topic=/accounts/${id}`];
    const stream = await openStream(harness, { token, lastEventId: '1', path, query });
    await stream.take(2);
    expect(stream.events[0]!.data).toMatchObject({ subject: 'second' });
  });

  it('takes the token from the query, and requires a topic of the account', async () => {
    const { harness, id, token } = await startAccount();
    const open = (query: string): Promise<HttpAnswer> => ask(harness, `/.well-known/mercure?${query}`);
    const opened = await open(`topic=/accounts/${id}&authorization=${token}`);
    expect([opened.status, opened.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect((await open(`topic=/accounts/${id}`)).status).toBe(401);
    expect((await open(`authorization=${token}`)).status).toBe(400);
  });
});
