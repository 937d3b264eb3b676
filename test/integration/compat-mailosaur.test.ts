// Mailosaur's dialect, route by route. test/system runs its published clients.

import { describe, expect, it } from 'vitest';

import { toServerId } from '../../src/compat/mailosaur/server-id.ts';
import { startCompat } from './compat-harness.ts';
import { ask, type HttpAnswer } from './http-harness.ts';
import { callerOf, lend, lendCapture, mail, rich } from './mailosaur-calls.ts';

describe('a message', () => {
  it('has its bodies with links, codes and images, its attachments and its envelope', async () => {
    const harness = await startCompat();
    const { token, server, session } = await lend(harness, 'fox');
    const call = callerOf(harness, token);
    await harness.deliver(rich, [session]);
    const { json } = await call(`/api/messages?server=${server}`);
    const address = session.address;
    expect(json).toEqual({
      items: [
        {
          id: `${server}-1`,
          type: 'Email',
          server,
          from: [{ name: 'Ann', email: 'ann@shop.example' }],
          to: [{ name: 'The Fox', email: 'fox@mayfly.test' }],
          cc: [{ name: 'Bob', email: 'bob@b.example' }],
          bcc: [],
          received: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          subject: 'Welcome',
          summary: 'Your code is 654321: https://a.example/text',
          attachments: 1,
        },
      ],
    });
    const full = await call(`/api/messages/${server}-1`);
    expect(full.json).toMatchObject({
      id: `${server}-1`,
      type: 'Email',
      server,
      subject: 'Welcome',
      html: {
        body: expect.stringContaining('<p onclick="x()">'),
        links: [{ href: 'https://a.example/html', text: 'Open' }],
        codes: [{ value: '123456' }],
        images: [{ src: 'cid:one', alt: 'One' }],
      },
      text: {
        body: expect.stringContaining('Your code is 654321'),
        links: [{ href: 'https://a.example/text', text: 'https://a.example/text' }],
        codes: [{ value: '654321' }],
      },
      attachments: [
        {
          id: `${server}-1-2`,
          contentType: 'text/csv',
          fileName: 'a.csv',
          length: 3,
          url: `${harness.origin}/api/files/attachments/${server}-1-2`,
        },
      ],
      metadata: {
        ehlo: 'client.example',
        mailFrom: 'sender@example.org',
        rcptTo: [{ name: '', email: address }],
      },
    });
    const { headers } = (full.json as { metadata: { headers: { field: string; value: string }[] } }).metadata;
    expect(headers).toContainEqual({ field: 'To', value: '"The Fox" <fox@mayfly.test>' });
  });

  it('and its attachments can be downloaded as files', async () => {
    const harness = await startCompat();
    const { token, server, session } = await lend(harness, 'fox');
    const call = callerOf(harness, token);
    await harness.deliver(rich, [session]);
    const file = await call(`/api/files/attachments/${server}-1-2`);
    expect(file).toMatchObject({ status: 200, text: 'a;b' });
    expect(file.headers['content-disposition']).toMatch(/^attachment/);
    const email = await call(`/api/files/email/${server}-1`);
    expect(email.status).toBe(200);
    expect(email.text).toContain('Subject: Welcome\r\n');
    expect(email.headers['content-security-policy']).toContain('sandbox');
  });

  it('is deleted alone, or all of them at once', async () => {
    const harness = await startCompat();
    const { token, server, session } = await lend(harness, 'fox');
    const call = callerOf(harness, token);
    for (const subject of ['One', 'Two', 'Three']) await harness.deliver(mail(subject), [session]);
    const one = `/api/messages/${server}-1`;
    expect(await call(one, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect((await call(one, { method: 'DELETE' })).status).toBe(404);
    expect((await call(one)).status).toBe(404);
    expect((await call(`/api/messages?server=${server}`, { method: 'DELETE' })).status).toBe(204);
    expect((await call(`/api/messages?server=${server}`)).json).toEqual({ items: [] });
  });
});

describe('the server', () => {
  it("is a capture session's label, and lists recipients no header names", async () => {
    const harness = await startCompat();
    const { token, server, session } = await lendCapture(harness);
    const call = callerOf(harness, token);
    const hidden = `hidden@${server}.mayfly.test`;
    await harness.deliver(mail('One'), [session], [`fox@${server}.mayfly.test`, hidden]);
    const view = { id: server, name: `${server}.mayfly.test`, users: [], messages: 1 };
    expect((await call('/api/servers')).json).toEqual({ items: [view] });
    expect((await call(`/api/servers/${server}`)).json).toEqual(view);
    expect((await call(`/api/servers/${server}/password`)).json).toEqual({ value: token });
    const found = await call(`/api/messages/search?server=${server}`, {
      method: 'POST',
      json: { sentTo: hidden },
    });
    expect(found.json).toMatchObject({
      items: [{ bcc: expect.arrayContaining([{ name: '', email: hidden }]) }],
    });
  });

  it('keeps its name, and ends with its session', async () => {
    const harness = await startCompat();
    const { token, server } = await lendCapture(harness);
    const call = callerOf(harness, token);
    const path = `/api/servers/${server}`;
    const name = `${server}.mayfly.test`;
    expect((await call(path, { method: 'PUT', json: { name } })).json).toMatchObject({
      name,
    });
    expect((await call(path, { method: 'PUT', json: { name: 'Other' } })).status).toBe(400);
    expect((await call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await call(path, { method: 'DELETE' })).status).toBe(410);
  });

  it('gives its place back when it is deleted', async () => {
    const harness = await startCompat({ access: { perAddress: 1 } });
    const create = (): Promise<HttpAnswer> => ask(harness, '/ajax.php?f=get_email_address');
    const { sid_token: token, email_addr: address } = (await create()).json;
    expect((await create()).json.auth.error_codes).toEqual(['too_many_sessions']);
    const session = (await harness.store.mail.findLiveSession(String(address)))!;
    const path = `/api/servers/${toServerId(session)}`;
    expect((await callerOf(harness, String(token))(path, { method: 'DELETE' })).status).toBe(204);
    expect((await create()).status).toBe(200);
  });

  it('is the only one: no other can be created', async () => {
    const harness = await startCompat();
    const { token } = await lend(harness, 'fox');
    const call = callerOf(harness, token);
    const nameless = await call('/api/servers', { method: 'POST', json: { name: null } });
    expect(nameless.status).toBe(400);
    expect(nameless.text).toMatch(/^\{"type":/);
    expect(nameless.json).toMatchObject({
      errors: [{ field: 'name', detail: [{ description: 'Servers need a name' }] }],
    });
    expect((await call('/api/servers', { method: 'POST', json: { name: 'x' } })).status).toBe(400);
  });
});

describe('bad requests', () => {
  it('never show data of another session', async () => {
    const harness = await startCompat();
    const [owner, other] = [await lend(harness, 'fox'), await lend(harness, 'owl')];
    await harness.deliver(rich, [owner.session]);
    await harness.deliver(mail('Own'), [other.session]);
    const { server } = owner;
    const paths: [string, string?][] = [
      [`/api/messages?server=${server}`],
      [`/api/messages?server=${server}`, 'DELETE'],
      [`/api/messages/${server}-1`],
      [`/api/messages/${server}-1`, 'DELETE'],
      [`/api/messages/search?server=${server}`, 'POST'],
      [`/api/messages/await?server=${server}`, 'POST'],
      [`/api/files/attachments/${server}-1-2`],
      [`/api/files/email/${server}-1`],
      [`/api/servers/${server}`],
      [`/api/servers/${server}`, 'PUT'],
      [`/api/servers/${server}`, 'DELETE'],
      [`/api/servers/${server}/password`],
    ];
    for (const [path, method = 'GET'] of paths) {
      const json = method === 'POST' || method === 'PUT' ? { subject: 'Welcome', name: 'x' } : undefined;
      const answer = await callerOf(harness, other.token)(path, { method, json });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.json).toMatchObject({ errors: [{ detail: [{ description: expect.any(String) }] }] });
      const unknown = await callerOf(harness, 'x'.repeat(43))(path, { method, json });
      expect([path, unknown.status]).toEqual([path, 401]);
    }
    expect((await callerOf(harness, owner.token)(`/api/messages/${server}-1`)).status).toBe(200);
  });

  it('are refused in the form that clients show, by name', async () => {
    const harness = await startCompat();
    const { token, server } = await lend(harness, 'fox');
    const call = callerOf(harness, token);
    const post = { method: 'POST' };
    const cases: [string, { method?: string; json?: unknown; body?: string }, number, string][] = [
      [`/api/messages?server=${server}&page=x`, {}, 400, 'page'],
      ['/api/messages', {}, 400, 'server'],
      ['/api/messages/x', {}, 404, 'id'],
      ['/api/messages/1', {}, 404, 'id'],
      ['/api/messages/', {}, 404, 'id'],
      [`/api/messages/search?server=${server}`, { ...post, body: '{' }, 400, 'body'],
      [`/api/messages/search?server=${server}`, { ...post, json: {} }, 400, 'criteria'],
      [`/api/messages/search?server=${server}`, { ...post, body: 'x'.repeat(300_000) }, 413, 'request'],
      [`/api/messages?server=${server}`, { ...post, json: { to: 'a@b.example', send: true } }, 400, 'send'],
      ['/api/analysis/spam/x', {}, 400, 'analysis'],
      ['/api/devices', {}, 400, 'devices'],
      ['/api/usage/limits', {}, 400, 'usage'],
      ['/api/screenshots/clients', {}, 400, 'previews'],
      ['/api/servers/nothing/at/all', {}, 404, 'request'],
      ['/api/screenshots/nothing', {}, 404, 'request'],
    ];
    for (const [path, options, status, field] of cases) {
      const answer = await call(path, options);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.json).toMatchObject({ errors: [{ field }] });
    }
  });

  it('without credentials are asked for them', async () => {
    const harness = await startCompat();
    const answer = await ask(harness, '/api/servers');
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
    expect(answer.json).toMatchObject({ type: 'missing_token' });
  });
});
